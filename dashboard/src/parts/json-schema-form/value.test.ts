import { describe, expect, it } from 'vitest'
import type { JsonSchema } from './shape.ts'
import { problemsBelow, readJson, startingValue, unnamedFields, withField } from './value.ts'

describe('a form begins with', () => {
  it.each<[string, JsonSchema | null, unknown]>([
    ['nothing where anything may be given', null, undefined],
    ['the default of the whole', { type: 'object', properties: { a: {} }, default: {} }, {}],
    [
      'what has to be there',
      {
        type: 'object',
        properties: {
          on: { type: 'boolean' },
          list: { type: 'array', items: {} },
          inner: { type: 'object', properties: { kind: { const: 'x' } }, required: ['kind'] },
          name: { type: 'string' },
          more: { type: 'boolean', default: true },
        },
        required: ['on', 'list', 'inner', 'name'],
      },
      { on: false, list: [], inner: { kind: 'x' } },
    ],
    ['an end, where a schema names itself', { $ref: '#' }, undefined],
  ])('%s', (_, schema, expected) => {
    expect(startingValue(schema)).toEqual(expected)
  })
})

describe('a field', () => {
  it('keeps its place, and the others that no schema names', () => {
    expect(Object.entries(withField({ a: 1, other: 2 }, 'a', 3))).toEqual([
      ['a', 3],
      ['other', 2],
    ])
  })

  it('that is left empty is taken out', () => {
    expect(withField({ a: 1, b: 2 }, 'a', undefined)).toEqual({ b: 2 })
  })

  it('of nothing makes an object', () => expect(withField(null, 'a', 1)).toEqual({ a: 1 }))

  it('that no schema names is named', () => {
    const shape = { kind: 'object', fields: [{ name: 'a', schema: {}, isRequired: false }] } as const
    expect(unnamedFields({ a: 1, b: 2 }, shape)).toEqual(['b'])
  })
})

it.each<[string, unknown]>([
  ['', undefined],
  ['  ', undefined],
  ['null', null],
  ['{"a":1}', { a: 1 }],
])('the text %j stands for %j', (text, value) => expect(readJson(text)).toEqual({ value }))

it('text that is no JSON stands for nothing', () => expect(readJson('{a}')).toHaveProperty('error'))

it('problems of a part are told by where they are in it', () => {
  const problems = ['/payload', '/payload/url', '/payloads', '/name'].map((pointer) => ({ pointer }))
  expect(problemsBelow(problems, '/payload')).toEqual([{ pointer: '' }, { pointer: '/url' }])
})
