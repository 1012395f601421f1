import { isDeepStrictEqual } from 'node:util'
import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { decodeValue, encodeInput, encodeValue } from '../../../src/durable/codec.ts'
import { canonicalText, isSamePayload } from '../../../src/job/execution/payload.ts'
import { plain } from '../../../src/service/wire-value.ts'
import { type Check, check } from './check.ts'
import { reading, requireEqual, requireThat, requireUnpolluted, within } from './expectations.ts'
import { anyText, anyTextOrLong, damaged } from './texts.ts'

const REFUSALS = ['payload.unstorable', 'payload.too_large']
const UNREADABLE = ['payload.unreadable', 'payload_erased', 'payload_undecryptable']
const CODING_MS = 1_000

/** What the reference says can be stored, as it is and as it comes back. */
const leaf: fc.Arbitrary<unknown> = fc.oneof(
  fc.bigInt(),
  // Two dates that are none are never equal to Node.js; src/durable/codec.test.ts has one.
  fc.date({ noInvalidDate: true }),
  fc.constantFrom(undefined, null, true, false, Number.NaN, -0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
  fc.double(),
  anyText,
  fc.uint8Array(),
  fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  fc.uint8Array().map((bytes) => bytes.buffer.slice(0)),
  fc.float64Array(),
  fc.bigInt64Array(),
  fc.int16Array(),
  fc.webUrl().map((url) => new URL(url)),
  fc.constantFrom(/a\/b$/giu, /\n[\]]/, /(?<x>.)/s, /(?:)/, /\ud83d\ude00/u),
  fc.tuple(fc.constantFrom(Error, TypeError, RangeError), anyText).map(([Kind, message]) => new Kind(message)),
)

const key = fc.oneof(fc.string(), fc.constantFrom('$', 'v', '__proto__', 'toString', 'constructor', 'length', '0'))

/** With everything that may stand in something else. */
const { value: storable } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(key, tie('value'), { maxKeys: 5, noNullPrototype: true }),
    fc.array(fc.tuple(tie('value'), tie('value')), { maxLength: 3 }).map((entries) => new Map(entries)),
    fc.array(tie('value'), { maxLength: 3 }).map((items) => new Set(items)),
    fc.tuple(anyText, tie('value')).map(([message, cause]) => new Error(message, { cause })),
    fc.array(tie('value'), { maxLength: 3 }).map((errors) => new AggregateError(errors, 'several')),
  ),
}))

/** Large enough that it is compressed. */
const large = fc
  .tuple(storable, fc.integer({ min: 1_000, max: 3_000 }))
  .map(([value, length]) => ({ value, rows: Array.from({ length }, (_, id) => ({ id, name: `row ${id}` })) }))

/** What may not be stored, or not as it is: holes, instances, functions, symbols, what leads back to itself. */
const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.anything({
    withBigInt: true,
    withMap: true,
    withSet: true,
    withNullPrototype: true,
    withBoxedValues: true,
    withObjectString: true,
    withSparseArray: true,
    withTypedArray: true,
  }),
  fc.func(fc.nat()),
  fc.constantFrom(Symbol('s'), new WeakMap(), Promise.resolve(), new (class Invoice {})(), cyclic()),
  fc.integer({ min: 400, max: 20_000 }).map((depth) => nested(depth)),
)

function cyclic(): unknown {
  const list: unknown[] = []
  list.push({ back: list })
  return list
}

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

function passed(value: unknown): unknown {
  return decodeValue(encodeValue(value, 'Input'))
}

const TAGS = [
  'Object',
  'undefined',
  'Number',
  'BigInt',
  'Date',
  'RegExp',
  'URL',
  'Map',
  'Set',
  'Error',
  'Buffer',
  'Uint16Array',
  'DataView',
  'ArrayBuffer',
  'Nothing',
  '__proto__',
  'constructor',
]

/** JSON with tags as nobody would write them. */
const { value: misTagged } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.jsonValue({ maxDepth: 1 }),
    anyText,
    fc.tuple(fc.constantFrom(...TAGS), tie('value')).map(([tag, content]) => ({ $: tag, v: content })),
    fc.record({
      $: fc.constant('Error'),
      v: fc.dictionary(
        fc.constantFrom('type', 'name', 'message', 'stack', 'code', 'cause', 'errors', 'fields', '__proto__'),
        tie('value'),
      ),
    }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4 }),
  ),
}))

const stored = storable.map((value) => encodeValue(value, 'Input') ?? '')

/** What becomes more than anybody has stored when it is unpacked. */
const bombs = [1, 20, 65].map((megabytes) => compressed(`"${'x'.repeat(megabytes * 1_048_576)}"`))

