import fc from 'fast-check'
import { ZONES } from '../../../suites/oracle/cron-sweep.ts'
import { chanceOf } from '../../../suites/oracle/expressions.ts'
import { randomCalendar, randomPlace, randomPlain } from '../../../suites/oracle/random-json.ts'
import { grammatical } from '../cron-texts.ts'
import { type Components, isValid, type Schema } from './json-schema.ts'

/** Stands for something that is there when the request is sent: the third job, or an execution of somebody else. */
export const PLACEHOLDER = /^@(job|execution|key|calendar|foreign):(\d)$/

const id = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.constantFrom('job', 'execution', 'key', 'foreign'), fc.nat(9))
      .map(([kind, index]) => `@${kind}:${index}`),
  },
  { weight: 1, arbitrary: fc.uuid() },
)

/** Visible text without anything that JSON of the API does not take. */
const visible = fc.oneof(
  fc.string({ unit: fc.constantFrom(...Array.from('abcdefgh XYZ-_.:/0123456789çãé€日')), maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }).filter((text) => !/[\p{Cc}\p{Cf}]/u.test(text)),
)

/** What makes sense where a field has this name: without it hardly anything would be accepted. */
const SENSIBLE: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  jobType: fc.constantFrom(
    'ImportarFaturas',
    'Falhar',
    'Demorar',
    'Estrito',
    'DeletarDadosObsoletos',
    'Pedido',
    'Resumo',
    'Nenhum',
  ),
  cronExpression: fc.oneof(fc.constantFrom('0 2 * * *', '*/5 * * * *', '0 0 1 1 *', '0 0 30 2 *'), grammatical),
  timeZone: fc.constantFrom(...ZONES),
  calendar: fc.constantFrom('@calendar:0', '@calendar:1', null),
  trigger: fc.nat().map((seed) => randomPlain(chanceOf(seed), randomPlace(chanceOf(seed)))),
  definition: fc.nat().map((seed) => randomCalendar(chanceOf(seed), randomPlace(chanceOf(seed)))),
  misfirePolicy: fc.constantFrom('smart', 'fireNow', 'fireAll', 'skipToNext', 'ignore'),
  overlap: fc.constantFrom('allow', 'queue', 'skip', 'replace', { atMost: 2 }),
  q: fc.constantFrom('', 'job', 'status:failed', 'tag:a after:2d', 'type:Falhar', '"a'),
  url: fc.constantFrom('https://example.com/hook', 'http://127.0.0.1/', 'ftp://x', 'https://[::1]/'),
  sequence: fc.constantFrom(1, 2, 3),
  adminAddresses: fc.array(fc.constantFrom('ana@example.com', 'bia@example.com', 'x'), { maxLength: 3 }),
}

/** Those of the names that stand for lists; elsewhere a list of that name holds something else. */
const LISTS = ['adminAddresses']

const instant = fc
  .integer({ min: Date.UTC(2025, 11, 1), max: Date.UTC(2026, 2, 1) })
  .chain((at) => fc.constantFrom(new Date(at).toISOString(), `${new Date(at).toISOString().slice(0, 19)}+02:00`))

/** Values that a schema describes; often those that also make sense. */
export function describedBy(schema: Schema, components: Components, name = ''): fc.Arbitrary<unknown> {
  const bare = bareValue(schema, components)
  const sensible = SENSIBLE[name]
  if (sensible === undefined || (schema.type === 'array') !== LISTS.includes(name)) return bare
  const fitting = sensible.filter((value) => isPlaceholder(value) || isValid(schema, value, components))
  return fc.oneof({ weight: 3, arbitrary: fitting }, { weight: 1, arbitrary: bare })
}

function isPlaceholder(value: unknown): boolean {
  return typeof value === 'string' && PLACEHOLDER.test(value)
}

function bareValue(schema: Schema, components: Components): fc.Arbitrary<unknown> {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return fc.oneof(...choices.map((choice) => bareValue(choice, components)))
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const types = schema.type === undefined ? [] : [schema.type].flat()
  if (types.length === 0) return fc.jsonValue({ maxDepth: 3 }).map(withoutOdd)
  return fc.oneof(...types.map((type) => valueOfType(type, schema, components)))
}

function valueOfType(type: string, schema: Schema, components: Components): fc.Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.integer({
        min: Math.max(schema.minimum ?? -(2 ** 31), -(2 ** 31)),
        max: Math.min(schema.maximum ?? 2 ** 31, 2 ** 31),
      })
    case 'number':
      return fc
        .oneof(fc.integer(boundsOf(schema)), fc.double({ ...boundsOf(schema), noNaN: true, noDefaultInfinity: true }))
        .filter((value) => Math.abs(value) <= Number.MAX_SAFE_INTEGER && !Object.is(value, -0))
    case 'array':
      return fc.array(describedBy(schema.items ?? {}, components), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 5, Math.max(schema.minItems ?? 0, 5)),
      })
    case 'object':
      return fieldsOf(schema, components)
    default:
      return textOf(schema)
  }
}

function boundsOf({ minimum, maximum }: Schema): { min: number; max: number } {
  return { min: minimum ?? -1_000_000, max: maximum ?? 1_000_000 }
}

function fieldsOf(
  { properties = {}, required = [], additionalProperties }: Schema,
  components: Components,
): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, describedBy(schema, components, name)]),
  )
  if (Object.keys(fields).length === 0 && additionalProperties !== false) {
    return fc.dictionary(
      fc.string({ minLength: 1, maxLength: 8 }).filter((name) => name !== '__proto__'),
      fc.jsonValue({ maxDepth: 1 }).map(withoutOdd),
      { maxKeys: 3 },
    )
  }
  // Most requests hold a few of what they might.
  return fc
    .tuple(fc.record(fields, { requiredKeys: [...required] }), fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }))
    .map(([all, kept]) =>
      Object.fromEntries(
        Object.entries(all as object).filter(([name], index) => required.includes(name) || kept[index] === true),
      ),
    )
}

function textOf(schema: Schema): fc.Arbitrary<unknown> {
  const { minLength = 0, maxLength = 60, pattern, format } = schema
  if (format === 'uuid' || pattern?.includes('[0-9a-f]{8}')) return id
  if (format === 'date-time') return instant
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern))
  const fit = (text: string) => {
    const characters = Array.from(text)
    const length = Math.max(minLength, Math.min(maxLength, characters.length))
    return characters
      .concat(Array.from({ length: minLength }, () => 'x'))
      .slice(0, length)
      .join('')
  }
  const long = fc.constantFrom('x', 'é', '日').map((character) => character.repeat(maxLength))
  return fc.oneof({ weight: 12, arbitrary: visible.map(fit) }, { weight: 1, arbitrary: long })
}

/** JSON without what the API says, outside of any schema, that it does not take. */
function withoutOdd(value: unknown): unknown {
  const text = JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'number' && Math.abs(each) > Number.MAX_SAFE_INTEGER ? 1 : each,
  )
  return JSON.parse(
    text.replaceAll(/\\u0000|\\ud[89a-f][0-9a-f]{2}/gi, '').replaceAll('"__proto__":', '"proto":'),
  ) as unknown
}
