import { describe, expect, it } from 'vitest'
import { type JsonSchema, shapeOf } from './shape.ts'

const text = { kind: 'text', isLong: false, minLength: null, maxLength: null, pattern: null }
const closed = { minimum: false, maximum: false }

describe('a schema asks for', () => {
  it.each<[string, JsonSchema, object]>([
    ['a line of text', { type: 'string' }, text],
    ['bounds of a text', { type: 'string', minLength: 1, pattern: '^a' }, { ...text, minLength: 1, pattern: '^a' }],
    ['lines where there is room for them', { type: 'string', maxLength: 1_000 }, { isLong: true }],
    ['a date', { type: 'string', format: 'date' }, { kind: 'moment', format: 'date' }],
    ['an instant', { type: 'string', format: 'date-time' }, { kind: 'moment', format: 'date-time' }],
    ['text for a format without a control', { type: 'string', format: 'uri' }, text],
    [
      'a number between bounds',
      { type: 'number', minimum: 1, maximum: 2 },
      { kind: 'number', isInteger: false, minimum: 1, maximum: 2, isOpen: closed },
    ],
    [
      'a number above a bound',
      { type: 'integer', exclusiveMinimum: 0, maximum: 9_007_199_254_740_991 },
      { isInteger: true, minimum: 0, maximum: null, isOpen: { minimum: true, maximum: false } },
    ],
    ['yes or no', { type: 'boolean' }, { kind: 'boolean' }],
    ['one of several', { type: 'string', enum: ['a', 'b'] }, { kind: 'choice', choices: ['a', 'b'] }],
    ['the only one', { const: 5 }, { kind: 'choice', choices: [5] }],
    ['one of constants', { anyOf: [{ const: 1 }, { const: null }] }, { kind: 'choice', choices: [1, null] }],
    [
      'fields',
      { type: 'object', properties: { a: { type: 'string' }, b: true }, required: ['a'] },
      {
        kind: 'object',
        fields: [
          { name: 'a', schema: { type: 'string' }, isRequired: true },
          { name: 'b', schema: {}, isRequired: false },
        ],
      },
    ],
    ['a list', { type: 'array', items: { type: 'string' } }, { kind: 'list', item: { type: 'string' } }],
    ['JSON for a list of places', { type: 'array', prefixItems: [], items: {} }, { kind: 'json' }],
    ['JSON for fields of any name', { type: 'object', additionalProperties: {} }, { kind: 'json' }],
    ['JSON for one of several kinds', { anyOf: [{ type: 'string' }, { type: 'number' }] }, { kind: 'json' }],
    ['JSON for several kinds at once', { type: ['string', 'number'] }, { kind: 'json' }],
    ['JSON for anything', {}, { kind: 'json' }],
    ['JSON for what is no list of choices', { enum: [{ a: 1 }] }, { kind: 'json' }],
  ])('%s', (_, schema, shape) => {
    expect(shapeOf(schema, schema).shape).toMatchObject(shape)
  })
})

describe('what may be null', () => {
  it.each<[string, JsonSchema]>([
    ['by its type', { type: ['string', 'null'] }],
    ['by one of two', { anyOf: [{ type: 'string' }, { type: 'null' }] }],
    ['by one of two behind a reference', { anyOf: [{ $ref: '#/$defs/name' }, { type: 'null' }] }],
  ])('is what it is else, %s', (_, schema) => {
    const root = { $defs: { name: { type: 'string' } } }
    expect(shapeOf(schema, root)).toMatchObject({ shape: text, isNullable: true })
  })
})

describe('a reference', () => {
  const root = { $defs: { 'a/b': { type: 'string', title: 'Name' }, again: { $ref: '#/$defs/again' } } }

  it('leads into the whole, and what stands beside it goes before', () => {
    expect(shapeOf({ $ref: '#/$defs/a~1b', description: 'of it' }, root)).toEqual({
      shape: text,
      title: 'Name',
      description: 'of it',
      isNullable: false,
    })
  })

  it.each(['#/$defs/nobody', '#/$defs/again', 'https://example.com/x', '#/constructor'])(
    'to %s is anything',
    ($ref) => {
      expect(shapeOf({ $ref }, root).shape).toEqual({ kind: 'json' })
    },
  )
})
