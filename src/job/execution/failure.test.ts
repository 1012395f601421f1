import { describe, expect, it } from 'vitest'
import { PontualError } from '../../errors.ts'
import { failureOf, NonRetryableError, TimeoutError } from './failure.ts'

const gone = Proxy.revocable({}, {})
gone.revoke()

const hostile = new Proxy(new Error('x'), {
  get: () => {
    throw new Error('no')
  },
})

const circular = Object.create(null) as { self?: unknown }
circular.self = circular

describe('what was thrown', () => {
  it.each<[string, unknown, { name?: string; message?: unknown; code?: unknown }]>([
    ['an error', new RangeError('far'), { name: 'RangeError', message: 'far' }],
    ['an error with a code', Object.assign(new Error('x'), { code: 'E' }), { code: 'E' }],
    ['an error of ours', new PontualError('a.b', 'said'), { name: 'PontualError', message: 'said', code: 'a.b' }],
    ['text', 'oh', { name: 'Error', message: 'oh' }],
    ['empty text', '', { message: '' }],
    ['a number', 1, { message: '1' }],
    ['undefined', undefined, { message: 'undefined' }],
    ['null', null, { message: 'null' }],
    ['a symbol', Symbol('s'), { message: 'Symbol(s)' }],
    ['a function', function f() {}, { message: expect.stringContaining('function f') as unknown }],
    ['data', { a: 1 }, { message: '{"a":1}' }],
    ['data that hold themselves', circular, { message: expect.any(String) as unknown }],
    ['an error nobody can look at', hostile, { name: 'Error', message: expect.any(String) as unknown }],
    ['what is gone', gone.proxy, { message: expect.any(String) as unknown }],
    [
      'NUL in name, message and code',
      Object.assign(new Error('a\0'), { name: 'n\0', code: 'c\0' }),
      { name: 'n␀', message: 'a␀', code: 'c␀' },
    ],
    ['a name without end', Object.assign(new Error('x'), { name: 'n'.repeat(1_000) }), { name: `${'n'.repeat(255)}…` }],
  ])('is kept: %s', (_what, thrown, expected) => {
    expect(failureOf(thrown)).toMatchObject(expected)
    expect(JSON.parse(JSON.stringify(failureOf(thrown)))).toMatchObject({ message: expect.any(String) as unknown })
  })

  it.each([5, undefined, null, {}])('has no code where it is %j', (code) => {
    expect(failureOf(Object.assign(new Error('x'), { code }))).not.toHaveProperty('code')
  })

  it('keeps the stack of an error, cut', () => {
    const error = Object.assign(new Error('x'), { stack: 's'.repeat(20_000) })
    expect(failureOf(error).stack).toBe(`${'s'.repeat(8_000)}…`)
    expect(failureOf(new Error('here')).stack).toContain('failure.test.ts')
    expect(failureOf('text')).not.toHaveProperty('stack')
  })
})

describe('errors that say what happened', () => {
  it('a timeout names its milliseconds', () => {
    expect(new TimeoutError(1_500)).toMatchObject({
      code: 'execution.timeout',
      message: 'The handler did not end within 1500 ms.',
      details: { timeoutMs: 1_500 },
    })
  })

  it('one that makes another try pointless takes a cause', () => {
    const cause = new Error('below')
    expect(new NonRetryableError('no', { cause })).toMatchObject({
      code: 'execution.non_retryable',
      message: 'no',
      cause,
    })
  })
})
