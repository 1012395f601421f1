import { describe, expect, it } from 'vitest'
import { undecryptable } from '../../job/execution/unreadable.ts'
import { Box } from './box.ts'

const PLACE = { table: 'executions', id: 'e1', column: 'payload' }
const secrets = new Map([[1, Buffer.alloc(32, 3)]])
const box = new Box('acme', secrets, false)
const TEXT = '{"card":"4242 ü 😀"}'

/** With another character in place of one. */
function flipped(text: string, at: number): string {
  return text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)
}

describe('a box', () => {
  it.each(['', TEXT, 'x'.repeat(100_000), '\0\ud800'.slice(0, 1)])('gives back what it was given (%#)', (text) => {
    expect(box.open(PLACE, box.seal(PLACE, text))).toBe(text)
  })

  it('seals as JSON, and the same differently each time', () => {
    const sealed = [box.seal(PLACE, TEXT), box.seal(PLACE, TEXT)]
    expect(sealed[0]).not.toBe(sealed[1])
    for (const text of sealed) expect(JSON.parse(text)).toMatch(/^sealed:1:1::[\w+/=]+$/)
  })

  const elsewhere: [string, Box, typeof PLACE][] = [
    ['of another tenant', new Box('other', secrets, false), PLACE],
    ['with another key', new Box('acme', new Map([[1, Buffer.alloc(32, 4)]]), false), PLACE],
    ['of another row', box, { ...PLACE, id: 'e2' }],
    ['of another column', box, { ...PLACE, column: 'output' }],
    ['of another table', box, { ...PLACE, table: 'results' }],
  ]
  it.each(elsewhere)('opens nothing %s', (_where, other, place) => {
    const sealed = box.seal(PLACE, TEXT)
    expect(other.open(place, sealed)).toBe(undecryptable('corrupt', sealed))
  })

  const broken: [string, (sealed: string) => string, 'corrupt' | 'key_unknown' | 'plaintext'][] = [
    ['a flipped bit in the nonce', (sealed) => flipped(sealed, 16), 'corrupt'],
    ['a flipped bit in what is sealed', (sealed) => flipped(sealed, 36), 'corrupt'],
    ['a flipped bit in the tag', (sealed) => flipped(sealed, sealed.length - 8), 'corrupt'],
    ['its end cut off', (sealed) => `${sealed.slice(0, -9)}"`, 'corrupt'],
    ['nothing but its head', () => '"sealed:1:1::"', 'corrupt'],
    ['less than a tag', () => '"sealed:1:1::AAAA"', 'corrupt'],
    ['a digest that was put in', (sealed) => sealed.replace('1:1::', '1:1:abc:'), 'corrupt'],
    ['a key that is not there', (sealed) => sealed.replace('1:1::', '1:2::'), 'key_unknown'],
    ['a text that was never sealed', () => '{"a":1}', 'plaintext'],
  ]
  it.each(broken)('does not open %s', (_what, change, reason) => {
    const text = change(box.seal(PLACE, TEXT))
    expect(box.open(PLACE, text)).toBe(undecryptable(reason, text))
  })

  it('opens what was never sealed where that is accepted', () => {
    expect(new Box('acme', secrets, true).open(PLACE, TEXT)).toBe(TEXT)
  })

  it.each(['!', '!erased', '!undecryptable:corrupt:x', 'x'])('seals the words %j, and gives them back', (words) => {
    const sealed = box.sealWords(PLACE, words)
    expect(sealed).toMatch(/^"sealed:/)
    expect(box.openWords(PLACE, sealed)).toBe(words)
    expect(box.openWords({ ...PLACE, id: 'e2' }, sealed)).toBeNull()
    expect(box.openWords(PLACE, words)).toBe(words === '!erased' ? words : null)
  })

  it('puts back what it could not open as it was', () => {
    expect(box.seal(PLACE, box.open(PLACE, '{"plain":1}'))).toBe('{"plain":1}')
  })

  it('seals with its newest key and opens what older ones have sealed', () => {
    const newer = new Box('acme', new Map([...secrets, [2, Buffer.alloc(32, 5)]]), false)
    expect(newer.open(PLACE, box.seal(PLACE, TEXT))).toBe(TEXT)
    expect(newer.seal(PLACE, TEXT)).toMatch(/^"sealed:1:2::/)
    expect(newer.hash('cache', 'a')).toBe(box.hash('cache', 'a'))
  })

  it('hashes for one purpose and tenant', () => {
    const hashes = [
      box.hash('a', 'x'),
      box.hash('b', 'x'),
      box.hash('a', 'y'),
      new Box('b', new Map([[1, Buffer.alloc(32, 6)]]), false).hash('a', 'x'),
    ]
    expect(new Set(hashes).size).toBe(4)
    expect(box.hash('a', 'x')).toBe(hashes[0])
  })
})
