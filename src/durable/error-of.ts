import { failureOf } from '../job/execution/failure.ts'

/** Whatever was thrown, as an error. */
export function errorOf(thrown: unknown): Error {
  try {
    if (thrown instanceof Error) return thrown
  } catch {
    // Even to ask what it is may throw, as of a proxy that was revoked.
  }
  return new Error(failureOf(thrown).message)
}
