import { quote } from '../errors.ts'
import { instantOf } from '../time/instant.ts'
import { FieldProblems, FieldRefusal, invalidField } from './field-problems.ts'

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

/** One plain address and nothing else: no name beside it, no quotes, no group, nothing that a mail server could read as two. */
const ADDRESS =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/

const MAX_LENGTH = 254

export function isAddress(text: string): boolean {
  return text.length <= MAX_LENGTH && ADDRESS.test(text)
}

/** An e-mail address that somebody may be told of failures at. */
export function readAddress(value: unknown, name: string): string {
  const address = readText(value, name, { min: 3, max: MAX_LENGTH })
  if (isAddress(address)) return address
  const message = `${name} must be an e-mail address such as "ana@example.com".`
  throw new FieldRefusal('format_invalid', message, { case: 'address', name })
}

export interface TextRules {
  readonly min: number
  readonly max: number
  /** Whether lines may be broken. */
  readonly hasLines?: boolean | undefined
}

// Control characters, and those that reorder or hide what stands beside them.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/u

const UNSEEN_BUT_LINES = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/u

/** Text for people: in normal form, without anything that cannot be seen, so that two that look the same are the same. */
export function readText(value: unknown, name: string, { min, max, hasLines = false }: TextRules): string {
  if (typeof value !== 'string') throw typeRefusal(name, 'text', value)
  // Long before it is measured: normal forms of hostile text take their time.
  if (value.length > max * 8) throw tooLong(name, max, value.length)
  const text = (hasLines ? value.replaceAll('\r\n', '\n') : value).normalize('NFC')
  if (text === '' && min > 0) throw new FieldRefusal('required', `${name} is required.`, { name })
  if (text.length < min) {
    throw new FieldRefusal('length_invalid', `${name} must have at least ${min} characters, got ${text.length}.`, {
      name,
      min,
      length: text.length,
    })
  }
  if (text.length > max) throw tooLong(name, max, text.length)
  if ((hasLines ? UNSEEN_BUT_LINES : UNSEEN).test(text)) {
    const message = `${name} must not have control, direction or zero-width characters, got ${quote(text)}.`
    throw new FieldRefusal('characters_forbidden', message, { name, received: text })
  }
  if (!hasLines && text.trim() !== text) {
    const message = `${name} must not begin or end with space, got ${quote(text)}.`
    throw new FieldRefusal('surrounding_space', message, { name, received: text })
  }
  return text
}

/** What a value may be taken for; the words in which English has it. */
type ValueKind = 'text' | 'a whole number' | 'true or false' | 'a list' | 'an object'

export function typeRefusal(name: string, kind: ValueKind, received: unknown): FieldRefusal {
  const message = `${name} must be ${kind}, got ${quote(received)}.`
  return new FieldRefusal('type_invalid', message, { name, kind, received })
}

function tooLong(name: string, max: number, length: number): FieldRefusal {
  const message = `${name} must have at most ${max} characters, got ${length}.`
  return new FieldRefusal('length_invalid', message, { name, max, length })
}

/** A whole number within bounds. */
export function readInteger(value: unknown, name: string, min: number, max: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || Object.is(value, -0)) {
    throw typeRefusal(name, 'a whole number', value)
  }
  if (value < min) {
    throw new FieldRefusal('out_of_range', `${name} must be at least ${min}, got ${value}.`, {
      name,
      min,
      received: value,
    })
  }
  if (value > max) {
    throw new FieldRefusal('out_of_range', `${name} must be at most ${max}, got ${value}.`, {
      name,
      max,
      received: value,
    })
  }
  return value
}

export function readFlag(value: unknown, name: string): boolean {
  if (typeof value === 'boolean') return value
  throw typeRefusal(name, 'true or false', value)
}

/** A list of so many, without doubles. */
export function readList<Item>(
  value: unknown,
  name: string,
  max: number,
  read: (item: unknown, name: string) => Item,
): readonly Item[] {
  if (!Array.isArray(value)) throw typeRefusal(name, 'a list', value)
  if (value.length > max) {
    const message = `${name} must have at most ${max} items, got ${value.length}.`
    throw new FieldRefusal('length_invalid', message, { case: 'items', name, max, length: value.length })
  }
  return [...new Set(value.map((item) => read(item, `Each of ${name}`)))]
}
