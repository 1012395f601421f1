import { parseDuration } from '../../duration.ts'
import { InvalidInputError, quote } from '../../errors.ts'
import { didYouMean, nearest } from '../../nearest.ts'
import { instantOf } from '../../time/instant.ts'
import type { InvalidFieldsError } from '../errors.ts'
import { invalidField } from '../field-problems.ts'
import { piecesOf } from './pieces.ts'

/** What was typed into a search: values by key, and the rest as one text. */
export interface Tokens<Key extends string> {
  /** Absent where nothing is looked for as text. */
  readonly text: string | undefined
  /** All that was given for a key: any of it will do. undefined where the key does not occur. */
  of(key: Key): readonly string[] | undefined
}

/** Reads a search by the keys it may have, of which the case does not matter. Without tokens and quotes all of it is text, as it stands. */
export function readTokens<Key extends string>(query: string | undefined, keys: readonly Key[]): Tokens<Key> {
  const values = new Map<string, string[]>()
  const words: string[] = []
  let isPlain = true
  for (const piece of query === undefined ? [] : piecesOf(query)) {
    if (piece.kind === 'words') {
      if (piece.text !== '') words.push(piece.text)
      isPlain &&= !piece.isQuoted
      continue
    }
    isPlain = false
    const key = requireKey(piece.key, keys)
    if (piece.values.includes('')) throw missingValue(key)
    values.set(key, [...(values.get(key) ?? []), ...piece.values])
  }
  const rest = words.length === 0 ? undefined : words.join(' ')
  return { text: isPlain ? query : rest, of: (key) => values.get(key) }
}

function requireKey<Key extends string>(typed: string, keys: readonly Key[]): Key {
  const found = keys.find((key) => key === typed.toLowerCase())
  if (found !== undefined) return found
  const message =
    `There is no search key ${quote(typed)}; there are ${keys.join(', ')}.${didYouMean(typed, keys)} ` +
    'What stands in quotes is looked for as text.'
  throw searchRefusal(message, { case: 'key', received: typed, accepted: keys, suggestion: nearest(typed, keys) })
}

/** Words of a set, of which the case does not matter, for a key. */
export function readWords<Word extends string>(
  key: string,
  values: readonly string[],
  accepted: readonly Word[],
): readonly Word[] {
  return values.map((value) => {
    const found = accepted.find((word) => word === value.toUpperCase())
    if (found !== undefined) return found
    throw invalidValue(key, value, accepted)
  })
}

function invalidValue(key: string, received: string, accepted: readonly string[]): InvalidFieldsError {
  const message =
    `${key}: must be one of ${accepted.join(', ')}, got ${quote(received)}. ` +
    'What stands in quotes is looked for as text.'
  return searchRefusal(message, { case: 'value', key, received, accepted })
}

function missingValue(key: string): InvalidFieldsError {
  const message = `${key}: needs a value right behind the colon. What stands in quotes is looked for as text.`
  return searchRefusal(message, { case: 'missing', key })
}

/** Why a search is not understood. */
function searchRefusal(message: string, details: Readonly<Record<string, unknown>>): InvalidFieldsError {
  return invalidField('/q', 'search_invalid', message, details)
}

/** What two lists have in common, where a list that is absent holds everything. */
export function commonPart<Item>(
  one: readonly Item[] | undefined,
  other: readonly Item[] | undefined,
): readonly Item[] | undefined {
  if (one === undefined || other === undefined) return one ?? other
  const wanted = new Set(other)
  return one.filter((item) => wanted.has(item))
}

/** From an instant on, up to another one that is not part of it. */
export interface Range {
  readonly from?: number | undefined
  readonly until?: number | undefined
}

const DATE = /^\d{4}-\d{2}-\d{2}$/

const ACCEPTED =
  'a duration such as 2d, 12h or 30m, a date such as 2026-01-31, or an instant such as 2026-01-31T09:00:00Z'

/** What `after:` and `before:` say: where there are several, the widest range of them. */
export function readRange(tokens: Tokens<'after' | 'before'>, now: number): Range {
  const instants = (key: 'after' | 'before') => tokens.of(key)?.map((value) => readInstant(key, value, now))
  const [from, until] = [instants('after'), instants('before')]
  return {
    ...(from && { from: Math.min(...from) }),
    ...(until && { until: Math.max(...until) }),
  }
}

/** The part that two ranges have in common. */
export function withinBoth(one: Range, other: Range): Range {
  const from = [one.from, other.from].filter((instant) => instant !== undefined)
  const until = [one.until, other.until].filter((instant) => instant !== undefined)
  return {
    ...(from.length > 0 && { from: Math.max(...from) }),
    ...(until.length > 0 && { until: Math.min(...until) }),
  }
}

/** Nothing was created before 1970. A day begins as it does in UTC. */
function readInstant(key: string, value: string, now: number): number {
  try {
    if (DATE.test(value)) return Math.max(0, instantOf(`${value}T00:00:00Z`, key))
    if (/t/i.test(value)) return Math.max(0, instantOf(value.toUpperCase(), key))
    return Math.max(0, now - parseDuration(value, key))
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error
    const message = `${key}: must be ${ACCEPTED}, got ${quote(value)}. What stands in quotes is looked for as text.`
    throw searchRefusal(message, { case: 'instant', key, received: value })
  }
}
