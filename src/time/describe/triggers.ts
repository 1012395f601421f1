import type { ExcludedRule } from '../calendars/json.ts'
import type { Locale } from '../locale.ts'
import type { DailyTimeIntervalTriggerJson, IntervalUnit } from '../triggers/json.ts'

const UNITS: Readonly<Record<Locale, Readonly<Record<IntervalUnit, readonly [one: string, many: string]>>>> = {
  en: {
    second: ['second', 'seconds'],
    minute: ['minute', 'minutes'],
    hour: ['hour', 'hours'],
    day: ['day', 'days'],
    week: ['week', 'weeks'],
    month: ['month', 'months'],
    year: ['year', 'years'],
  },
  'pt-BR': {
    second: ['segundo', 'segundos'],
    minute: ['minuto', 'minutos'],
    hour: ['hora', 'horas'],
    day: ['dia', 'dias'],
    week: ['semana', 'semanas'],
    month: ['mês', 'meses'],
    year: ['ano', 'anos'],
  },
}

const WEEKDAYS: Readonly<Record<Locale, readonly string[]>> = {
  en: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
  'pt-BR': [
    'no domingo',
    'na segunda-feira',
    'na terça-feira',
    'na quarta-feira',
    'na quinta-feira',
    'na sexta-feira',
    'no sábado',
  ],
}

/** `every 5 minutes`, `a cada mês`. */
function every(count: number, unit: IntervalUnit, locale: Locale): string {
  const [one, many] = UNITS[locale][unit]
  const amount = count === 1 ? one : `${count} ${many}`
  return locale === 'en' ? `Every ${amount}` : `A cada ${amount}`
}

/** The largest unit in which a duration is a whole number, so that 5400 s read as 90 minutes. */
function everyMs(milliseconds: number, locale: Locale): string {
  const sizes: readonly [IntervalUnit, number][] = [
    ['week', 604_800_000],
    ['day', 86_400_000],
    ['hour', 3_600_000],
    ['minute', 60_000],
    ['second', 1_000],
  ]
  const fitting = sizes.find(([, size]) => milliseconds % size === 0)
  if (fitting) return every(milliseconds / fitting[1], fitting[0], locale)
  return locale === 'en' ? `Every ${milliseconds} ms` : `A cada ${milliseconds} ms`
}

/** The wall time of an instant, with its zone, so that it cannot be misread. */
function wallTime(instant: number, timeZone: string, locale: Locale): string {
  const format = new Intl.DateTimeFormat(locale === 'en' ? 'en-CA' : locale, {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
    hourCycle: 'h23',
  })
  return `${format.format(instant).replace(', ', ' ')} ${timeZone}`
}

function starting(instant: number, timeZone: string, locale: Locale): string {
  return locale === 'en'
    ? `starting ${wallTime(instant, timeZone, locale)}`
    : `a partir de ${wallTime(instant, timeZone, locale)}`
}

/** `, 3 times in all`; nothing for a trigger that never stops by itself. */
function times(repeatCount: number, locale: Locale): string {
  if (repeatCount < 0) return ''
  const count = repeatCount + 1
  if (locale === 'en') return `, ${count} ${count === 1 ? 'time' : 'times'} in all`
  return `, ${count} ${count === 1 ? 'vez' : 'vezes'} ao todo`
}

export function describeSimple(intervalMs: number, repeatCount: number, startAt: number, locale: Locale): string {
  if (repeatCount === 0) return describeOnce(startAt, locale)
  return `${everyMs(intervalMs, locale)}, ${starting(startAt, 'UTC', locale)}${times(repeatCount, locale)}`
}

export function describeOnce(at: number, locale: Locale): string {
  return locale === 'en' ? `Once, at ${wallTime(at, 'UTC', locale)}` : `Uma vez, em ${wallTime(at, 'UTC', locale)}`
}

export function describeInterval(
  count: number,
  unit: IntervalUnit,
  startAt: number,
  timeZone: string,
  locale: Locale,
): string {
  return `${every(count, unit, locale)}, ${starting(startAt, timeZone, locale)}`
}

export function describeDaily(trigger: DailyTimeIntervalTriggerJson, locale: Locale): string {
  const { from, to, weekdays, repeatCount } = trigger
  const names = new Intl.ListFormat(locale, { type: 'conjunction' }).format(
    weekdays.map((day) => WEEKDAYS[locale][day] ?? ''),
  )
  const span = locale === 'en' ? `between ${from} and ${to}` : `entre ${from} e ${to}`
  const days = weekdays.length === 7 ? '' : locale === 'en' ? `, on ${names}` : `, ${names}`
  return `${every(trigger.every, trigger.unit, locale)}, ${span}${days}${times(repeatCount, locale)}`
}

export function describeJitter(inner: string, offsetMs: number, locale: Locale): string {
  return `${inner}, ${duration(offsetMs)} ${locale === 'en' ? 'later' : 'depois'}`
}

/** `3 min 41 s`, `250 ms`: units that read the same in both languages. */
function duration(milliseconds: number): string {
  const sizes: readonly [string, number][] = [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['min', 60_000],
    ['s', 1_000],
    ['ms', 1],
  ]
  const parts: string[] = []
  let rest = milliseconds
  for (const [unit, size] of sizes) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0) parts.push(`${count} ${unit}`)
  }
  return parts.slice(0, 2).join(' ') || '0 s'
}

const ON_EXCLUDED: Readonly<Record<Locale, Readonly<Record<ExcludedRule, string>>>> = {
  en: {
    skip: 'except when the calendar excludes it',
    nextDay: 'moved to the next day that the calendar includes',
    previousDay: 'moved to the previous day that the calendar includes',
  },
  'pt-BR': {
    skip: 'exceto quando o calendário o exclui',
    nextDay: 'transferido para o próximo dia que o calendário inclui',
    previousDay: 'antecipado para o dia anterior que o calendário inclui',
  },
}

export function describeCalendared(inner: string, rule: ExcludedRule, locale: Locale): string {
  return `${inner}, ${ON_EXCLUDED[locale][rule]}`
}