/** Texts that might stand where a value was stored. */
const storedText: fc.Arbitrary<string> = fc.oneof(
  { weight: 60, arbitrary: anyTextOrLong },
  {
    weight: 60,
    arbitrary: damaged(stored, ['{"$":', '"v":', 'T', 'Z', '"Map"', '"Error"', '"__proto__":', '[', ']', '{', '}']),
  },
  { weight: 60, arbitrary: misTagged.map((json) => `T${JSON.stringify(json)}`) },
  { weight: 20, arbitrary: misTagged.map((json) => compressed(`T${JSON.stringify(json)}`)) },
  { weight: 20, arbitrary: fc.string({ unit: 'binary' }).map((text) => `Z${Buffer.from(text).toString('base64')}`) },
  {
    weight: 5,
    arbitrary: fc.tuple(anyText, fc.integer({ min: 1, max: 40 })).map(([text, times]) => repeatedly(text, times)),
  },
  { weight: 5, arbitrary: deepText() },
  { weight: 1, arbitrary: fc.constantFrom(...bombs) },
)

/** Opened again and again, and closed or not. */
function deepText(): fc.Arbitrary<string> {
  const opening = fc.constantFrom('[', '{"a":', '{"$":"Map","v":[', '{"$":"Object","v":{"a":')
  return fc
    .tuple(fc.constantFrom('', 'T'), opening, fc.integer({ min: 1, max: 30_000 }), fc.boolean())
    .map(
      ([mark, open, depth, isClosed]) => `${mark}${open.repeat(depth)}1${isClosed ? closing(open).repeat(depth) : ''}`,
    )
}

function closing(open: string): string {
  return open
    .replaceAll(/[^[{]/g, '')
    .split('')
    .toReversed()
    .map((bracket) => (bracket === '[' ? ']' : '}'))
    .join('')
}

function compressed(text: string): string {
  return `Z${deflateRawSync(text).toString('base64')}`
}

function repeatedly(text: string, times: number): string {
  let result = text
  for (let turn = 0; turn < times; turn += 1) result = compressed(result)
  return result
}

export const codecChecks: readonly Check[] = [
  check(
    {
      target: 'codec',
      name: 'what can be stored comes back as it was',
      inputs: 'values stored and read back',
      share: 2,
      invariants: ['I14'],
    },
    () =>
      fc.property(fc.oneof({ weight: 9, arbitrary: storable }, large), (value) => {
        const text = within(CODING_MS, 'storing it', () => encodeValue(value, 'Input'))
        const again = within(CODING_MS, 'reading it', () => decodeValue(text))
        requireThat(isDeepStrictEqual(again, value), () => `came back as another, from ${text?.slice(0, 500)}`)
        requireEqual(encodeValue(again, 'Input'), text, 'what is stored of it once more')
        const input = within(CODING_MS, 'storing it as an input', () => encodeInput(value, 'Input'))
        requireEqual(encodeInput(decodeValue(input), 'Input'), input, 'what is stored of an input once more')
        requireThat(text === null || JSON.stringify(plain(again)) !== undefined, () => 'cannot be shown')
        requireUnpolluted()
      }),
  ),
  check(
    {
      target: 'codec',
      name: 'what cannot be stored is refused, and what can is the same ever after',
      inputs: 'values of any kind that were stored',
      share: 2,
    },
    () =>
      fc.property(odd, (value) => {
        const result = within(CODING_MS, 'storing it', () => reading(() => encodeValue(value, 'Input'), REFUSALS))
        requireUnpolluted()
        if (!('value' in result)) return
        // Holes, prototypes and what toJSON hides are gone the first time, and nothing is from then on.
        const once = decodeValue(result.value)
        requireThat(isDeepStrictEqual(passed(once), once), () => 'is another when it is stored again')
      }),
  ),
  check(
    {
      target: 'codec',
      name: 'any text is read, or refused as unreadable',
      inputs: 'texts read as stored values',
      share: 2,
    },
    () =>
      fc.property(storedText, (text) => {
        const result = within(CODING_MS, 'reading it', () => reading(() => decodeValue(text), UNREADABLE))
        requireUnpolluted()
        if ('value' in result) within(CODING_MS, 'showing it', () => JSON.stringify(plain(result.value)))
      }),
  ),
  check(
    {
      target: 'codec',
      name: 'payloads are the same whatever the order of their fields',
      inputs: 'payloads stored and compared',
    },
    () =>
      fc.property(fc.jsonValue({ maxDepth: 5 }), anyTextOrLong, (value, other) => {
        const text = encodeInput(value, 'Input') ?? ''
        requireEqual(text, JSON.stringify(value), 'the text of a payload that JSON holds')
        requireEqual(JSON.stringify(decodeValue(text)), text, 'a payload read again')
        requireThat(
          isSamePayload(text, JSON.stringify(reversed(value))),
          () => 'the same payload in another order is another',
        )
        requireEqual(canonicalText(canonicalText(text)), canonicalText(text), 'the one text of it')
        requireEqual(
          isSamePayload(text, other),
          text === other || canonicalText(text) === canonicalText(other),
          'two payloads',
        )
      }),
  ),
]

function reversed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(reversed)
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, each]) => [name, reversed(each)]),
  )
}
