import cronstrue from 'cronstrue'
import 'cronstrue/locales/pt_BR.js'
import { weekdaysOf } from '../cron/fields.ts'
import { type DayRule, isRestricted } from '../cron/parse.ts'
import type { Locale } from '../locale.ts'

interface Words {
  readonly cronstrue: string
  /** How a description of midnight begins, to be cut off. */
  readonly midnight: string
  readonly only: RegExp
  readonly or: string
  readonly and: string
  weekdayNearEnd(days: number): string
}

const WORDS: Readonly<Record<Locale, Words>> = {
  en: {
    cronstrue: 'en',
    midnight: 'At 00:00, ',
    only: /^only /,
    or: ', or ',
    and: ', and only if also ',
    weekdayNearEnd: (days) =>
      `on the weekday nearest ${days} ${days === 1 ? 'day' : 'days'} before the last day of the month`,
  },
  'pt-BR': {
    cronstrue: 'pt_BR',
    midnight: 'Às 00:00, ',
    only: /^somente /,
    or: ', ou ',
    and: ', e somente se também ',
    weekdayNearEnd: (days) =>
      `no dia de semana (segunda a sexta) mais próximo de ${days} ${days === 1 ? 'dia' : 'dias'} antes do último dia do mês`,
  },
}

/** A valid expression in words. */
export function describeCron(expression: string, dayRule: DayRule, locale: Locale): string {
  const words = WORDS[locale]
  const fields = expression.split(' ')
  const dayOfWeek = fields.at(-1) ?? '*'
  const dayOfMonth = fields.at(-3) ?? '*'
  const nearEnd = /^L-(0*[1-9]\d*)W$/i.exec(dayOfMonth)
  const hasBothDays = isDayGiven(dayOfMonth) && isDayGiven(dayOfWeek)
  if (!hasBothDays && !nearEnd) return translate(expression, words)

  // The two day fields are told apart here, since what joins them is the rule that users get wrong.
  const isEither = dayRule === 'or' && isRestricted(dayOfMonth) && isRestricted(dayOfWeek)
  const parts = [
    nearEnd ? words.weekdayNearEnd(Number(nearEnd[1])) : dayPart(`0 0 ${dayOfMonth} * *`, words),
    ...(isDayGiven(dayOfWeek) ? [dayPart(`0 0 * * ${dayOfWeek}`, words)] : []),
  ]
  const days = parts.join(isEither ? words.or : words.and)
  const month = fields.at(-2) ?? '*'
  const time = translate([...fields.slice(0, -3), '*', '*', '*'].join(' '), words)
  const months = isDayGiven(month) ? `, ${dayPart(`0 0 * ${month} *`, words, false)}` : ''
  return `${time}, ${days}${months}`
}

function isDayGiven(field: string): boolean {
  return field !== '*' && field !== '?'
}

function dayPart(expression: string, words: Words, cutOnly = true): string {
  const text = translate(expression, words)
  const part = text.startsWith(words.midnight) ? text.slice(words.midnight.length) : text
  return cutOnly ? part.replace(words.only, '') : part
}

function translate(expression: string, words: Words): string {
  const text = cronstrue
    .toString(plain(expression), { locale: words.cronstrue, use24HourTimeFormat: true })
    .replace(/\b1 days before/, '1 day before')
  return words.cronstrue === 'pt_BR' ? correctPortuguese(text) : text
}

/** What W chooses is a day from Monday to Friday, not any day of the week; and Saturday and Sunday are masculine. */
function correctPortuguese(text: string): string {
  return text
    .replace('dia da semana', 'dia de semana (segunda a sexta)')
    .replace(/\bna (últim|primeir|segund|terceir|quart|quint)a (sábado|domingo)/, 'no $1o $2')
    .replace(/\b1 dias antes/, '1 dia antes')
}

const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN']

/** The same expression in the spelling that every reader of cron takes: upper case, no `?`, no leading zeros, weekdays by name. */
function plain(expression: string): string {
  const fields = expression
    .toUpperCase()
    .replaceAll('?', '*')
    .replace(/\b0(\d)/g, '$1')
    .replace('L-0', 'L')
    .split(' ')
  const dayOfWeek = fields.pop() ?? '*'
  return [...fields, nameWeekdays(dayOfWeek)].join(' ')
}

function nameWeekdays(dayOfWeek: string): string {
  const isStepped = dayOfWeek.includes('/') && !dayOfWeek.startsWith('*')
  if (isStepped) return [...weekdaysOf(dayOfWeek)].map((day) => WEEKDAYS[day]).join(',')
  return dayOfWeek.replace(
    /(^|[,-])([0-7])(?=$|[,-])/g,
    (_, before: string, day: string) => before + WEEKDAYS[Number(day)],
  )
}
