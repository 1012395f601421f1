import { InvalidInputError, quote } from '../errors.ts'

/** A whole number within bounds, or an error that names the option. */
export function requireInteger(value: unknown, name: string, min: number, max = Number.MAX_SAFE_INTEGER): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max) return value
  const accepted =
    max === Number.MAX_SAFE_INTEGER ? `a whole number of at least ${min}` : `a whole number of ${min}-${max}`
  throw new InvalidInputError('option.invalid', `${name} must be ${accepted}, got ${quote(value)}.`, {
    name,
    received: value,
    accepted,
  })
}

/** One of a few words, or an error that lists them. */
export function requireOneOf<T extends string>(value: unknown, name: string, accepted: readonly T[]): T {
  const found = accepted.find((each) => each === value)
  if (found !== undefined) return found
  throw new InvalidInputError('option.invalid', `${name} must be one of ${accepted.join(', ')}, got ${quote(value)}.`, {
    name,
    received: value,
    accepted,
  })
}
