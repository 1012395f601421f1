import { parseDuration } from '../duration.ts'

/** When an error itself says to try again: `retryAfter`, as a duration, or as an instant. */
export function retryAfterOf(error: Error, now: number): number | null {
  const after: unknown = Reflect.get(error, 'retryAfter')
  if (after instanceof Date) return Math.max(0, after.getTime() - now)
  if (typeof after !== 'number' && typeof after !== 'string') return null
  try {
    return parseDuration(after, 'retryAfter')
  } catch {
    return null
  }
}
