import type { SeriesBucketView } from '../../api/wire.ts'

/** In percent; null where nothing ended. What was cancelled counts neither way. */
export function successPercent({ succeeded, failed, timedOut }: SeriesBucketView): number | null {
  const ended = succeeded + failed + timedOut
  return ended === 0 ? null : (succeeded / ended) * 100
}
