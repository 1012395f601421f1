import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { refusal } from '../../test/harness/instants.ts'
import { PontualError } from '../errors.ts'
import { NonRetryableError } from '../job/execution/failure.ts'
import { decodeValue, encodeValue } from './codec.ts'
import { ActivityFailedError, ChildFailedError, UnstorableValueError } from './errors.ts'

const encode = (value: unknown) => encodeValue(value, 'Output of activity "x"')
const passed = (value: unknown) => decodeValue(encode(value))
const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

/** Throws anything. */
function fail(thrown: unknown): never {
  throw typeof thrown === 'string' ? new Error(thrown) : thrown
}

class Money {
  readonly cents: number
  constructor(cents: number) {
    this.cents = cents
  }
  toJSON() {
    return { cents: this.cents, at: new Date(0) }
  }
}
class Invoice {
  readonly id = 1
}

describe('a value that is stored', () => {
  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'a"b\\\u0000\ud800é😀'],
    ['a text like a mark', 'T{}'],
    ['a date', new Date('2026-03-29T01:30:00.123Z')],
    ['an invalid date', new Date(Number.NaN)],
    ['a date at the end of time', new Date(8.64e15)],
    ['a large integer', 123_456_789_012_345_678_901_234_567_890n],
    ['a negative one', -1n],
    ['not a number', Number.NaN],
    ['infinity', [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]],
    ['minus zero', { a: -0 }],
    ['the smallest number', [5e-324, Number.MAX_VALUE, Number.MAX_SAFE_INTEGER]],
    [
      'a map of maps',
      new Map<unknown, unknown>([
        ['a', new Map([[{ key: 1n }, new Set([1])]])],
        [1, undefined],
      ]),
    ],
    ['a set', new Set<unknown>(['a', Number.NaN, undefined, new Date(1)])],
    ['bytes', new Uint8Array([0, 1, 255])],
    ['no bytes', new Uint8Array()],
    ['a part of bytes', new Uint8Array([0, 1, 2, 3]).subarray(1, 3)],
    ['a buffer', Buffer.from('héllo')],
    ['an array buffer', new Uint8Array([1, 2]).buffer],
    ['a view', new DataView(new Uint8Array([1, 2, 3]).buffer, 1)],
    ['floats', new Float64Array([1.5, Number.NaN, -0])],
    ['large integers', new BigUint64Array([1n, 2n ** 64n - 1n])],
    ['words', [new Int16Array([-1, 2]), new Uint8ClampedArray([300]), new Int8Array([-5]), new Uint16Array([65_535])]],
    ['other words', [new Uint32Array([7]), new Int32Array([-7]), new Float32Array([0.5]), new BigInt64Array([-1n])]],
    ['nothing inside', { a: undefined, b: [undefined, 1], c: { d: undefined } }],
    ['a pattern', /a\/b$/giu],
    ['an address', new URL('https://example.com/a?b=c#d')],
    ['fields like tags', { $: 'Date', v: 'x', deep: { $: undefined }, at: new Date(0) }],
    ['a field named __proto__', JSON.parse('{"__proto__":{"a":1},"b":[{"__proto__":null}]}')],
    ['a field named __proto__ beside a type', { ...JSON.parse('{"b":{"__proto__":{"a":1}}}'), at: new Date(0) }],
    ['names of methods', { constructor: 1n, toString: null, hasOwnProperty: [], valueOf: undefined }],
    ['empty names', { '': { '': 1n } }],
    [
      'what settled',
      [
        { status: 'fulfilled', value: 1 },
        { status: 'rejected', reason: new Error('no') },
      ],
    ],
  ])('is %s again', (_what, value) => {
    expect(passed(value)).toStrictEqual(value)
  })

  it.each<[string, unknown]>([
    ['{"a":[1,"b",null,true]}', { a: [1, 'b', null, true] }],
    ['"T{}"', 'T{}'],
    ['{"$":"Date","v":0}', { $: 'Date', v: 0 }],
    ['1', 1],
  ])('is %s where JSON can hold it', (text, value) => {
    expect(encode(value)).toBe(text)
    expect(decodeValue(text)).toEqual(value)
  })

  it('has no own text for nothing', () => {
    expect(encode(undefined)).toBeNull()
  })

  it('is what toJSON gives, where it is of a class', () => {
    expect(passed({ price: new Money(5), list: [new Money(6)] })).toEqual({
      price: { cents: 5, at: new Date(0) },
      list: [{ cents: 6, at: new Date(0) }],
    })
    expect(passed({ toJSON: () => 1n })).toBe(1n)
  })

  it('may come from another realm', () => {
    const value: unknown = runInNewContext(
      '({ at: new Date(5), m: new Map([[1, { a: [1] }]]), e: new RangeError("no"), b: new Uint8Array([1]), p: {} })',
    )
    expect(passed(value)).toEqual({
      at: new Date(5),
      m: new Map([[1, { a: [1] }]]),
      e: new RangeError('no'),
      b: new Uint8Array([1]),
      p: {},
    })
  })

  it('may hold one thing twice, and holes', () => {
    const shared = { at: new Date(0) }
    expect(passed({ a: shared, b: [shared] })).toEqual({ a: shared, b: [shared] })
    const holes = [1]
    holes[2] = 3
    expect(passed(holes)).toEqual([1, undefined, 3])
  })

  it('has no prototype of its own', () => {
    expect(passed(Object.assign(Object.create(null), { a: 1 }))).toStrictEqual({ a: 1 })
  })

  it('equals what was stored, whatever it was', () => {
    const special = fc.oneof(
      fc.bigInt(),
      fc.date({ noInvalidDate: false }),
      fc.uint8Array(),
      fc.float32Array(),
      fc.constantFrom(undefined, Number.NaN, -0, Number.POSITIVE_INFINITY),
      fc.webUrl().map((url) => new URL(url)),
      fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true }),
      fc.anything({ withSparseArray: false, withUnicodeString: true }),
      fc.string({ unit: 'binary' }),
    )
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        special,
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('$', 'v', '__proto__', 'toString')), tie('value'), {
          maxKeys: 4,
        }),
        fc.array(fc.tuple(tie('value'), tie('value')), { maxLength: 3 }).map((entries) => new Map(entries)),
        fc.array(tie('value'), { maxLength: 3 }).map((items) => new Set(items)),
        fc.tuple(fc.string(), tie('value')).map(([message, cause]) => new Error(message, { cause })),
      ),
    }))
    fc.assert(
      fc.property(value, (each) => {
        expect(passed(each)).toEqual(each)
      }),
      { numRuns: 500 },
    )
  })

  it('is what JSON makes of it, where JSON gives it back', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (each) => {
        // A zero below nothing is one that JSON does not give back.
        fc.pre(!JSON.stringify(each, (_key, part: unknown) => (Object.is(part, -0) ? '-0' : part)).includes('"-0"'))
        expect(encode(each)).toBe(JSON.stringify(each))
      }),
    )
  })
})

