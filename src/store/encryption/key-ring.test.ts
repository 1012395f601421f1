import { describe, expect, it } from 'vitest'
import { KeyRing } from './key-ring.ts'

const A = Buffer.alloc(32, 1).toString('base64')
const B = Buffer.alloc(32, 2).toString('base64')

describe('a key ring', () => {
  it('has the first key as its current one', () => {
    const ring = new KeyRing(`new:${A}, old:${B}`)
    expect([ring.currentId, ring.ids]).toEqual(['new', ['new', 'old']])
  })

  it('opens what an older key has wrapped', () => {
    const secret = Buffer.alloc(32, 9)
    const wrapped = new KeyRing(`old:${B}`).wrap(secret, 'acme', 1)
    expect(new KeyRing(`new:${A},old:${B}`).unwrap(wrapped)).toEqual(secret)
  })

  it('wraps the same secret differently each time', () => {
    const ring = new KeyRing(`a:${A}`)
    expect(ring.wrap(Buffer.alloc(32), 'acme', 1).wrapped).not.toBe(ring.wrap(Buffer.alloc(32), 'acme', 1).wrapped)
  })

  const wrong: [string, (key: ReturnType<KeyRing['create']>) => object][] = [
    ['another tenant', () => ({ tenant: 'other' })],
    ['another version', () => ({ version: 2 })],
    ['a flipped bit', ({ wrapped }) => ({ wrapped: (wrapped.startsWith('A') ? 'B' : 'A') + wrapped.slice(1) })],
    ['a shorter text', ({ wrapped }) => ({ wrapped: wrapped.slice(0, -8) })],
  ]
  it.each(wrong)('opens nothing of %s', (_what, change) => {
    const ring = new KeyRing(`a:${A}`)
    const key = ring.create('acme', 1)
    expect(() => ring.unwrap({ ...key, ...change(key) })).toThrow('is not what key "a" has wrapped')
  })

  it('names a key that it has not', () => {
    const key = new KeyRing(`gone:${B}`).create('acme', 1)
    expect(() => new KeyRing(`a:${A}`).unwrap(key)).toThrow('There is no key "gone" on the key ring, which has a.')
  })

  it.each([
    ['', 'it has no key'],
    [A, 'a key has no id'],
    [`a:${A.slice(4)}`, 'must have 32 bytes'],
    [`a:${A},a:${B}`, 'two keys have the same id'],
    [`a b:${A}`, 'an id has 1-64 letters'],
  ])('refuses %j', (text, reason) => {
    expect(() => new KeyRing(text)).toThrow(reason)
  })

  it.each([
    ['that is too short', `a:${Buffer.alloc(31, 5).toString('base64')}`],
    ['that stands where its id should', `${Buffer.alloc(32, 5).toString('base64')}:a`],
    ['that stands where its id should, in letters of URLs', `${Buffer.alloc(32, 5).toString('base64url')}:a`],
  ])('tells nothing of a key %s', (_what, text) => {
    const told = () => {
      try {
        return new KeyRing(text).currentId
      } catch (error) {
        return String(error)
      }
    }
    expect(told()).toContain('The key ring cannot be used')
    expect(told()).not.toContain(Buffer.alloc(30, 5).toString('base64').slice(0, 8))
  })
})
