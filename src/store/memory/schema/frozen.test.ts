import { expect, it } from 'vitest'
import { frozenCopy } from './frozen.ts'

it('a frozen copy is apart from what it was made of', () => {
  const original = { list: [{ name: 'a' }], inner: { count: 1 } }
  const copy = frozenCopy(original)
  original.list[0] = { name: 'b' }
  original.inner.count = 2
  expect(copy).toEqual({ list: [{ name: 'a' }], inner: { count: 1 } })
})

it('nothing in a frozen copy can be changed', () => {
  const copy = frozenCopy({ list: [{ name: 'a' }] })
  expect(() => copy.list.push({ name: 'b' })).toThrow(TypeError)
  expect(() => Object.assign(copy.list[0] ?? {}, { name: 'b' })).toThrow(TypeError)
})

it('a property without a value is left out, as JSON leaves it out', () => {
  expect(Object.keys(frozenCopy({ a: undefined, b: null }))).toEqual(['b'])
})

it('a property named __proto__ stays a property', () => {
  const copy = frozenCopy(JSON.parse('{"__proto__":{"isAdmin":true}}') as object)
  expect(Object.keys(copy)).toEqual(['__proto__'])
  expect('isAdmin' in copy).toBe(false)
})
