import { calendarInterval, cron, simple, type Trigger } from '../../../src/time.ts'
import { drawTimeline } from './timeline.ts'

const timeZone = 'America/New_York'
const wall = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })

interface Scene {
  readonly title: string
  readonly from: number
  readonly to: number
  /** When the clock is set. */
  readonly changeAt: number
  readonly label: string
  readonly triggers: readonly (readonly [label: string, trigger: Trigger])[]
}

/** What falls into the hour that the clock skips. */
export function drawGap(): string {
  const startAt = '2026-03-07T02:30:00-05:00'
  return draw({
    title: 'New York, 8 March 2026: 02:00 to 02:59 is on no clock',
    from: Date.parse('2026-03-08T05:45:00Z'),
    to: Date.parse('2026-03-08T08:15:00Z'),
    changeAt: Date.parse('2026-03-08T07:00:00Z'),
    label: '01:59 → 03:00',
    triggers: [
      ['30 2 * * *', cron('30 2 * * *', { timeZone })],
      ["… gap: 'skip'", cron('30 2 * * *', { timeZone, gap: 'skip' })],
      ['*/30 * * * *', cron('*/30 * * * *', { timeZone })],
      ['daily at 02:30', calendarInterval({ startAt, every: 1, unit: 'day', timeZone })],
      ['every 30 m elapsed', simple({ startAt, interval: '30m' })],
    ],
  })
}

/** What falls into the hour that the clock shows twice. */
export function drawOverlap(): string {
  const startAt = '2026-10-31T01:30:00-04:00'
  return draw({
    title: 'New York, 1 November 2026: 01:00 to 01:59 comes twice',
    from: Date.parse('2026-11-01T04:45:00Z'),
    to: Date.parse('2026-11-01T07:15:00Z'),
    changeAt: Date.parse('2026-11-01T06:00:00Z'),
    label: '01:59 → 01:00',
    triggers: [
      ['30 1 * * *', cron('30 1 * * *', { timeZone })],
      ["… overlap: 'last'", cron('30 1 * * *', { timeZone, overlap: 'last' })],
      ["… overlap: 'both'", cron('30 1 * * *', { timeZone, overlap: 'both' })],
      ['*/30 * * * *', cron('*/30 * * * *', { timeZone })],
      ['daily at 01:30', calendarInterval({ startAt, every: 1, unit: 'day', timeZone })],
      ['every 30 m elapsed', simple({ startAt, interval: '30m' })],
    ],
  })
}

function draw({ title, from, to, changeAt, label, triggers }: Scene): string {
  const rows = triggers.map(([name, trigger]) => {
    const fires = [...trigger.between(from, to)]
    const note = fires.length === 0 ? 'not on this day' : fires.map((instant) => wall.format(instant)).join(', ')
    return { label: name, marks: fires.map((instant) => ({ at: instant, kind: 'onTime' as const })), note }
  })
  const halfHour = 1_800_000
  const first = Math.ceil(from / halfHour) * halfHour
  const ticks = Array.from({ length: Math.floor((to - first) / halfHour) + 1 }, (_, index) => first + index * halfHour)
  return drawTimeline({
    title,
    description: rows.map((row) => `${row.label}: ${row.note}.`).join(' '),
    from,
    to,
    ticks: ticks.map((instant) => ({ at: instant, label: wall.format(instant) })),
    bands: [{ from: changeAt, to: changeAt, label }],
    rows,
    kinds: [],
  })
}
