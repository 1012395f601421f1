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

export function requireBoolean(value: unknown, name: string): boolean {
  if (typeof value === 'boolean') return value
  throw new InvalidInputError('option.invalid', `${name} must be true or false, got ${quote(value)}.`, {
    name,
    received: value,
    accepted: [true, false],
  })
}

/** Text that is not empty, or an error that names the option. */
export function requireText(value: unknown, name: string): string {
  if (typeof value === 'string' && value !== '') return value
  throw new InvalidInputError('option.invalid', `${name} must be text, got ${quote(value)}.`, {
    name,
    received: value,
    accepted: 'text',
  })
}

/** One of a few values, or an error that lists them. */
export function requireOneOf<T extends string | number>(value: unknown, name: string, accepted: readonly T[]): T {
  const found = accepted.find((each) => each === value)
  if (found !== undefined) return found
  throw new InvalidInputError('option.invalid', `${name} must be one of ${accepted.join(', ')}, got ${quote(value)}.`, {
    name,
    received: value,
    accepted,
  })
}
