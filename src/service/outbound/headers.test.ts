import { describe, expect, it } from 'vitest'
import { forAnybody, headerProblem } from './headers.ts'

describe('a header that may not be sent', () => {
  it.each([
    ['x-a', 'one\r\nHost: evil'],
    ['x-a', 'one\nTwo'],
    ['x-a', 'nul\0'],
    ['x-a', 'beyond Latin: \u2028'],
    ['x a', 'v'],
    ['x-a\r\nhost', 'v'],
    ['', 'v'],
    ['Host', 'internal'],
    ['Transfer-Encoding', 'chunked'],
    ['transfer-encoding', 'xchunked'],
    ['Content-Length', '0'],
    ['Connection', 'keep-alive'],
    ['Upgrade', 'h2c'],
    ['TE', 'trailers'],
    ['Proxy-Authorization', 'Basic eDp5'],
    ['Cookie', 'session=1'],
    ['X-Forwarded-For', '127.0.0.1'],
    ['Authorization', 'Bearer pk_01980000-0000-7000-8000-000000000000_secret'],
    ['X-Api-Key', 'pk_01980000-0000-7000-8000-000000000000_secret'],
    ['x-a', 'x'.repeat(4_097)],
  ])('%j: %j', (name, value) => {
    expect(headerProblem(name, value)?.message).toMatch(/^Header /)
  })
})

it.each([
  ['Authorization', 'Bearer of-the-target'],
  ['X-Api-Key', 'theirs'],
  ['Accept', 'application/json'],
  ['Content-Type', 'application/json; charset=utf-8'],
])('%s: %s may be sent', (name, value) => {
  expect(headerProblem(name, value)).toBeNull()
})

it('what may be a secret does not go to another origin', () => {
  expect(forAnybody({ authorization: 'x', 'x-api-key': 'x', 'x-anything': 'x', accept: 'text/html' })).toEqual({
    accept: 'text/html',
  })
})
