import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { StandardSchema } from '../../../job/type/standard-schema.ts'
import { inputSchemaOf } from './input-schema.ts'

/** A schema of a library that is not Zod. */
function schemaWith(jsonSchema?: unknown): StandardSchema {
  const standard = { version: 1 as const, vendor: 'other', validate: (value: unknown) => ({ value }) }
  return { '~standard': jsonSchema === undefined ? standard : { ...standard, jsonSchema } } as StandardSchema
}

const onlyDraft7 = {
  input: ({ target }: { target: string }) => {
    if (target !== 'draft-07') throw new Error('unsupported target')
    return { type: 'number' }
  },
}
const throwing = {
  input: () => {
    throw new Error('cannot be represented')
  },
}

const throwingAtOnce = {
  '~standard': {
    ...schemaWith()['~standard'],
    get jsonSchema(): never {
      throw new Error('not in this version')
    },
  },
} as StandardSchema

describe('the JSON Schema of an input', () => {
  it.each<[string, StandardSchema | null, object | null]>([
    ['none', null, null],
    ['Zod, as it is given, not as it is read', z.object({ month: z.string().default('2026-03') }), { type: 'object' }],
    [
      'what JSON has no words for may be anything',
      z.object({ at: z.date(), by: z.string() }),
      {
        properties: { at: {}, by: { type: 'string' } },
      },
    ],
    ['what is transformed', z.string().transform(Number), { type: 'string' }],
    ['another library', schemaWith({ input: () => ({ type: 'integer' }) }), { type: 'integer' }],
    ['another library that knows draft-07 alone', schemaWith(onlyDraft7), { type: 'number' }],
    ['a library that throws', schemaWith(throwing), null],
    ['a library that throws before it is asked', throwingAtOnce, null],
    ['a library that gives nothing', schemaWith({ input: () => undefined }), null],
    ['a library that gives no object', schemaWith({ input: () => ['a'] }), null],
    ['a library that gives what JSON cannot hold', schemaWith({ input: () => ({ max: 1n }) }), null],
    ['a library without it', schemaWith(), null],
    ['something that only looks like Zod', { ...schemaWith(), _zod: {} } as StandardSchema, null],
  ])('%s', (_, schema, expected) => {
    const read = inputSchemaOf(schema)
    if (expected === null) expect(read).toBeNull()
    else expect(read).toMatchObject(expected)
    expect(inputSchemaOf(schema)).toBe(read)
  })

  it('does not require what has a default', () => {
    expect(inputSchemaOf(z.object({ month: z.string().default('2026-03') }))).not.toHaveProperty('required')
  })

  it('says that of a schema that holds itself', () => {
    const tree = z.object({
      name: z.string(),
      get children() {
        return z.array(tree)
      },
    })
    expect(() => JSON.stringify(inputSchemaOf(tree))).not.toThrow()
    expect(inputSchemaOf(tree)).not.toBeNull()
  })
})
