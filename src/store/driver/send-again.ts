import type { Env } from '../../clock.ts'
import { sqlStateOf } from '../unavailable.ts'

/** Answers after which nothing was applied, and the same may well succeed at once. */
const UNDONE: ReadonlySet<string> = new Set([
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '26000', // a prepared statement is gone, and
  '42P05', // is there already: none is prepared from then on
])

const TIMES = 3
const FIRST_PAUSE_MS = 20

/** Does it again, a few times, when the server has undone it for the sake of another. */
export async function sendAgain<Result>(
  env: Pick<Env, 'after' | 'random'>,
  send: () => Promise<Result>,
): Promise<Result> {
  for (let again = 0; ; again += 1) {
    try {
      return await send()
    } catch (error) {
      if (again === TIMES || !UNDONE.has(sqlStateOf(error) ?? '')) throw error
      // Two that were in each other's way must not meet again in step.
      const pauseMs = FIRST_PAUSE_MS * 2 ** again * (0.5 + env.random())
      await new Promise<void>((resolve) => env.after(pauseMs, resolve))
    }
  }
}
