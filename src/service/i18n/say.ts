import type { Locale } from '../../time/locale.ts'
import { cutText, type FieldProblem, LONGEST_MESSAGE, type Said } from '../errors.ts'
import type { ApiCode } from './codes.ts'
import { EN } from './en.ts'
import { Facts, type Sentence } from './facts.ts'
import { fields } from './pt-br/sentences/fields.ts'
import { jobs } from './pt-br/sentences/jobs.ts'
import { operations, requests } from './pt-br/sentences/requests.ts'
import { rules } from './pt-br/sentences/rules.ts'
import { type Catalogue, PT_BR } from './pt-br/texts.ts'

const CATALOGUES: Readonly<Record<Locale, Catalogue>> = { 'pt-BR': PT_BR, en: EN }

/** The texts of a language: `textsIn('pt-BR').jobs.messages.error.jobNotFound`. */
export function textsIn(language: Locale): Catalogue {
  return CATALOGUES[language]
}

/** One function per code; without one for each this does not compile. */
const SENTENCES: Readonly<Record<ApiCode, Sentence>> = { ...fields, ...jobs, ...operations, ...requests, ...rules }

/** What is said, and how English says it: errors speak English themselves. */
export interface Saying extends Said {
  readonly message: string
}

/** A sentence in a language. What only the application knows how to say, such as a schema of its own, stays in the words of its author. */
export function say(language: Locale, { code, details, message }: Saying): string {
  if (language === 'en' || !isKnown(code)) return message
  return SENTENCES[code](new Facts(details))
}

/** What is wrong with a field, as it is answered in a language. */
export function sayField(language: Locale, problem: FieldProblem): FieldProblem {
  const { pointer, code, message, says } = problem
  const { details, ...said } = says ?? { code, details: {} }
  // A rule may call the field otherwise than the one who sent it.
  const field = pointer.slice(pointer.lastIndexOf('/') + 1)
  const sentence = say(language, { ...said, details: { field, ...details }, message })
  return { pointer, code, message: cutText(sentence, LONGEST_MESSAGE) }
}

function isKnown(code: string): code is ApiCode {
  return Object.hasOwn(SENTENCES, code)
}