describe('a value that cannot be stored', () => {
  const cycle: Record<string, unknown> = { a: [] }
  cycle['a'] = [{ back: cycle }]
  const map = new Map<unknown, unknown>()
  map.set('self', map)
  const givesItself = { toJSON: (): unknown => givesItself }
  const throwing = Object.defineProperty({}, 'b', { enumerable: true, get: () => fail('not now') })
  let nested: unknown = 1
  for (let depth = 0; depth < 5_000; depth += 1) nested = [nested]

  it.each<[string, unknown, string]>([
    ['a function', () => {}, 'Output of activity "x" is a function;'],
    ['a function inside', { items: [1, 2, 3, { callback() {} }] }, 'activity "x": items[3].callback is a function;'],
    ['a symbol', [Symbol('s')], '"x": [0] is a symbol;'],
    ['an instance', { 'a b': { invoice: new Invoice() } }, '"x": ["a b"].invoice is an instance of Invoice;'],
    ['a promise', { pending: Promise.resolve() }, 'pending is a promise, is an await missing;'],
    ['a weak map', [new WeakMap()], '[0] is an instance of WeakMap;'],
    ['a boxed number', [Object(1)], '[0] is an instance of Number;'],
    ['an object with a prototype', [Object.create({ a: 1 })], '[0] is an instance of Object;'],
    ['a value of a map', { m: new Map([['k', { f: () => {} }]]) }, 'm.get("k").f is a function;'],
    ['a key of a map', new Map([[() => {}, 1]]), 'keys()[0] is a function;'],
    ['an item of a set', { s: new Set([1, () => {}]) }, 's.values()[1] is a function;'],
    ['what toJSON gives', { m: { toJSON: () => ({ f: () => {} }) } }, 'm.f is a function;'],
    ['a cycle', cycle, 'a[0].back leads back to what it is in;'],
    ['a map in itself', map, 'get("self") leads back to what it is in;'],
    ['what is nested too deep', nested, 'is nested more than 500 deep'],
    ['one that gives itself', { a: givesItself }, 'a leads back to what it is in;'],
    ['a getter that throws', { a: throwing }, 'a.b cannot be read (not now);'],
    ['a toJSON that throws', [{ toJSON: () => fail(null) }], '[0] cannot be read (null);'],
    ['a revoked proxy', { a: [revoked()] }, 'a[0] cannot be read'],
    ['a revoked proxy alone', revoked(), 'Output of activity "x" cannot be read'],
    ['a proxy that throws another', new Proxy({}, { getPrototypeOf: () => fail(revoked()) }), 'cannot be read'],
  ])('is refused: %s', (_what, value, message) => {
    const error = refusal(() => encode(value))
    expect(error).toBeInstanceOf(UnstorableValueError)
    expect(error.code).toBe('payload.unstorable')
    expect(error.message).toContain(message)
    expect(error.message).toContain('; plain data can be stored')
    expect(error.message.length).toBeLessThan(600)
  })

  it.each<[string, unknown]>([
    ['a long text', 'x'.repeat(1_048_575)],
    ['a text of long characters', '€'.repeat(400_000)],
    ['many items', Array.from({ length: 600_000 }, () => 1)],
    ['an endless list', new Array(4_000_000_000)],
    ['bytes', new Uint8Array(800_000)],
    ['what is large because it is repeated', doubled(40)],
    ['what is large with types', [new Date(0), 'x'.repeat(1_048_570)]],
  ])('is refused as too large: %s', (_what, value) => {
    const error = refusal(() => encode(value))
    expect(error).toBeInstanceOf(UnstorableValueError)
    expect(error.code).toBe('payload.too_large')
    expect(error.message).toMatch(
      /^Output of activity "x" must be at most 1048576 bytes when it is stored, got \w+\. S/,
    )
  })

  it('fits to the last byte', () => {
    expect(passed('x'.repeat(1_048_574))).toHaveLength(1_048_574)
  })
})

