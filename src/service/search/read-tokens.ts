import { quote } from '../../errors.ts'
import { didYouMean, nearest } from '../../nearest.ts'
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
export function searchRefusal(message: string, details: Readonly<Record<string, unknown>>): InvalidFieldsError {
  return invalidField('/q', 'search_invalid', message, details)
}
