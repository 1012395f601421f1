import { decodeValue } from '../durable/codec.ts'
import { isUnreadable } from '../job/execution/unreadable.ts'
import { formatInstant } from '../time/instant.ts'

/** A stored value as JSON can hold it; null for nothing, and for what cannot be read. What JSON has no word for, such as a Map, is shown as the nearest thing that it has. */
export function wireValue(text: string | null): unknown {
  return isUnreadable(text) ? null : plain(decodeValue(text))
}

/** An instant as it stands on the wire. */
export function wireInstant(at: number): string
export function wireInstant(at: number | null): string | null
export function wireInstant(at: number | null): string | null {
  return at === null ? null : formatInstant(at)
}

/** Deeper than this nothing is shown: what a job gives is stored however deep it is, and to follow it would take more stack than there is. */
const DEEPEST = 500

/** A value as JSON can hold it. */
export function plain(value: unknown, above: readonly object[] = []): unknown {
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value !== 'object' || value === null || above.length >= DEEPEST || above.includes(value)) return null
  const within = [...above, value]
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (value instanceof Error) return { name: value.name, message: value.message }
  if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')
  if (value instanceof ArrayBuffer) return Buffer.from(value).toString('base64')
  if (value instanceof URL || value instanceof RegExp) return String(value)
  if (value instanceof Map) return [...value].map((pair) => plain(pair, within))
  if (Array.isArray(value) || value instanceof Set) return [...value].map((each) => plain(each, within))
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each, within)]))
}
