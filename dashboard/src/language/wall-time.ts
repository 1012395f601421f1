import { DAY_MS, MINUTE_MS } from '../../../src/duration.ts'
import { offsetMinutes, viewerZone } from './zone.ts'

/**
 * The instant at which a clock in a zone shows what a `datetime-local` field holds; null where it holds none. Of two the first; a time that clocks leave out is
 * as far behind the change as it is after it.
 */
export function instantOf(wallTime: string, timeZone: string = viewerZone.value): string | null {
  const wall = Date.parse(`${wallTime}${wallTime.length === 10 ? 'T00:00' : ''}Z`)
  if (Number.isNaN(wall)) return null
  const [before, after] = [wall - DAY_MS, wall + DAY_MS].map((at) => wall - offsetMinutes(at, timeZone) * MINUTE_MS)
  const isShown = (instant: number) => instant + offsetMinutes(instant, timeZone) * MINUTE_MS === wall
  const found = [before, after].filter((instant) => instant !== undefined).find(isShown)
  return new Date(found ?? before ?? wall).toISOString()
}

/** What a `datetime-local` field holds for an instant. */
export function wallTimeOf(instant: number, timeZone: string = viewerZone.value): string {
  return new Date(instant + offsetMinutes(instant, timeZone) * MINUTE_MS).toISOString().slice(0, 16)
}
