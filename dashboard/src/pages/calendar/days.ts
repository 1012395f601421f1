import { DAY_MS } from '../../../../src/duration.ts'
import { instantOf, wallTimeOf } from '../../language/wall-time.ts'

/** A day as clocks show it: `2026-03-08`. */
export type Day = string

export function dayOf(instant: number, timeZone: string): Day {
  return wallTimeOf(instant, timeZone).slice(0, 10)
}

/** The hour that clocks show, 0 to 23. */
export function hourOf(instant: number, timeZone: string): number {
  return Number(wallTimeOf(instant, timeZone).slice(11, 13))
}

export function isDay(text: string | null): text is Day {
  return text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00Z`))
}

export function addDays(day: Day, days: number): Day {
  return new Date(Date.parse(`${day}T00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** The same day of another month, or the last one of it. */
export function addMonths(day: Day, months: number): Day {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const first = new Date(Date.UTC(year, month - 1 + months, 1))
  const length = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(date, length))
  return first.toISOString().slice(0, 10)
}

/** When a day begins in a zone. */
export function startOfDay(day: Day, timeZone: string): string {
  return instantOf(day, timeZone) ?? new Date(Date.parse(`${day}T00:00Z`)).toISOString()
}

/** Seven days from a Sunday on. */
export function weekOf(day: Day): Day[] {
  const sunday = addDays(day, -new Date(`${day}T00:00Z`).getUTCDay())
  return Array.from({ length: 7 }, (_, at) => addDays(sunday, at))
}

/** The weeks that a month lies in, whole. */
export function monthOf(day: Day): Day[][] {
  const month = day.slice(0, 7)
  const weeks: Day[][] = []
  for (let week = weekOf(`${month}-01`); ; week = weekOf(addDays(week[6] ?? day, 1))) {
    if (!week.some((each) => each.startsWith(month))) return weeks
    weeks.push(week)
  }
}
