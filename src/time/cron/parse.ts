import { type ErrorDetails, InvalidInputError, quote } from '../../errors.ts'
import { nearest } from '../../nearest.ts'
import { requireOneOf, requireText } from '../require.ts'
import { DaySet } from './day-set.ts'
import {
  type CronField,
  DAY_OF_MONTH,
  DAY_OF_WEEK,
  type FieldSource,
  HOUR,
  MINUTE,
  MONTH,
  parseDayOfMonth,
  parseDayOfWeek,
  parseValues,
  SECOND,
  spreadField,
} from './fields.ts'
import { LocalTimes, TimeOfDaySet, ValueSet } from './local-times.ts'

/** How the two day fields combine where both are restricted: `or` as POSIX says, `and` as Quartz and Cronos do. */
export type DayRule = 'or' | 'and'

/** How a cron expression is read. */
export interface CronParseOptions {
  /** Accept only 5 fields, or only 6 with seconds first. Default: both, told apart by their number. */
  readonly fields?: 5 | 6 | undefined
  /** Default `or`. A field that begins with `*` or `?` is not restricted. */
  readonly dayRule?: DayRule | undefined
  /** What `H` spreads by: usually the name of the job. Without it `H` is refused. */
  readonly identity?: string | undefined
}

/** A cron expression that was understood. */
export interface ParsedCron {
  /** The expression in one spelling: fields parted by one space, macros and `H` spelled out. */
  readonly expression: string
  readonly times: LocalTimes
  /** Whether it repeats within the day (`*`, a range or a step in seconds, minutes or hours): matters when clocks go back. */
  readonly isInterval: boolean
  /** Whether no date ever matches, as for 30 February. */
  readonly isNever: boolean
}

/** An expression may have so many characters. */
export const MAX_CRON_LENGTH = 256

const MACROS: Readonly<Record<string, string>> = {
  '@every_second': '* * * * * *',
  '@every_minute': '* * * * *',
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
}

const FIELDS: readonly CronField[] = [SECOND, MINUTE, HOUR, DAY_OF_MONTH, MONTH, DAY_OF_WEEK]
const FIELD_ORDER = 'minute hour day-of-month month day-of-week'

/** Expressions in use are few and asked for often; those of a flood of odd ones are forgotten again. */
const CACHE_SIZE = 2_000
const cache = new Map<string, ParsedCron>()

/** Understands a cron expression, or throws an error that names the field, what was received and what is accepted. */
export function parseCron(expression: string, options: CronParseOptions = {}): ParsedCron {
  if (typeof expression !== 'string')
    throw invalidExpression(expression, 'cron.invalid', `must be text, got ${quote(expression)}`)
  if (expression.length > MAX_CRON_LENGTH) {
    throw invalidExpression(
      expression,
      'cron.too_long',
      `must have at most ${MAX_CRON_LENGTH} characters, got ${expression.length} in ${quote(expression)}`,
      { max: MAX_CRON_LENGTH, length: expression.length },
    )
  }
  if (options.fields !== undefined) requireOneOf(options.fields, 'fields', [5, 6])
  if (options.dayRule !== undefined) requireOneOf(options.dayRule, 'dayRule', ['or', 'and'])
  if (options.identity !== undefined) requireText(options.identity, 'identity')
  const { fields = 0, dayRule = 'or', identity = '' } = options
  const key = `${fields} ${dayRule} ${identity.length} ${identity} ${expression}`
  const known = cache.get(key)
  if (known) return known
  const parsed = parse(expression, options)
  if (cache.size >= CACHE_SIZE) cache.clear()
  cache.set(key, parsed)
  return parsed
}

function parse(expression: string, options: CronParseOptions): ParsedCron {
  const written = splitFields(expression, options.fields)
  const source: FieldSource = { expression: written.join(' ') }
  const kinds = written.length === 6 ? FIELDS : FIELDS.slice(1)
  const fields = kinds.map((field, index) => spreadField(field, written[index] ?? '', options.identity, source))
  const [dayOfWeek = '', month = '', dayOfMonth = '', hour = '', minute = '', second = '0'] = fields.toReversed()
  const seconds = parseValues(SECOND, second, source)
  const minutes = parseValues(MINUTE, minute, source)
  const hours = parseValues(HOUR, hour, source)
  const days = new DaySet({
    dayOfMonth: parseDayOfMonth(dayOfMonth, source),
    months: monthBits(month, source),
    dayOfWeek: parseDayOfWeek(dayOfWeek, source),
    eitherDay: options.dayRule !== 'and' && isRestricted(dayOfMonth) && isRestricted(dayOfWeek),
  })
  const times = new TimeOfDaySet(
    new ValueSet(hours.values, 24),
    new ValueSet(minutes.values, 60),
    new ValueSet(seconds.values, 60),
  )
  return {
    expression: fields.join(' '),
    times: new LocalTimes(days, times),
    isInterval: seconds.isInterval || minutes.isInterval || hours.isInterval,
    isNever: days.isEmpty,
  }
}

/** Whether a day field chooses days, as Vixie cron sees it: not when it begins with a star, be it with a step. */
export function isRestricted(dayField: string): boolean {
  return !/^[*?]/.test(dayField)
}

function splitFields(expression: string, wanted: 5 | 6 | undefined): string[] {
  const fields = expression.split(/[ \t]+/).filter((field) => field !== '')
  const [first] = fields
  if (first?.startsWith('@')) return splitMacro(fields, expression)
  const accepted = wanted ? fields.length === wanted : fields.length === 5 || fields.length === 6
  if (accepted) return fields
  const five = `5 fields (${FIELD_ORDER})`
  const six = '6 with seconds first'
  throw invalidExpression(
    expression,
    'cron.field_count',
    `must have ${wanted === 5 ? five : wanted === 6 ? six : `${five} or ${six}`}, got ${fields.length} in ${quote(expression)}${fields.length === 7 ? '; a year is told by startAt and endAt' : ''}`,
    { wanted, count: fields.length },
  )
}

function splitMacro(fields: string[], expression: string): string[] {
  const macro = (fields[0] ?? '').toLowerCase()
  if (fields.length === 1 && Object.hasOwn(MACROS, macro)) return (MACROS[macro] ?? '').split(' ')
  const guess = nearest(macro, Object.keys(MACROS))
  throw invalidExpression(
    expression,
    'cron.macro_unknown',
    `macro must be one of ${Object.keys(MACROS).join(', ')}, got ${quote(expression)}${guess ? `; did you mean ${guess}?` : ''}`,
    { accepted: Object.keys(MACROS), suggestion: guess },
  )
}

function monthBits(text: string, source: FieldSource): number {
  let bits = 0
  for (const month of parseValues(MONTH, text, source).values) bits |= 1 << (month - 1)
  return bits
}

function invalidExpression(
  received: unknown,
  code: string,
  problem: string,
  details: ErrorDetails = {},
): InvalidInputError {
  const end = problem.endsWith('?') ? '' : '.'
  return new InvalidInputError(code, `Cron expression ${problem}${end}`, {
    ...details,
    received: typeof received === 'string' ? received.slice(0, MAX_CRON_LENGTH) : received,
  })
}
