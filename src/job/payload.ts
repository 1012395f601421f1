import { InvalidInputError, quote } from '../errors.ts'
import { requireReadable } from './unreadable.ts'

/** 1 MiB, for an input as well as for a result. */
export const MAX_PAYLOAD_BYTES = 1_048_576

const encoder = new TextEncoder()

/** Data as it is stored: JSON text, or null for nothing. What JSON cannot hold is refused, not dropped. */
export function encodePayload(value: unknown, thing: string, maxBytes = MAX_PAYLOAD_BYTES): string | null {
  if (value === undefined) return null
  const text = stringify(value, thing)
  // A character takes at most three bytes: most texts need not be measured.
  if (text.length * 3 > maxBytes) {
    const bytes = encoder.encode(text).length
    if (bytes > maxBytes) {
      throw new InvalidInputError(
        'payload.too_large',
        `${thing} must be at most ${maxBytes} bytes as JSON, got ${bytes}. Store it elsewhere and pass a reference.`,
        { thing, bytes, maxBytes },
      )
    }
  }
  return text
}

function stringify(value: unknown, thing: string): string {
  let text: string | undefined
  try {
    text = JSON.stringify(value)
  } catch (cause) {
    throw new InvalidInputError(
      'payload.not_json',
      `${thing} must be data that JSON can hold, got ${quote(value)}: ${cause instanceof Error ? cause.message : String(cause)}`,
      { thing, received: value, reason: cause instanceof Error ? cause.message : String(cause) },
      { cause },
    )
  }
  if (text !== undefined) return text
  throw new InvalidInputError('payload.not_json', `${thing} must be data that JSON can hold, got ${quote(value)}.`, {
    thing,
    received: value,
  })
}

/** What was stored, as data again. Throws an `UnreadableError` where it was erased, or cannot be decrypted. */
export function decodePayload(text: string | null): unknown {
  requireReadable(text)
  return text === null ? undefined : JSON.parse(text)
}

/** Before JSON that has tags for what JSON has no word for: the inputs of durable jobs. */
const TAGGED = 'T'

/** Whether two stored texts hold the same data, whatever the order of their fields. What is no JSON has to be the same text. */
export function isSamePayload(a: string | null, b: string | null): boolean {
  if (a === b) return true
  if (a === null || b === null) return false
  return canonicalText(a) === canonicalText(b)
}

/** A stored text such that two that hold the same data have the same one. */
export function canonicalText(text: string): string {
  const mark = text.startsWith(TAGGED) ? TAGGED : ''
  try {
    return mark + inOrder(JSON.parse(text.slice(mark.length)))
  } catch {
    return text
  }
}

function inOrder(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) => {
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return each
    return Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  })
}
