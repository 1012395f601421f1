import { describe, expect, it } from 'vitest'
import { DEPTH_LIMIT, inspectJson, pointerOf } from './json-text.ts'

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

describe('a JSON text that every parser reads alike', () => {
  it.each<[string, string]>([
    ['nothing', ''],
    ['a number', '42'],
    ['the greatest integer', '9007199254740991'],
    ['a fraction', '-1.5e-3'],
    ['an object', '{"a": {"a": [1, {"a": 2}]}}'],
    ['the same text as name and as value', '{"a": "a", "b": "a"}'],
    ['names in two objects of a list', '[{"a": 1}, {"a": 2}]'],
    ['escaped quotes and brackets', '{"a\\"]}": "[[\\\\", "b": "\\\\\\""}'],
    ['a whole pair of surrogates', '"\\ud83d\\ude00"'],
    ['constructor as a name', '{"constructor": {"name": 1}}'],
    ['as deep as it may be', nested(DEPTH_LIMIT)],
    ['digits in a text', '"9007199254740993"'],
  ])('may be %s', (_what, text) => {
    expect(inspectJson(text)).toBeNull()
  })
})

describe('a JSON text is refused', () => {
  it.each<[string, string, string, string]>([
    ['deeper than 64 levels', nested(DEPTH_LIMIT + 1), 'json_too_deep', '/0'.repeat(DEPTH_LIMIT)],
    ['deeper than any stack', '['.repeat(200_000), 'json_too_deep', '/0'.repeat(DEPTH_LIMIT)],
    ['a name twice', '{"a": 1, "a": 2}', 'duplicate_key', '/a'],
    ['a name twice, once escaped', '{"a": 1, "\\u0061": 2}', 'duplicate_key', '/a'],
    ['a name twice further in', '{"x": [0, {"a": 1, "a": 2}]}', 'duplicate_key', '/x/1/a'],
    ['__proto__', '{"__proto__": {"isAdmin": true}}', 'forbidden_key', '/__proto__'],
    ['__proto__, escaped', '{"\\u005f_proto__": 1}', 'forbidden_key', '/__proto__'],
    ['constructor.prototype', '{"constructor": {"prototype": 1}}', 'forbidden_key', '/constructor/prototype'],
    ['NUL in a text', '{"a": "x\\u0000y"}', 'nul_character', '/a'],
    ['NUL in a name', '{"\\u0000": 1}', 'nul_character', '/'],
    ['half a pair of surrogates', '["\\ud800"]', 'lone_surrogate', '/0'],
    ['the other half', '["\\udc00x"]', 'lone_surrogate', '/0'],
    ['an integer that would change', '{"n": 9007199254740993}', 'number_out_of_range', '/n'],
    ['a number that would be infinite', '[1, -1e400]', 'number_out_of_range', '/1'],
    ['a name of a megabyte', `{"${'a'.repeat(1_000_000)}": 1}`, 'key_too_long', `/${'a'.repeat(199)}…`],
  ])('with %s', (_what, text, code, pointer) => {
    expect(inspectJson(text)).toMatchObject({ code, pointer })
  })

  it('with more names than anybody needs', () => {
    const names = Array.from({ length: 100_000 }, (_, index) => `"${index}":0`)
    expect(inspectJson(`{${names.join()}}`)).toMatchObject({ code: 'too_many_keys' })
  })
})

describe('text that is no JSON', () => {
  it.each(['{', '}', ']]', '"', '"\\', '{"a', '{"a":', '-', '1-', '{"\\x": 1}', '\u0000', 'nul', '[,]', '{"a" "b"}'])(
    '%j is left to the parser',
    (text) => {
      expect(inspectJson(text)).toBeNull()
    },
  )

  it('takes no longer than its length asks for', () => {
    const hostile = ['"'.repeat(1_000_000), '\\'.repeat(1_000_000), `"${'\\"'.repeat(500_000)}`, ' '.repeat(1_000_000)]
    for (const text of hostile) expect(inspectJson(text)).toBeNull()
  })
})

describe('a JSON pointer', () => {
  it.each<[readonly PropertyKey[], string]>([
    [[], ''],
    [['a', 0, 'b'], '/a/0/b'],
    [['a/b', 'm~n'], '/a~1b/m~0n'],
  ])('of %j is %s', (path, pointer) => {
    expect(pointerOf(path)).toBe(pointer)
  })
})
