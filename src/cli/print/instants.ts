import type { Locale } from '../../time/locale.ts'

const SIZES: readonly (readonly [unit: string, size: number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
]

/** A stretch of time in its largest unit: `3 h`. */
export function formatSpan(milliseconds: number): string {
  const [unit, size] = SIZES.find(([, each]) => milliseconds >= each) ?? ['ms', 1]
  return `${Math.floor(milliseconds / size)} ${unit}`
}

/** How long ago an instant was, or how far ahead it is: `3 min ago`, `in 3 h`. */
export function formatAge(instant: number, now: number): string {
  if (Math.abs(instant - now) < 1_000) return 'now'
  return instant > now ? `in ${formatSpan(instant - now)}` : `${formatSpan(now - instant)} ago`
}

/** How long something took: `350 ms`, `4.2 s`, `3 min 12 s`. */
export function formatTook(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`
  if (milliseconds < 59_950) return `${(milliseconds / 1_000).toFixed(1)} s`
  const seconds = Math.round(milliseconds / 1_000)
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  const minutes = Math.floor(seconds / 60)
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** How far ahead an instant is, in its largest unit: `in 3 h`. */
export function formatAhead(instant: number, now: number): string {
  return `in ${formatSpan(instant - now)}`
}

/** The wall time of an instant with its offset, so that days on which the clock changes can be seen. */
export function formatWallTime(instant: number, timeZone: string, locale: Locale = 'en'): string {
  const { day, time } = formatsOf(timeZone, locale)
  const parts = time.formatToParts(instant)
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value ?? ''
  const weekday = day.format(instant).slice(0, 3)
  const offset = part('timeZoneName').replace('GMT', '') || '+00:00'
  return `${weekday} ${part('year')}-${part('month')}-${part('day')} ${part('hour')}:${part('minute')}:${part('second')} ${offset}`
}

interface Formats {
  readonly day: Intl.DateTimeFormat
  readonly time: Intl.DateTimeFormat
}

/** Kept, since to make one takes a thousand times as long as to use it, and a log has many lines. */
const formats = new Map<string, Formats>()

function formatsOf(timeZone: string, locale: Locale): Formats {
  const key = `${locale} ${timeZone}`
  const made = formats.get(key) ?? {
    day: new Intl.DateTimeFormat(locale, { timeZone, weekday: 'short' }),
    time: new Intl.DateTimeFormat('en-CA', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      timeZoneName: 'longOffset',
    }),
  }
  formats.set(key, made)
  return made
}
