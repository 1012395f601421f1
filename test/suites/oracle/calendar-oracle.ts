import type { CalendarJson } from '../../../src/time.ts'
import { CronOracle } from './cron-oracle.ts'
import { wallClock } from './wall-clock.ts'

/** Whether a calendar and all its bases include an instant, by what the wall shows at it. */
export function includes(calendar: CalendarJson, instant: number): boolean {
  if (calendar.base && !includes(calendar.base, instant)) return false
  const wall = new Date(wallClock(calendar.timeZone ?? 'UTC').wallAt(instant))
  const date = wall.toISOString().slice(0, 10)
  if ('includes' in calendar && calendar.includes?.includes(date)) return true
  switch (calendar.type) {
    case 'holiday':
      return !calendar.dates.includes(date)
    case 'annual':
      return !calendar.days.includes(date.slice(5))
    case 'monthly':
      return !calendar.days.includes(wall.getUTCDate())
    case 'weekly':
      return !calendar.weekdays.includes(wall.getUTCDay())
    case 'daily':
      return isInRange(wall, calendar.from, calendar.to) === (calendar.invert ?? false)
    case 'cron':
      return !matches(calendar.expression, wall)
  }
}

/** Both ends belong to the range; times of day compare as texts of one length do. */
function isInRange(wall: Date, from: string, to: string): boolean {
  const full = (text: string) => `${text}${'00:00:00.000'.slice(text.length)}`
  const [time, low, high] = [wall.toISOString().slice(11, 23), full(from), full(to)]
  return low <= high ? time >= low && time <= high : time >= low || time <= high
}

const oracles = new Map<string, CronOracle>()

function matches(expression: string, wall: Date): boolean {
  const withSeconds = expression.split(' ').length === 5 ? `* ${expression}` : expression
  const oracle = oracles.get(withSeconds) ?? new CronOracle(withSeconds)
  oracles.set(withSeconds, oracle)
  return oracle.matches(wall.getTime())
}
