import { type Env, eventLoopTurn } from '../../clock.ts'

/** The answer, or the error that `onPassed` gives when it did not come in time; an answer that comes later is dropped. */
export function answerWithin<Answer>(
  env: Pick<Env, 'after'>,
  deadlineMs: number,
  answer: Promise<Answer>,
  onPassed: () => Error,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let isAnswered = false
    const giveUp = async () => {
      await lookAtSockets()
      if (!isAnswered) reject(onPassed())
    }
    const cancel = env.after(deadlineMs, () => void giveUp())
    const settle = () => {
      isAnswered = true
      cancel()
    }
    answer.finally(settle).then(resolve, reject)
  })
}

/** Timers go before sockets: when the event loop was blocked, an answer may be there that nobody has read. */
export async function lookAtSockets(): Promise<void> {
  await eventLoopTurn()
  await eventLoopTurn()
}
