import { failureOf } from '../job/failure.ts'

/** Whatever was thrown, as an error. */
export function errorOf(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown
  return new Error(failureOf(thrown).message)
}
