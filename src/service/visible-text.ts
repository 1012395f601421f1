import { quote } from '../errors.ts'
import { FieldRefusal } from './field-problems.ts'

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
  if (typeof value !== 'string') throw new FieldRefusal('type_invalid', `${name} must be text, got ${quote(value)}.`)
  // Long before it is measured: normal forms of hostile text take their time.
  if (value.length > max * 8) throw tooLong(name, max, value.length)
  const text = (hasLines ? value.replaceAll('\r\n', '\n') : value).normalize('NFC')
  if (text === '' && min > 0) throw new FieldRefusal('required', `${name} is required.`)
  if (text.length < min) {
    throw new FieldRefusal('length_invalid', `${name} must have at least ${min} characters, got ${text.length}.`)
  }
  if (text.length > max) throw tooLong(name, max, text.length)
  if ((hasLines ? UNSEEN_BUT_LINES : UNSEEN).test(text)) {
    const message = `${name} must not have control, direction or zero-width characters, got ${quote(text)}.`
    throw new FieldRefusal('characters_forbidden', message)
  }
  if (!hasLines && text.trim() !== text) {
    throw new FieldRefusal('surrounding_space', `${name} must not begin or end with space, got ${quote(text)}.`)
  }
  return text
}

function tooLong(name: string, max: number, length: number): FieldRefusal {
  return new FieldRefusal('length_invalid', `${name} must have at most ${max} characters, got ${length}.`)
}

/** A whole number within bounds. */
export function readInteger(value: unknown, name: string, min: number, max: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || Object.is(value, -0)) {
    throw new FieldRefusal('type_invalid', `${name} must be a whole number, got ${quote(value)}.`)
  }
  if (value < min) throw new FieldRefusal('out_of_range', `${name} must be at least ${min}, got ${value}.`)
  if (value > max) throw new FieldRefusal('out_of_range', `${name} must be at most ${max}, got ${value}.`)
  return value
}

export function readFlag(value: unknown, name: string): boolean {
  if (typeof value === 'boolean') return value
  throw new FieldRefusal('type_invalid', `${name} must be true or false, got ${quote(value)}.`)
}

/** A list of so many, without doubles. */
export function readList<Item>(
  value: unknown,
  name: string,
  max: number,
  read: (item: unknown, name: string) => Item,
): readonly Item[] {
  if (!Array.isArray(value)) throw new FieldRefusal('type_invalid', `${name} must be a list, got ${quote(value)}.`)
  if (value.length > max) {
    throw new FieldRefusal('length_invalid', `${name} must have at most ${max} items, got ${value.length}.`)
  }
  return [...new Set(value.map((item) => read(item, `Each of ${name}`)))]
}
