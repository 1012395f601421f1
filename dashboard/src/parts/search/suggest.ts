import { quotedIfNeeded } from './filters.ts'

/** A key that a search may have. */
export interface SearchKey {
  readonly key: string
  /** What it is called where it is shown rather than typed. */
  readonly name: string
  readonly meaning: string
  readonly values: readonly { readonly value: string; readonly name: string }[]
  /** What else may stand behind it; absent: nothing but the values. */
  readonly accepts?: RegExp
}

export interface Suggestion {
  /** What is put in the place of what was typed. */
  readonly text: string
  readonly name: string
  readonly meaning: string
}

export interface Suggestions {
  /** What of the search a suggestion takes the place of. */
  readonly from: number
  readonly to: number
  readonly options: readonly Suggestion[]
  /** Whether what was typed is the beginning of something, which nobody is asked for yet. */
  readonly isUnfinished: boolean
}

const MOST = 12

/** What may be meant by what stands before the caret: a key, or one of its values. */
export function suggest(query: string, caret: number, keys: readonly SearchKey[]): Suggestions {
  const start = startOfPiece(query, caret)
  const typed = query.slice(start, caret)
  const [, keyTyped, valuesTyped] = /^(\p{L}+):(.*)$/su.exec(typed) ?? []
  if (keyTyped === undefined || valuesTyped === undefined) {
    return { from: start, to: caret, options: keysFor(typed, keys), isUnfinished: false }
  }
  const key = keys.find((each) => each.key === keyTyped.toLowerCase())
  const from = start + keyTyped.length + 1 + startOfValue(valuesTyped)
  const value = query.slice(from, caret).replaceAll('"', '')
  if (!key) return { from, to: caret, options: [], isUnfinished: false }
  const given = valuesTyped.toLowerCase().split(',').slice(0, -1)
  return { from, to: caret, options: valuesFor(value, key, given), isUnfinished: !isComplete(value, key) }
}

/** Behind the last blank that is not within quotes. */
function startOfPiece(query: string, caret: number): number {
  let start = 0
  let isQuoted = false
  for (let at = 0; at < caret; at += 1) {
    const character = query.charAt(at)
    if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted && /\s/u.test(character)) start = at + 1
  }
  return start
}

function startOfValue(values: string): number {
  let start = 0
  let isQuoted = false
  for (let at = 0; at < values.length; at += 1) {
    if (values[at] === '"') isQuoted = !isQuoted
    else if (!isQuoted && values[at] === ',') start = at + 1
  }
  return start
}

function keysFor(typed: string, keys: readonly SearchKey[]): Suggestion[] {
  if (typed.startsWith('"')) return []
  const wanted = typed.toLowerCase()
  return keys
    .filter(({ key, name }) => key.startsWith(wanted) || name.toLowerCase().startsWith(wanted))
    .map(({ key, meaning }) => ({ text: `${key}:`, name: `${key}:`, meaning }))
}

function valuesFor(typed: string, { values }: SearchKey, given: readonly string[]): Suggestion[] {
  const wanted = typed.toLowerCase()
  return values
    .filter(({ value }) => !given.includes(value.toLowerCase()))
    .filter(({ value, name }) => value.toLowerCase().includes(wanted) || name.toLowerCase().includes(wanted))
    .slice(0, MOST)
    .map(({ value, name }) => ({ text: `${quotedIfNeeded(value)} `, name: value, meaning: name === value ? '' : name }))
}

function isComplete(value: string, { values, accepts }: SearchKey): boolean {
  if (value === '') return false
  return accepts?.test(value) === true || values.some((each) => each.value.toLowerCase() === value.toLowerCase())
}
