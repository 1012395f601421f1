import { describe, expect, it } from 'vitest'
import { findingsOf } from './check.ts'
import type { JsonSchema } from './shape.ts'

const object = (properties: JsonSchema, required: readonly string[] = []) => ({ type: 'object', properties, required })

describe('a value is', () => {
  it.each<[string, JsonSchema, unknown, readonly (readonly [string, string])[]]>([
    ['missing where there has to be one', { type: 'string' }, undefined, [['', 'required']]],
    ['not missing where there is a default', { type: 'string', default: 'a' }, undefined, []],
    ['missing in a field', object({ a: { type: 'string' } }, ['a']), {}, [['/a', 'required']]],
    ['not missing in a field that may be left out', object({ a: { type: 'string' } }), {}, []],
    ['of another kind', object({ a: { type: 'string' } }), { a: 5 }, [['/a', 'type']]],
    ['null where it may not be', object({ a: { type: 'string' } }), { a: null }, [['/a', 'type']]],
    ['null where it may be', object({ a: { type: ['string', 'null'] } }), { a: null }, []],
    ['too short', { type: 'string', minLength: 2 }, 'a', [['', 'minLength']]],
    ['long enough in characters', { type: 'string', maxLength: 1 }, '😀', []],
    ['too long', { type: 'string', maxLength: 1 }, 'ab', [['', 'maxLength']]],
    ['of another form', { type: 'string', pattern: '^\\d+$' }, 'a', [['', 'pattern']]],
    ['of a form nobody can read', { type: 'string', pattern: '(' }, 'a', []],
    ['no whole number', { type: 'integer' }, 1.5, [['', 'integer']]],
    ['too small', { type: 'number', minimum: 2 }, 1, [['', 'minimum']]],
    ['at an open bound', { type: 'number', exclusiveMinimum: 2 }, 2, [['', 'above']]],
    ['too large', { type: 'number', exclusiveMaximum: 2 }, 2, [['', 'below']]],
    ['none of the choices', { enum: ['a', 1] }, '1', [['', 'choice']]],
    ['one of the choices', { enum: ['a', 1] }, 1, []],
    ['too few', { type: 'array', items: {}, minItems: 1 }, [], [['', 'minItems']]],
    ['too many', { type: 'array', items: {}, maxItems: 1 }, [1, 2], [['', 'maxItems']]],
    ['wrong inside', { type: 'array', items: { type: 'integer' } }, [1, 'x'], [['/1', 'type']]],
    ['at a name with a slash', object({ 'a/b~': { type: 'string' } }, ['a/b~']), {}, [['/a~1b~0', 'required']]],
    ['left to the server', { allOf: [{ type: 'string' }] }, 5, []],
  ])('%s', (_, schema, value, expected) => {
    expect(findingsOf(schema, value).map(({ pointer, code }) => [pointer, code])).toEqual(expected)
  })

  it('looked at no deeper than a form goes, where a schema names itself', () => {
    const schema = { ...object({ next: { $ref: '#' } }), default: {} }
    let value: object = {}
    for (let depth = 0; depth < 100; depth += 1) value = { next: value }
    expect(findingsOf(schema, value)).toEqual([])
  })
})
