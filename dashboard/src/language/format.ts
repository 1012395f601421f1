import { language } from './language.ts'
import { viewerZone } from './zone.ts'

/** Formats are made once for each set of options: making one costs more than using it. */
const made = new Map<string, Intl.DateTimeFormat>()

function dateFormat(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language.value} ${timeZone} ${JSON.stringify(options)}`
  const known = made.get(key)
  if (known) return known
  const format = new Intl.DateTimeFormat(language.value, { ...options, timeZone })
  made.set(key, format)
  return format
}

export type Instant = string | number | Date

const SECONDS = { second: '2-digit' } as const
const DATE_TIME = {
  year: 'numeric',
  month: 'short',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
} as const

/** A date and time with its zone, in the zone of whoever looks unless another is named. */
export function dateTime(at: Instant, { timeZone = viewerZone.value, hasSeconds = true } = {}): string {
  const options = { ...DATE_TIME, ...(hasSeconds ? SECONDS : {}), timeZoneName: 'short' } as const
  return dateFormat(timeZone, options).format(new Date(at))
}

/** The time of day alone, for where the date stands beside it. */
export function timeOfDay(at: Instant, { timeZone = viewerZone.value, hasSeconds = false } = {}): string {
  const options = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', ...(hasSeconds ? SECONDS : {}) } as const
  return dateFormat(timeZone, options).format(new Date(at))
}

/** Any other form of a date. */
export function dateAs(at: Instant, options: Intl.DateTimeFormatOptions, timeZone: string = viewerZone.value): string {
  return dateFormat(timeZone, options).format(new Date(at))
}

/** The short name of a zone at an instant: `BRT`, `GMT-3`. */
export function zoneName(at: Instant, timeZone: string = viewerZone.value): string {
  const parts = dateFormat(timeZone, { timeZoneName: 'short' }).formatToParts(new Date(at))
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
}

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
]

/** How far an instant is from another: `in 5 minutes`, `2 hours ago`. */
export function relative(at: Instant, now: number): string {
  const distance = new Date(at).getTime() - now
  const [unit, size] = UNITS.find(([, each]) => Math.abs(distance) >= each) ?? (['second', 1_000] as const)
  return new Intl.RelativeTimeFormat(language.value, { numeric: 'auto' }).format(Math.trunc(distance / size), unit)
}

/** `850 ms`, `2.4 s`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h`; a dash for nothing. */
export function duration(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return '–'
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${number(ms / 1_000, ms < 10_000 ? 1 : 0)} s`
  const [large, small, name, lesser] =
    ms < 3_600_000
      ? ([60_000, 1_000, 'min', 's'] as const)
      : ms < 86_400_000
        ? ([3_600_000, 60_000, 'h', 'min'] as const)
        : ([86_400_000, 3_600_000, 'd', 'h'] as const)
  const rest = Math.floor((ms % large) / small)
  return `${Math.floor(ms / large)} ${name}${rest === 0 ? '' : ` ${rest} ${lesser}`}`
}

export function number(value: number, digits = 0): string {
  return new Intl.NumberFormat(language.value, { maximumFractionDigits: digits }).format(value)
}

/** A share from 0 to 1; a dash for nothing. */
export function percent(share: number | null | undefined, digits = 1): string {
  if (share === null || share === undefined) return '–'
  // A rate that is not quite all of it is not shown as all of it.
  const scale = 10 ** (digits + 2)
  const shown = share < 1 ? Math.floor(share * scale) / scale : share
  return new Intl.NumberFormat(language.value, { style: 'percent', maximumFractionDigits: digits }).format(shown)
}
