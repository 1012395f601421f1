import type { ErrorDetails } from '../../errors.ts'
import type { FieldProblem } from '../../service/errors.ts'

/** How deep lists and objects may stand in one another. */
export const DEPTH_LIMIT = 64

/** How many names an object, and the whole of a text, may have: more is an attack on whoever copies them. */
const KEY_LIMIT = 50_000
const KEY_LENGTH = 1_024

interface Frame {
  /** The names seen so far; null in a list. */
  readonly keys: Set<string> | null
  /** The name or the place that is being read. */
  at: string | number
}

const SPACE = /[ \t\n\r]*/y
const NUMBER = /-?\d[\d.eE+-]*/y
const LONE_SURROGATE = /\p{Surrogate}/u

/**
 * What is wrong with a JSON text that a parser would silently accept, change, or choke on: depth, names that occur twice, names that reach a prototype, half
 * characters, NUL, numbers that would not come out as they went in. Goes through the text once, without recursion, before anything parses it; text that is no JSON is
 * left to the parser.
 */
export function inspectJson(text: string): FieldProblem | null {
  return new Inspection(text).run()
}

class Inspection {
  readonly #text: string
  readonly #frames: Frame[] = []
  #keyCount = 0
  #index = 0

  constructor(text: string) {
    this.#text = text
  }

  run(): FieldProblem | null {
    while (this.#index < this.#text.length) {
      const problem = this.#step(this.#text.charAt(this.#index))
      if (problem) return problem
    }
    return null
  }

  #step(character: string): FieldProblem | null {
    const frames = this.#frames
    switch (character) {
      case '{':
      case '[':
        if (frames.length === DEPTH_LIMIT) {
          return this.#problem('json_too_deep', `Deeper than ${DEPTH_LIMIT} levels.`, { max: DEPTH_LIMIT })
        }
        frames.push(character === '{' ? { keys: new Set(), at: '' } : { keys: null, at: 0 })
        break
      case '}':
      case ']':
        frames.pop()
        break
      case ',': {
        const top = frames.at(-1)
        if (top && typeof top.at === 'number') top.at += 1
        break
      }
      case '"':
        return this.#string()
      default:
        if (character === '-' || (character >= '0' && character <= '9')) return this.#number()
    }
    this.#index += 1
    return null
  }

  #string(): FieldProblem | null {
    const end = endOfString(this.#text, this.#index)
    const quoted = this.#text.slice(this.#index, end)
    const value = readString(quoted)
    this.#index = end
    // The parser will say that it is no JSON.
    if (value === null) return null
    // Bytes that were read as UTF-8 hold neither; only an escape can.
    if (quoted.includes('\\')) {
      if (value.includes('\0')) return this.#problem('nul_character', 'The character U+0000 cannot be stored.')
      if (LONE_SURROGATE.test(value)) return this.#problem('lone_surrogate', 'Half of a surrogate pair.')
    }
    const colon = endOf(SPACE, this.#text, end)
    const keys = this.#frames.at(-1)?.keys
    return keys && this.#text[colon] === ':' ? this.#key(value, keys) : null
  }

  #key(name: string, keys: Set<string>): FieldProblem | null {
    const frame = this.#frames.at(-1)
    const parent = this.#frames.at(-2)
    if (frame) frame.at = name
    this.#keyCount += 1
    if (this.#keyCount > KEY_LIMIT) {
      return this.#problem('too_many_keys', `More than ${KEY_LIMIT} names.`, { max: KEY_LIMIT })
    }
    if (name.length > KEY_LENGTH) {
      return this.#problem('key_too_long', `Longer than ${KEY_LENGTH} characters.`, { max: KEY_LENGTH })
    }
    if (keys.has(name)) return this.#problem('duplicate_key', 'The name occurs twice.')
    if (name === '__proto__' || (name === 'prototype' && parent?.at === 'constructor')) {
      return this.#problem('forbidden_key', 'The name is not accepted.')
    }
    keys.add(name)
    return null
  }

  #number(): FieldProblem | null {
    const end = Math.max(endOf(NUMBER, this.#text, this.#index), this.#index + 1)
    const value = Math.abs(Number(this.#text.slice(this.#index, end)))
    this.#index = end
    if (!(value > Number.MAX_SAFE_INTEGER)) return null
    return this.#problem('number_out_of_range', 'Beyond 2^53 - 1; send it as text.')
  }

  #problem(code: string, message: string, details: ErrorDetails = {}): FieldProblem {
    const pointer = pointerOf(this.#frames.map(({ at }) => at))
    return { pointer, code, message, says: { code, details } }
  }
}

/** Where a string that begins here is over; the end of the text where it never is. */
function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1)
  while (quote !== -1 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1)
  return quote === -1 ? text.length : quote + 1
}

/** Whether an odd number of backslashes stands before it. */
function isEscaped(text: string, index: number): boolean {
  let before = index - 1
  while (text[before] === '\\') before -= 1
  return (index - before) % 2 === 0
}

function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start
  return pattern.test(text) ? pattern.lastIndex : start
}

/** What a JSON string stands for; null where it is none. */
function readString(quoted: string): string | null {
  if (!quoted.includes('\\')) return quoted.slice(1, -1)
  try {
    return String(JSON.parse(quoted))
  } catch {
    return null
  }
}

const POINTER_LIMIT = 200

/** A JSON pointer, cut where hostile names would make it long. */
export function pointerOf(path: readonly PropertyKey[]): string {
  const pointer = path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
  return pointer.length > POINTER_LIMIT ? `${pointer.slice(0, POINTER_LIMIT)}…` : pointer
}
