import { spread } from '../spread.ts'
import { type CronField, DAY_OF_MONTH, DAY_OF_WEEK } from './field.ts'
import { type FieldSource, invalidField, parseStep, parseValue } from './parse-field.ts'

const SPREAD = /^[hH](?:\((\d{1,2})-(\d{1,2})\))?(?:\/(.*))?$/s

/**
 * A field with each `H`, `H/15`, `H(0-29)` or `H(0-29)/10` in it replaced by values of the identity's own, so that many jobs with
 * one expression do not fire in one instant.
 */
export function spreadField(field: CronField, text: string, identity: string | undefined, source: FieldSource): string {
  if (!/h/i.test(text)) return text
  const elements = text
    .split(',')
    .map((element) => (SPREAD.test(element) ? choose(field, element, identity, source) : element))
  return elements.join(',')
}

function choose(field: CronField, element: string, identity: string | undefined, source: FieldSource): string {
  if (identity === undefined) {
    const text = 'H needs the identity of a job to spread by, and none was given'
    throw invalidField(field, element, source, { case: 'spread', text })
  }
  const [, low, high, stepText] = SPREAD.exec(element) ?? []
  const from = low === undefined ? field.min : parseValue(field, low, element, source)
  const to = high === undefined ? largest(field) : parseValue(field, high, element, source)
  if (to < from) throw invalidField(field, element, source)
  const key = `${identity}/${field.name}`
  if (stepText === undefined) return String(from + spread(key, to - from + 1))
  const step = parseStep(field, stepText, element, source)
  return `${from + spread(key, Math.min(step, to - from + 1))}-${to}/${step}`
}

/** Not every month has a 29th, and Sunday, which has two numbers, is not twice as likely as other days. */
function largest(field: CronField): number {
  if (field === DAY_OF_MONTH) return 28
  return field === DAY_OF_WEEK ? 6 : field.max
}
