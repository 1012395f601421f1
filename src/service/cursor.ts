import { createHmac, timingSafeEqual } from 'node:crypto'
import { InvalidInputError } from '../errors.ts'
import { isUuid } from '../uuid.ts'

/** Where a page ended: the value sorted by and an id, or whatever tells the place. */
export type CursorPlace = readonly (string | number | null)[]

/** What stands at each position of a place. */
export type CursorShape = readonly (keyof typeof KINDS)[]

/** The end of the year 9999. */
const LAST_INSTANT = 253_402_300_799_999
const UNSTORABLE = /[\0\p{Surrogate}]/u

const KINDS = {
  id: (part: unknown) => typeof part === 'string' && isUuid(part),
  text: (part: unknown) => typeof part === 'string' && part.length <= 1_000 && !UNSTORABLE.test(part),
  count: (part: unknown) => Number.isSafeInteger(part) && (part as number) >= 1,
  instant: (part: unknown) =>
    part === null || (Number.isSafeInteger(part) && (part as number) >= 0 && (part as number) <= LAST_INSTANT),
}

/** What a cursor holds for: the tenant, what is listed, and how. One that was given for anything else is refused. */
export type CursorScope = readonly unknown[]

const MAC_BYTES = 16
const MAX_LENGTH = 4_096
const SHAPE = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{22})$/

/**
 * Makes and reads the cursors of lists: a place, and a code of it that fits only the tenant and query it was made for. All nodes of a service have the same
 * secret; without one the code tells damage and misuse, but no forger: a forged cursor shows nothing that its sender could not list anyway. What it holds is
 * checked nevertheless, so that a store is asked for nothing that cannot be.
 */
export class Cursors {
  readonly #secret: string

  constructor(secret = 'pontual') {
    this.#secret = secret
  }

  write(place: CursorPlace, scope: CursorScope): string {
    const text = Buffer.from(JSON.stringify(place)).toString('base64url')
    return `${text}.${this.#mac(text, scope).toString('base64url')}`
  }

  /** undefined where there is no cursor: the list begins at its beginning. */
  read(cursor: string | undefined, scope: CursorScope, shape: CursorShape): CursorPlace | undefined {
    if (cursor === undefined) return undefined
    const [, text, mac] = cursor.length > MAX_LENGTH ? [] : (SHAPE.exec(cursor) ?? [])
    if (text === undefined || mac === undefined) throw invalidCursor()
    if (!timingSafeEqual(Buffer.from(mac, 'base64url'), this.#mac(text, scope))) throw invalidCursor()
    const place = parsed(Buffer.from(text, 'base64url').toString())
    if (!isOfShape(place, shape)) throw invalidCursor()
    return place
  }

  #mac(text: string, scope: CursorScope): Buffer {
    return createHmac('sha256', this.#secret)
      .update(JSON.stringify([text, ...scope]))
      .digest()
      .subarray(0, MAC_BYTES)
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function isOfShape(place: unknown, shape: CursorShape): place is CursorPlace {
  return Array.isArray(place) && place.length === shape.length && shape.every((kind, at) => KINDS[kind](place[at]))
}

function invalidCursor(): InvalidInputError {
  return new InvalidInputError(
    'invalid_cursor',
    'The cursor is not one that this list has given for this query; begin without one.',
    { name: 'cursor' },
  )
}
