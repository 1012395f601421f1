import { describe, expect, it } from 'vitest'
import { refusal } from '../../../test/harness/instants.ts'
import { MAX_PAYLOAD_BYTES } from '../../job/execution/payload.ts'
import { decodeValue, encodeInput, encodeOutput } from '../codec.ts'

class Invoice {
  readonly id = 1
}

const throwing = {
  get b(): unknown {
    throw new Error('not now')
  },
}

describe('data of a job that is not durable', () => {
  it.each<[string, unknown, string | null]>([
    ['nothing', undefined, null],
    ['null', null, 'null'],
    ['text', 'a', '"a"'],
    ['a tree', { a: [1, { b: 'c' }] }, '{"a":[1,{"b":"c"}]}'],
    ['fields that are undefined', { a: undefined, b: { c: undefined, d: 1 } }, '{"b":{"d":1}}'],
    ['what says how it is written', { toJSON: () => [1] }, '[1]'],
    ['what says it within', { a: { toJSON: () => ({ b: 1 }) } }, '{"a":{"b":1}}'],
    ['NUL', '\0', '"\\u0000"'],
    ['half a character', '\ud800', '"\\ud800"'],
    ['minus zero', [-0], '[0]'],
    ['what looks like a tag', { $: 'Date', v: 'x' }, '{"$":"Date","v":"x"}'],
    ['a long text', 'x'.repeat(100_000), `"${'x'.repeat(100_000)}"`],
    ['a deep tree', nestedList(1_000), JSON.stringify(nestedList(1_000))],
  ])('is stored as JSON.stringify writes it: %s', (_what, value, text) => {
    expect(encodeInput(value, 'Input')).toBe(text)
    expect(encodeOutput(value, 'Output')).toBe(text)
  })

  it.each<[string, unknown, unknown]>([
    ['a date', { at: new Date(0) }, { at: new Date(0) }],
    ['a date that is none', [new Date(Number.NaN)], [new Date(Number.NaN)]],
    ['a big integer', 1n, 1n],
    ['a map of sets', new Map([['a', new Set([1])]]), new Map([['a', new Set([1])]])],
    ['bytes', new Uint8Array([1, 2]), new Uint8Array([1, 2])],
    ['what is no number', [Number.NaN, -0], [Number.NaN, 0]],
    ['nothing in a list', [undefined, 1], [undefined, 1]],
    ['an address', new URL('https://example.com/'), new URL('https://example.com/')],
    ['a date beside fields without a value', { at: new Date(0), b: undefined }, { at: new Date(0) }],
    ['a date beside what looks like a tag', { $: 'Date', at: new Date(0) }, { $: 'Date', at: new Date(0) }],
  ])('keeps its type: %s', (_what, value, expected) => {
    for (const encodeJob of [encodeInput, encodeOutput]) {
      const text = encodeJob(value, 'Input')
      expect(text).toMatch(/^T/)
      expect(decodeValue(text)).toStrictEqual(expected)
    }
  })

  it('is never compressed: others compare its text', () => {
    expect(encodeInput([new Date(0), 'x'.repeat(100_000)], 'Input')).toMatch(/^T\[/)
  })

  const circular: { self?: unknown } = {}
  circular.self = circular
  it.each<[string, unknown, string]>([
    ['a function', { steps: [() => {}] }, 'steps[0] is a function;'],
    ['a symbol', [Symbol('x')], '[0] is a symbol;'],
    ['an instance', { 'a b': new Invoice() }, '["a b"] is an instance of Invoice;'],
    ['what holds itself', { a: circular }, 'a.self leads back to what it is in;'],
    ['what cannot be read', { a: throwing }, 'a.b cannot be read (not now);'],
  ])('is refused as an input with the path to it: %s', (_what, value, message) => {
    const error = refusal(() => encodeInput(value, 'Input of job type "x"'))
    expect(error).toMatchObject({ code: 'payload.unstorable' })
    expect(error.message).toContain(`Input of job type "x": ${message}`)
  })

  it('loses as an output what JSON loses, and keeps the rest', () => {
    const output = {
      at: new Date(0),
      invoice: new Invoice(),
      send: () => {},
      list: [() => {}, new WeakMap()],
      [Symbol('s')]: 1,
    }
    const kept = { at: new Date(0), invoice: { id: 1 }, list: [null, {}] }
    expect(decodeValue(encodeOutput(output, 'Output'))).toStrictEqual(kept)
    expect(encodeOutput({ invoice: new Invoice() }, 'Output')).toBe(JSON.stringify({ invoice: new Invoice() }))
  })

  it.each<[string, unknown, string]>([
    ['a function', () => 1, 'Output is a function;'],
    ['what holds itself', circular, 'Output: self leads back to what it is in;'],
  ])('is refused as an output: %s', (_what, value, message) => {
    expect(refusal(() => encodeOutput(value, 'Output')).message).toContain(message)
  })

  it.each([
    ['ASCII that just fits', 'x'.repeat(MAX_PAYLOAD_BYTES - 2), true],
    ['one byte more', 'x'.repeat(MAX_PAYLOAD_BYTES - 1), false],
    ['three bytes each that just fit', '€'.repeat((MAX_PAYLOAD_BYTES - 4) / 3), true],
    ['one of them more', '€'.repeat((MAX_PAYLOAD_BYTES - 4) / 3 + 1), false],
    ['four bytes each', '😀'.repeat(MAX_PAYLOAD_BYTES / 4), false],
  ])('is measured in bytes: %s', (_what, text, fits) => {
    if (fits) return expect(encodeInput(text, 'Input')).toHaveLength(text.length + 2)
    const error = refusal(() => encodeInput(text, 'Input'))
    expect(error).toMatchObject({ code: 'payload.too_large', details: { maxBytes: MAX_PAYLOAD_BYTES } })
  })
})

function nestedList(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level += 1) value = [value]
  return value
}
