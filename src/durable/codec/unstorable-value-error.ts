import { InvalidInputError } from '../../errors.ts'

const STORABLE =
  'plain data can be stored, and Date, BigInt, Map, Set, RegExp, URL, Error, bytes, and instances of classes that have a toJSON.'

/** A value cannot be stored: what it is, and where in it. To try again would give the same. */
export class UnstorableValueError extends InvalidInputError {}

/** Something in a value is of a kind that is not kept. */
export function unstorable(thing: string, path: string, fault: string, options?: ErrorOptions): UnstorableValueError {
  const place = path === '' ? `${thing} ${fault}` : `${thing}: ${path} ${fault}`
  return new UnstorableValueError('payload.unstorable', `${place}; ${STORABLE}`, { thing, path }, options)
}

export function tooLarge(thing: string, maxBytes: number, bytes?: number): UnstorableValueError {
  return new UnstorableValueError(
    'payload.too_large',
    `${thing} must be at most ${maxBytes} bytes when it is stored, got ${bytes ?? 'more'}. Store it elsewhere and pass a reference.`,
    { thing, maxBytes, ...(bytes === undefined ? {} : { bytes }) },
  )
}
