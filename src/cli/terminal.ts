import type { Locale } from '../time/locale.ts'

/** What a command needs of the world: where it writes, and what time it is. */
export interface Terminal {
  readonly now: number
  write(text: string): void
}

/** Rows in columns, each as wide as its widest cell; numbers stand to the right. */
export function formatTable(header: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const cells = [header, ...rows.map((row) => row.map(String))]
  const widths = header.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)))
  const isNumeric = header.map((_, column) => rows.every((row) => typeof row[column] === 'number'))
  const lines = cells.map((row) =>
    row
      .map((cell, column) => pad(cell, widths[column] ?? 0, isNumeric[column] ?? false))
      .join('  ')
      .trimEnd(),
  )
  return `${lines.join('\n')}\n`
}

function pad(cell: string, width: number, toTheRight: boolean): string {
  const space = ' '.repeat(Math.max(0, width - cell.length))
  return toTheRight ? space + cell : cell + space
}

/** The wall time of an instant with its offset, so that days on which the clock changes can be seen. */
export function formatWallTime(instant: number, timeZone: string, locale: Locale = 'en'): string {
  const weekday = new Intl.DateTimeFormat(locale, { timeZone, weekday: 'short' }).format(instant).slice(0, 3)
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'longOffset',
  }).formatToParts(instant)
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value ?? ''
  const offset = part('timeZoneName').replace('GMT', '') || '+00:00'
  return `${weekday} ${part('year')}-${part('month')}-${part('day')} ${part('hour')}:${part('minute')}:${part('second')} ${offset}`
}

/** How far ahead an instant is, in its largest unit: `in 3 h`. */
export function formatAhead(instant: number, now: number): string {
  const ahead = instant - now
  const sizes: readonly [string, number][] = [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['min', 60_000],
    ['s', 1_000],
  ]
  const [unit, size] = sizes.find(([, each]) => ahead >= each) ?? ['ms', 1]
  return `in ${Math.floor(ahead / size)} ${unit}`
}
