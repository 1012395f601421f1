import type { Env } from '../../clock.ts'
import { type Backoff, repeating } from '../backoff.ts'
import { sqlStateOf } from '../unavailable.ts'

/** Answers after which nothing was applied, and the same may well succeed at once. */
const UNDONE: ReadonlySet<string> = new Set([
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '26000', // a prepared statement is gone, and
  '42P05', // is there already: none is prepared from then on
])

const TIMES = 3
const BACKOFF: Backoff = { firstMs: 30, longestMs: 120 }

/** Sends again, a few times, what the server has undone for the sake of another transaction. */
export async function sendAgain<Result>(
  env: Pick<Env, 'after' | 'random'>,
  send: () => Promise<Result>,
): Promise<Result> {
  const mayRepeat = (error: unknown, failures: number) => failures <= TIMES && UNDONE.has(sqlStateOf(error) ?? '')
  return await repeating(env, BACKOFF, send, mayRepeat)
}
