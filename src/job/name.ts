import { InvalidInputError, quote } from '../errors.ts'

const MAX_LENGTH = 255
// Control characters, and those that reorder or hide what stands beside them.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u
const LONE_SURROGATE = /\p{Surrogate}/u

/** A name of a job, job type, queue, tenant or calendar: visible text in normal form, so that two that look the same are the same. */
export function requireName(value: unknown, thing: string): string {
  const name = typeof value === 'string' ? value.normalize('NFC') : ''
  const isName =
    name !== '' && name.length <= MAX_LENGTH && !UNSEEN.test(name) && !LONE_SURROGATE.test(name) && name.trim() === name
  if (isName) return name
  throw new InvalidInputError(
    'name.invalid',
    `${thing} must be text of 1-${MAX_LENGTH} visible characters without spaces around it, got ${quote(value)}.`,
    { thing, max: MAX_LENGTH, received: value },
  )
}
