import { describe, expect, it } from 'vitest'
import { refusal } from '../test/harness/instants.ts'
import { parseDuration } from './duration.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

describe('a duration', () => {
  it.each([
    [0, 0],
    [250, 250],
    ['500ms', 500],
    ['30s', 30_000],
    ['5m', 5 * MINUTE],
    ['2h', 2 * HOUR],
    ['7d', 168 * HOUR],
    ['1w', 168 * HOUR],
    ['1y', 8_760 * HOUR],
    ['2 years 1 day', 17_544 * HOUR],
    ['1h 30m', 90 * MINUTE],
    ['1h30m', 90 * MINUTE],
    ['1h 30m 15s 250ms', 90 * MINUTE + 15_250],
    ['2 hours', 2 * HOUR],
    ['1 hour 1 minute', 61 * MINUTE],
    ['90 Seconds', 90_000],
    ['5 MIN', 5 * MINUTE],
    ['3 weeks', 504 * HOUR],
    ['1.5h', 90 * MINUTE],
    ['0.5s', 500],
    ['1.005s', 1_005],
    ['4.35s', 4_350],
    ['  10s  ', 10_000],
    ['0s', 0],
  ])('%j is %d ms', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds)
  })

  it.each([
    ['a negative number', -1],
    ['a fraction of a millisecond', 0.5],
    ['a fraction of a millisecond as text', '0.5ms'],
    ['NaN', Number.NaN],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['more than a safe integer', 2 ** 53],
    ['more than a safe integer as text', '99999999999999999w'],
    ['empty text', ''],
    ['blank text', '   '],
    ['a number as text', '500'],
    ['an unknown unit', '5 fortnights'],
    ['a month, whose length varies', '1 month'],
    ['a negative text', '-5m'],
    ['an exponent', '1e3s'],
    ['words around it', 'in 5m'],
    ['something after it', '5m!'],
    ['a unit alone', 'm'],
    ['a name of the prototype', '5 constructor'],
    ['digits of other scripts', '５m'],
    ['a comma', '1,5h'],
    ['text without end', '1s '.repeat(10_000)],
    ['null', null],
    ['an object', {}],
  ])('is not %s', (_what, received) => {
    const error = refusal(() => parseDuration(received as string, 'timeout'))
    expect(error.code).toBe('duration.invalid')
    expect(error.message).toMatch(/^timeout must be a number of milliseconds, or text such as .*"5m".*, got .*\.$/)
    expect(error.details).toMatchObject({ name: 'timeout', received })
  })
})
