import fc from 'fast-check'

type Schema = Readonly<Record<string, unknown>>

/** What nobody gets back, whatever he has put it into: more of it than fits into a quotation. */
export const MARK = 'm4rk'.repeat(60)

/** Texts that have broken somebody's parser, query, log or page. */
const TEXTS: readonly string[] = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u202e\u2066',
  '\u200b',
  '\ufeff',
  '😀'.repeat(300),
  `e${'\u0301'.repeat(10_000)}`,
  'x'.repeat(100_000),
  MARK,
  "' OR 1=1--",
  '%_\\',
  '<img src=x onerror=alert(1)>',
  '\r\n2026-01-01 INFO forged line',
  '{{7*7}}',
  '=cmd()',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'NaN',
  '1e400',
  '0 0 30 2 *',
  '* * * * *',
  '0 0 * * *\n* * * * *',
  'America/Sao_Paulo',
  'Mars/X',
  '2026-02-30T00:00:00Z',
  '2026-01-31T09:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '+275760-09-13T00:00:00Z',
  'infinity',
  '0190a4b2-0000-7000-8000-00000000000f',
  '{0190a4b2-0000-7000-8000-00000000000f}',
  'http://169.254.169.254/',
  'unlimited',
  'APPROVED',
]

const NUMBERS: readonly number[] = [
  0,
  -0,
  1,
  -1,
  1.5,
  5,
  30,
  255,
  256,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32,
  1e12,
  1e21,
  5e-324,
  2 ** 53 - 1,
  2 ** 53,
  -(2 ** 53),
]

const leaf = fc.oneof(
  fc.constantFrom(...TEXTS),
  fc.constantFrom(...NUMBERS),
  fc.constantFrom(null, true, false),
  fc.string({ unit: 'binary', maxLength: 50 }),
)

/** JSON of any kind. */
const anything = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(
      fc.oneof(fc.constantFrom('type', 'a', ...TEXTS.slice(0, 8)), fc.string({ maxLength: 8 })),
      tie('value'),
      {
        maxKeys: 4,
      },
    ),
    fc.integer({ min: 60, max: 80 }).map((depth) => nested(depth)),
  ),
})).value

function nested(depth: number): unknown {
  return depth === 0 ? 1 : [nested(depth - 1)]
}

/** What a schema describes, with now and then something in it that the schema does not say. */
export function almost(schema: Schema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 6, arbitrary: described(schema) }, { weight: 1, arbitrary: anything })
}

function described(schema: Schema): fc.Arbitrary<unknown> {
  const choices = (schema['anyOf'] ?? schema['oneOf']) as readonly Schema[] | undefined
  if (choices) return fc.oneof(...choices.map(almost))
  if (schema['const'] !== undefined) return fc.constant(schema['const'])
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]))
  switch (schema['type']) {
    case 'object':
      return object(schema)
    case 'array':
      return fc.array(almost((schema['items'] ?? {}) as Schema), { maxLength: 3 })
    case 'string':
      return fc.oneof(fc.constantFrom(...TEXTS), fc.string({ minLength: 3, maxLength: 20 }))
    case 'integer':
    case 'number':
      return fc.constantFrom(...NUMBERS)
    case 'boolean':
      return fc.boolean()
    default:
      return anything
  }
}

function object({ properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> {
  const fields = Object.entries(properties as Record<string, Schema>).map(
    ([name, schema]) => [name, almost(schema)] as const,
  )
  const known = fc.record(Object.fromEntries(fields), { requiredKeys: required as string[] })
  const strange = fc.dictionary(fc.string({ maxLength: 10 }), leaf, { maxKeys: 2 })
  return fc.oneof(
    { weight: 5, arbitrary: known },
    { weight: 1, arbitrary: fc.tuple(known, strange).map(([one, other]) => ({ ...one, ...other })) },
  )
}

/** Text for a parameter of a path or a query. */
export const parameter: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...TEXTS.filter((text) => text.length < 1_000 && !/\p{Surrogate}/u.test(text)),
    '1',
    '200',
    '-1',
    '1,2',
    'true',
  ),
  fc.webFragments(),
)
