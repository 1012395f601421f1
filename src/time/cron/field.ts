/** What a cron field is called, which numbers it takes, and which names stand for them. */
export interface CronField {
  readonly name: string
  readonly min: number
  readonly max: number
  readonly names?: readonly string[]
  /** What the field takes beside numbers, as told in messages. */
  readonly forms: string
}

const NUMBERS = '*, lists (1,2), ranges (1-5) and steps (*/5)'
const MONTH_NAMES = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const WEEKDAY_NAMES = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

export const SECOND: CronField = { name: 'second', min: 0, max: 59, forms: NUMBERS }
export const MINUTE: CronField = { name: 'minute', min: 0, max: 59, forms: NUMBERS }
export const HOUR: CronField = { name: 'hour', min: 0, max: 23, forms: NUMBERS }
export const DAY_OF_MONTH: CronField = {
  name: 'day-of-month',
  min: 1,
  max: 31,
  forms: `${NUMBERS}, ?, L, L-3, LW, L-3W, 15W`,
}
export const MONTH: CronField = { name: 'month', min: 1, max: 12, names: MONTH_NAMES, forms: `${NUMBERS}, JAN-DEC` }
export const DAY_OF_WEEK: CronField = {
  name: 'day-of-week',
  min: 0,
  max: 7,
  names: WEEKDAY_NAMES,
  forms: `${NUMBERS}, ?, SUN-SAT, 5L, 5#2`,
}

/** Two digits or three letters, as a number of the field, or undefined. */
export function numberOf(field: CronField, text: string): number | undefined {
  const value = /^\d{1,2}$/.test(text) ? Number(text) : namedValue(field, text)
  return value !== undefined && value >= field.min && value <= field.max ? value : undefined
}

function namedValue(field: CronField, text: string): number | undefined {
  const index = field.names?.indexOf(text.toUpperCase()) ?? -1
  return index < 0 ? undefined : index + field.min
}
