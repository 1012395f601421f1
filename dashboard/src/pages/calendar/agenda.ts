import type { AgendaView } from '../../api/wire.ts'
import { dayOf, hourOf } from './days.ts'

type Bucket = AgendaView['buckets'][number]

/** How many fires there are on each day of a zone. */
export function countByDay(buckets: readonly Bucket[], timeZone: string): Map<string, number> {
  return countBy(buckets, (instant) => dayOf(instant, timeZone))
}

/** How many there are in each hour of each day: `2026-03-08 2`. */
export function countByHour(buckets: readonly Bucket[], timeZone: string): Map<string, number> {
  return countBy(buckets, (instant) => `${dayOf(instant, timeZone)} ${hourOf(instant, timeZone)}`)
}

function countBy(buckets: readonly Bucket[], keyOf: (instant: number) => string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { at, count } of buckets) {
    const key = keyOf(Date.parse(at))
    counts.set(key, (counts.get(key) ?? 0) + count)
  }
  return counts
}

const LEVELS = 5

/** What the strongest shade stands for: the most there is, but no less than twice what is usual, so that an even load is not shown as a peak. */
export function fullLoad(counts: readonly number[]): number {
  const busy = counts.filter((count) => count > 0).sort((one, other) => one - other)
  const usual = busy[Math.floor(busy.length / 2)] ?? 0
  return Math.max(busy.at(-1) ?? 0, usual * 2)
}

/** How strongly a count is shown, 0 to 5; anything is more than nothing. */
export function loadLevel(count: number, full: number): number {
  return count === 0 ? 0 : Math.min(LEVELS, Math.max(1, Math.ceil((count / full) * LEVELS)))
}
