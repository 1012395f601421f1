import type { Locale } from '../../time/locale.ts'

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
