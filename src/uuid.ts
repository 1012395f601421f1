import { InvalidInputError, quote } from './errors.ts'

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const LAST_IN_MILLISECOND = 0xfff
const LAST_OF_VARIANT = 0xbfff

/**
 * Makes UUIDs of version 7 from an instant and random 32-bit words. Those of one maker grow, also within a millisecond and when the
 * clock is set back, so that work is taken in the order in which it was created.
 */
export function uuidFrom(randomWord: () => number): (at: number) => string {
  let lastAt = 0
  let sequence = 0
  let writtenAt = -1
  let time = ''
  return (at) => {
    if (at > lastAt) {
      lastAt = at
      sequence = 0
    } else if (sequence === LAST_IN_MILLISECOND) {
      lastAt += 1
      sequence = 0
    } else {
      sequence += 1
    }
    if (writtenAt !== lastAt) {
      writtenAt = lastAt
      time = formatTime(lastAt)
    }
    return time + formatRest(sequence, randomWord(), randomWord())
  }
}

function formatTime(at: number): string {
  const hex = at.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7`
}

function formatRest(sequence: number, first: number, second: number): string {
  return (
    `${HEX[sequence >>> 8]?.[1]}${byte(sequence)}-${byte(((first >>> 24) & 0x3f) | 0x80)}${byte(first >>> 16)}-` +
    `${byte(first >>> 8)}${byte(first)}${byte(second >>> 24)}${byte(second >>> 16)}${byte(second >>> 8)}${byte(second)}`
  )
}

function byte(value: number): string {
  return HEX[value & 0xff] ?? '00'
}

/**
 * The id of an execution that takes the queue position of another: executions of one priority are claimed in the order of their ids, so it keeps the instant and the
 * sequence of the superseded id. It is greater than that id, so lists show successors in the order of their creation.
 */
export function uuidInPlaceOf(superseded: string, fresh: string): string {
  const next = Math.min(Number.parseInt(superseded.slice(19, 23), 16) + 1, LAST_OF_VARIANT)
  return superseded.slice(0, 19) + next.toString(16) + fresh.slice(23)
}

/** The smallest UUID that version 7 gives to an instant: where a month of ids begins. */
export function firstUuidAt(at: number): string {
  const hex = at.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`
}

/** The instant a version 7 UUID was made at. */
export function instantOfUuid(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16)
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** An id as it is stored, in lower case; or an error that names it. */
export function requireUuid(value: unknown, name: string): string {
  if (typeof value === 'string' && UUID.test(value)) return value.toLowerCase()
  throw new InvalidInputError('id.invalid', `${name} must be a UUID, got ${quote(value)}.`, { name, received: value })
}
