import fc from 'fast-check'
import { HOSTILE_TEXTS } from './texts.ts'

/** JSON as somebody sends it who means harm: numbers that are none, names that reach a prototype, depth, length. */
const HOSTILE_VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1.5,
  1e21,
  1e308,
  5e-324,
  2 ** 31,
  2 ** 53,
  -(2 ** 53),
  8.64e15,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  [],
  {},
  [[]],
  { length: -1 },
  { valueOf: null },
  { toJSON: 1 },
  JSON.parse('{"__proto__":{"polluted":true}}'),
  JSON.parse('{"constructor":{"prototype":{"polluted":true}}}'),
  JSON.parse('{"type":"cron","__proto__":{"type":"once"}}'),
  ...HOSTILE_TEXTS,
]

export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...HOSTILE_VALUES) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.integer({ min: 100, max: 10_000 }).map((depth) => nested(depth)) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1_000, max: 50_000 }).map((length) => Array.from({ length }, (_, at) => at)),
  },
)

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { base: value }
  return value
}

interface JsonDamage {
  readonly kind: 'replace' | 'remove' | 'add' | 'wrap' | 'double'
  /** Which of the places there are, as a part of their number. */
  readonly at: number
  readonly key: string
  readonly value: unknown
}

const damage: fc.Arbitrary<JsonDamage> = fc.record({
  kind: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'add', 'wrap', 'double'),
  at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  key: fc.oneof(
    fc.constantFrom('type', 'base', 'trigger', 'timeZone', 'startAt', ...HOSTILE_TEXTS),
    fc.string({ maxLength: 8 }),
  ),
  value: hostileValue,
})

/** Valid JSON with one to three places in it that are not. */
export function damagedJson<Json>(valid: fc.Arbitrary<Json>): fc.Arbitrary<unknown> {
  return fc
    .tuple(valid, fc.array(damage, { minLength: 1, maxLength: 3 }))
    .map(([json, damages]) => damages.reduce<unknown>(withDamage, structuredClone(json)))
}

type Holder = Record<string, unknown>

function withDamage(json: unknown, { kind, at, key, value }: JsonDamage): unknown {
  const places = [...placesIn(json)]
  const place = places[Math.floor(at * places.length)]
  if (!place) return value
  const { holder, name } = place
  switch (kind) {
    case 'replace':
      define(holder, name, value)
      break
    case 'remove':
      // From a list this leaves a hole, which programs can pass though JSON cannot.
      delete holder[name]
      break
    case 'add':
      define(holder, Array.isArray(holder) ? String(holder.length) : key, value)
      break
    case 'wrap':
      define(holder, name, { [key]: holder[name] })
      break
    case 'double':
      define(holder, name, [holder[name], holder[name]])
      break
  }
  return json
}

/** Also where the name is `__proto__`: as a parser of JSON does. */
function define(holder: Holder, name: string, value: unknown): void {
  Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true })
}

const DEEPEST = 12

function* placesIn(json: unknown, depth = 0): Generator<{ readonly holder: Holder; readonly name: string }> {
  if (typeof json !== 'object' || json === null || depth > DEEPEST) return
  for (const name of Object.keys(json).slice(0, 20)) {
    yield { holder: json as Holder, name }
    yield* placesIn((json as Holder)[name], depth + 1)
  }
}
