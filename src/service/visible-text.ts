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
