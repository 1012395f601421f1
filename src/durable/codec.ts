import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { PontualError, quote } from '../errors.ts'
import { MAX_PAYLOAD_BYTES } from '../job/execution/payload.ts'
import { requireReadable } from '../job/execution/unreadable.ts'
import { AS_JSON, EXACT, isPlain, type PlainRules } from './codec/plain.ts'
import { type Tagged, type TaggedOptions, toTagged } from './codec/tagged.ts'
import { fromTagged } from './codec/untagged.ts'
import { tooLarge, UnstorableValueError, unstorable } from './errors.ts'

/** A text that begins with one of these is not JSON itself. */
const TAGGED = 'T'
const COMPRESSED = 'Z'

/** Below, it costs more than it saves. */
const COMPRESS_FROM = 8_192
/** What is not smaller by that much is not worth the time to read it. */
const WORTH = 0.8
/** As much as tells whether the whole would shrink. */
const PROBE = 4_096
/** It is done while everything else waits: speed is worth more than the last byte. */
const FAST = { level: 1 } as const

/**
 * A value of a durable run as it is stored: null for undefined, JSON where JSON gives it back as it is, else a letter and what it stands for. Throws an
 * {@link UnstorableValueError}, with the path to what cannot be stored; for an error never: what hangs on it and cannot be stored is left out.
 */
export function encodeValue(value: unknown, thing: string, maxBytes = MAX_PAYLOAD_BYTES): string | null {
  if (value === undefined) return null
  const text = plainText(value, maxBytes, EXACT) ?? TAGGED + taggedText(value, { thing, maxLength: maxBytes }).text
  requireFit(text, thing, maxBytes)
  return text.length < COMPRESS_FROM ? text : compressed(text)
}

/**
 * Encodes the input of a job that is not durable. Data that JSON holds becomes the text of `JSON.stringify`, never compressed, so that every version of
 * Pontual reads it: fields that are undefined are omitted, and -0 becomes 0. Other types are tagged, and refused, as by {@link encodeValue}.
 */
export function encodeInput(value: unknown, thing: string, maxBytes = MAX_PAYLOAD_BYTES): string | null {
  return encodeAsJson(value, { thing, maxLength: maxBytes, ordinary: 'input' })
}

/** The input of a durable job is a value of its run, whichever caller enqueues it. */
export function inputEncoder(isDurable: boolean): typeof encodeInput {
  return isDurable ? encodeValue : encodeInput
}

/**
 * Encodes the output of a job that is not durable like an input, but omits functions and symbols and writes an instance of a class with its fields, as
 * JSON does: the work is done, and a value that cannot keep its type is no reason to record a failure.
 */
export function encodeOutput(value: unknown, thing: string, maxBytes = MAX_PAYLOAD_BYTES): string | null {
  return encodeAsJson(value, { thing, maxLength: maxBytes, ordinary: 'output' })
}

function encodeAsJson(value: unknown, options: TaggedOptions): string | null {
  if (value === undefined) return null
  const text = plainText(value, options.maxLength, AS_JSON) ?? markedText(value, options)
  requireFit(text, options.thing, options.maxLength)
  return text
}

/** A value with a `toJSON` is not plain, but its text may need no tags. */
function markedText(value: unknown, options: TaggedOptions): string {
  const { text, hasTags } = taggedText(value, options)
  return hasTags ? TAGGED + text : text
}

/** What was stored, as it was; also what is plain JSON because it was stored as nothing else could be. */
export function decodeValue(text: string | null): unknown {
  if (text === null) return undefined
  requireReadable(text)
  try {
    if (text.startsWith(COMPRESSED)) return decodeValue(decompressed(text))
    return text.startsWith(TAGGED) ? fromTagged(JSON.parse(text.slice(1))) : JSON.parse(text)
  } catch (cause) {
    if (cause instanceof PontualError) throw cause
    // Parsers quote what they were given, as it is.
    const reason = quote(cause instanceof Error ? cause.message : String(cause))
    throw new PontualError('payload.unreadable', `A stored value cannot be read: ${reason}`, {}, { cause })
  }
}

/** null where it is not plain, or a second look at it gives something else. */
function plainText(value: unknown, maxBytes: number, rules: PlainRules): string | null {
  try {
    return isPlain(value, maxBytes, rules) ? (JSON.stringify(value) ?? null) : null
  } catch {
    return null
  }
}

interface TaggedText {
  readonly text: string
  readonly hasTags: boolean
}

function taggedText(value: unknown, options: TaggedOptions): TaggedText {
  try {
    return textOf(toTagged(value, options))
  } catch (error) {
    if (!(error instanceof UnstorableValueError))
      throw unstorable(options.thing, '', 'cannot be read', { cause: error })
    if (!isError(value)) throw error
    return textOf(toTagged(value, { ...options, hasBareErrors: true }))
  }
}

function textOf({ content, hasTags }: Tagged): TaggedText {
  return { text: JSON.stringify(content), hasTags }
}

function isError(value: unknown): boolean {
  try {
    return value instanceof Error
  } catch {
    return false
  }
}

function requireFit(text: string, thing: string, maxBytes: number): void {
  // A character takes at most three bytes: most texts need not be measured.
  if (text.length * 3 <= maxBytes) return
  const bytes = Buffer.byteLength(text)
  if (bytes > maxBytes) throw tooLarge(thing, maxBytes, bytes)
}

function compressed(text: string): string {
  if (!shrinks(text.slice(0, PROBE))) return text
  const small = COMPRESSED + deflateRawSync(text, FAST).toString('base64')
  return small.length < text.length * WORTH ? small : text
}

function shrinks(probe: string): boolean {
  return (deflateRawSync(probe, FAST).length * 4) / 3 < probe.length * WORTH
}

/** Nothing that was stored is larger: what claims to be was not written by {@link encodeValue}. */
const MAX_TEXT_BYTES = 64 * MAX_PAYLOAD_BYTES

function decompressed(text: string): string {
  return inflateRawSync(Buffer.from(text.slice(1), 'base64'), { maxOutputLength: MAX_TEXT_BYTES }).toString()
}
