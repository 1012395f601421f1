import type { ExecuteAnswer } from '../service/answers.ts'
import { type Catalogue, textsIn } from '../service/i18n/catalogue.ts'
import type { Answer, Call } from './request/route.ts'

type Notice = NonNullable<ExecuteAnswer['notice']>

/** Each notice in words. */
const TEXTS: Readonly<Record<Notice, (texts: Catalogue) => string>> = {
  maxWorkersExceeded: ({ jobs }) => jobs.messages.error.maxWorkersExceeded,
  suspended: ({ flags }) => flags.suspended,
}

/** An execution that was asked for; what there is to know about it also in the language of whoever asks. */
export function executed(answer: ExecuteAnswer, { language }: Pick<Call, 'language'>): Answer {
  const { notice } = answer
  return { status: 202, body: { ...answer, message: notice === null ? null : TEXTS[notice](textsIn(language)) } }
}