function doubled(times: number): unknown {
  let value: unknown = ['x']
  for (let index = 0; index < times; index += 1) value = [value, value]
  return value
}

describe('an error that is stored', () => {
  it('keeps its name, message, stack, code, cause and fields', () => {
    const cause = Object.assign(new RangeError('deep'), { code: 'E_DEEP' })
    const error = Object.assign(new TypeError('no', { cause }), {
      code: 42,
      status: 503,
      at: new Date(5),
      body: { ids: new Set([1n]) },
    })
    const read = passed(error) as typeof error
    expect(read).toStrictEqual(error)
    expect(read).toBeInstanceOf(TypeError)
    expect(read.stack).toBe(error.stack)
    expect(read).toMatchObject({ code: 42, status: 503, at: new Date(5), body: { ids: new Set([1n]) } })
    expect(read.cause).toBeInstanceOf(RangeError)
    expect(read.cause).toMatchObject({ message: 'deep', code: 'E_DEEP' })
    expect(Object.keys(read)).toEqual(Object.keys(error))
  })

  it('is of the nearest class that is known, and has its name', () => {
    class CardDeclined extends SyntaxError {
      override readonly name = 'CardDeclined'
    }
    const read = passed(new CardDeclined('poor')) as Error
    expect(read).toBeInstanceOf(SyntaxError)
    expect(String(read)).toBe('CardDeclined: poor')
  })

  it.each<[string, PontualError]>([
    ['PontualError', new PontualError('a.b', 'no', { at: new Date(0) })],
    ['NonRetryableError', new NonRetryableError('no')],
    ['ActivityFailedError', new ActivityFailedError('charge', 3, 4, new Error('declined'))],
    ['ChildFailedError', new ChildFailedError('child', 'id', 'FAILED', { name: 'Error', message: 'no' })],
  ])('is of its class where that is ours: %s', (_name, error) => {
    const read = passed(error)
    expect(read).toBeInstanceOf(error.constructor)
    expect(read).toStrictEqual(error)
  })

  it('keeps all errors of an aggregate', () => {
    const error = new AggregateError([new Error('a'), 'b', new TypeError('c')], 'all')
    const read = passed(error) as AggregateError
    expect(read).toBeInstanceOf(AggregateError)
    expect(read.errors).toEqual([new Error('a'), 'b', new TypeError('c')])
  })

  it('keeps what an abort says', () => {
    const read = passed(new DOMException('late', 'AbortError')) as Error
    expect([read.name, read.message]).toEqual(['AbortError', 'late'])
  })

  const itself: Error & { self?: unknown } = new Error('a')
  itself.self = itself
  itself.cause = itself
  const request = { socket: { on() {} }, request: null as unknown }
  request.request = request
  const many = Array.from({ length: 9_999 }, (_, n) => new Error(`${n}`))
  it.each<[string, unknown, object]>([
    ['refers to itself', itself, { message: 'a' }],
    ['holds what cannot be stored', Object.assign(new Error('a'), { request, status: 1 }), { message: 'a', status: 1 }],
    ['has an instance as its cause', new Error('a', { cause: new Invoice() }), { message: 'a' }],
    ['has no message that can be read', unreadable(), { message: 'An error without a readable message.' }],
    ['is large', Object.assign(new Error('x'.repeat(2_000_000)), { data: 'x'.repeat(2_000_000) }), { name: 'Error' }],
    ['has many fields', Object.assign(new Error('a'), fields(200)), { message: 'a' }],
    ['has many causes', causes(5_000), { message: 'cause 5000' }],
    ['has many errors', new AggregateError(many, 'a'), { message: 'a' }],
  ])('is stored though it %s', (_what, error, expected) => {
    const read = passed(error)
    expect(read).toBeInstanceOf(Error)
    expect(read).toMatchObject(expected)
  })

  it('is stored whatever hangs on it', () => {
    const hanging = fc.oneof(
      fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true, withObjectString: true }),
      fc.constantFrom(() => {}, Symbol('s'), itself, new Invoice(), new WeakMap(), unreadable()),
    )
    const key = fc.oneof(fc.string(), fc.constantFrom('name', 'message', 'stack', 'code', 'cause', 'errors', 'toJSON'))
    fc.assert(
      fc.property(fc.dictionary(key, hanging), (each) => {
        expect(passed(Object.assign(new Error('a'), { revoked: revoked() }, each))).toBeInstanceOf(Error)
      }),
    )
  })
})

