import { describe, expect, it } from 'vitest'
import { InvalidInputError, PontualError, quote } from './errors.ts'

describe('an error', () => {
  it('carries its code, its details and its cause, and is named after its class', () => {
    const cause = new Error('below')
    const error = new InvalidInputError('thing.invalid', 'Thing must be small.', { received: 7 }, { cause })
    expect(error).toBeInstanceOf(PontualError)
    expect(error).toMatchObject({ name: 'InvalidInputError', code: 'thing.invalid', message: 'Thing must be small.' })
    expect(error.details).toEqual({ received: 7 })
    expect(error.cause).toBe(cause)
  })

  it('has empty details where none are given', () => {
    expect(new PontualError('thing.broken', 'Broken.').details).toEqual({})
  })
})

describe('a quoted value', () => {
  it.each([
    ['text', 'abc', '"abc"'],
    ['empty text', '', '""'],
    ['a quotation mark', 'a"b', '"a\\"b"'],
    ['a line break', 'a\r\nb', '"a\\r\\nb"'],
    ['NUL', 'a\0b', '"a\\u0000b"'],
    ['a terminal escape', '\u001b[31m', '"\\u001b[31m"'],
    ['DEL and C1 controls', '\u007f\u009b', '"\\u007f\\u009b"'],
    ['a bidi override', 'a\u202eb', '"a\\u202eb"'],
    ['a bidi isolate', 'a\u2066b', '"a\\u2066b"'],
    ['zero width', 'a\u200bb\ufeff', '"a\\u200bb\\ufeff"'],
    ['a line separator', 'a\u2028b', '"a\\u2028b"'],
    ['a lone surrogate', '\ud800', '"\\ud800"'],
    ['accents as they are', 'São Paulo', '"São Paulo"'],
    ['a number', 1.5, '1.5'],
    ['NaN', Number.NaN, 'NaN'],
    ['a big integer', 10n, '10n'],
    ['true', true, 'true'],
    ['null', null, 'null'],
    ['undefined', undefined, 'nothing'],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['no date', new Date(Number.NaN), 'Invalid Date'],
    ['an array', [1, 2, 3], 'a list of 3'],
    ['an object', { secret: 'x' }, 'an object'],
    ['a function', () => 0, 'a function'],
  ])('shows %s', (_what, received, shown) => {
    expect(quote(received)).toBe(shown)
  })

  it('is cut after 64 characters', () => {
    expect(quote('x'.repeat(64))).toBe(`"${'x'.repeat(64)}"`)
    expect(quote('x'.repeat(10_000))).toBe(`"${'x'.repeat(64)}…"`)
  })
})
