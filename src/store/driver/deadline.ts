import type { Env } from '../../clock.ts'

/** The answer, or the error that `onPassed` gives when it did not come in time; an answer that comes later is dropped. */
export function answerWithin<Answer>(
  env: Pick<Env, 'after'>,
  deadlineMs: number,
  answer: Promise<Answer>,
  onPassed: () => Error,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const cancel = env.after(deadlineMs, () => reject(onPassed()))
    answer.finally(cancel).then(resolve, reject)
  })
}