function unreadable(): Error {
  const error = new Error('a')
  for (const name of ['stack', 'message', 'name', 'code', 'cause', 'field']) {
    Object.defineProperty(error, name, { enumerable: true, get: () => fail('never') })
  }
  return error
}

function fields(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 'x'.repeat(16_000)]))
}

function causes(count: number): Error {
  let error = new Error('cause 0')
  for (let index = 1; index <= count; index += 1) error = new Error(`cause ${index}`, { cause: error })
  return error
}

describe('a large text', () => {
  const rows = Array.from({ length: 5_000 }, (_, id) => ({ id, name: `row ${id}` }))

  it('is compressed', () => {
    const text = encode(rows) ?? ''
    expect(text.length).toBeLessThan(JSON.stringify(rows).length / 3)
    expect(text).toMatch(/^Z[\w+/=]+$/)
    expect(decodeValue(text)).toEqual(rows)
  })

  it('is compressed with its types', () => {
    const typed = { at: new Date(0), rows, n: -0 }
    expect(encode(typed)).toMatch(/^Z/)
    expect(passed(typed)).toStrictEqual(typed)
  })

  it('stays as it is where that does not help', () => {
    let state = 1
    const bytes = Uint8Array.from({ length: 200_000 }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return state >>> 24
    })
    expect(encode(bytes)).toMatch(/^T/)
    expect(passed(bytes)).toEqual(bytes)
  })

  it('stays as it is below 8 KiB', () => {
    expect(encode('x'.repeat(8_000))).toMatch(/^"x/)
  })
})

describe('a text that nobody encoded', () => {
  it.each([
    '',
    'T',
    'Z',
    'T{',
    'Zabc',
    '{"a":',
    'x',
    'T{"$":"Nothing","v":1}',
    'T{"$":"BigInt","v":"x"}',
    'T{"$":"Map"}',
  ])('is refused clearly: %j', (text) => {
    expect(() => decodeValue(text)).toThrow(expect.objectContaining({ code: 'payload.unreadable' }))
  })

  it('is not told as it is, where a terminal would obey it', () => {
    expect(() => decodeValue('\u001b[2J')).toThrow(/^A stored value cannot be read: "[\x20-\x7e…]+"$/)
  })
})
