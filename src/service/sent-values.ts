import { instantOf } from '../time/instant.ts'
import { FieldProblems, invalidField } from './field-problems.ts'
import { readText } from './visible-text.ts'

const MAX_REASON_LENGTH = 1_000

/** Why somebody does something, in his words; null where he does not say. */
export function readReason(value: string | null, field: string): string | null {
  if (value === null || value === '') return null
  return readField(field, () => readText(value, field, { min: 0, max: MAX_REASON_LENGTH, hasLines: true }))
}

/** Why somebody does something, where he has to say. */
export function requireReason(value: string, field: string): string {
  return readField(field, () => readText(value, field, { min: 1, max: MAX_REASON_LENGTH, hasLines: true }))
}

/** An instant as it was sent: RFC 3339 with an offset. */
export function readInstant(value: string, field: string): number {
  return readField(field, () => instantOf(value, field))
}

const MAX_SOUGHT_LENGTH = 1_000
const UNSTORABLE = /[\0\p{Surrogate}]/u

/** Texts that are looked for: anything that could be stored. */
export function checkSought(field: string, ...texts: readonly (string | undefined)[]): void {
  const isSought = (text = '') => text.length <= MAX_SOUGHT_LENGTH && !UNSTORABLE.test(text)
  if (texts.every(isSought)) return
  const message = `${field} must be text of at most ${MAX_SOUGHT_LENGTH} characters without NUL.`
  throw invalidField(`/${field}`, 'format_invalid', message, { case: 'sought', name: field, max: MAX_SOUGHT_LENGTH })
}

/** One field that was sent; where it cannot be accepted, an error that points at it. */
export function readField<Value>(field: string, read: () => Value): Value {
  const problems = new FieldProblems()
  const value = problems.read(`/${field}`, 'format_invalid', read)
  problems.throwIfAny()
  return value as Value
}
