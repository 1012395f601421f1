import { describe, expect, it } from 'vitest'
import { type Piece, piecesOf } from './pieces.ts'

const token = (key: string, ...values: readonly string[]): Piece => ({ kind: 'token', key, values })
const word = (text: string): Piece => ({ kind: 'words', text, isQuoted: false })
const quoted = (text: string): Piece => ({ kind: 'words', text, isQuoted: true })

describe('the parts of a search', () => {
  it.each<[string, readonly Piece[]]>([
    ['', []],
    ['   ', []],
    ['close', [word('close')]],
    ['daily  close', [word('daily'), word('close')]],
    ['status:failed', [token('status', 'failed')]],
    ['Status:Failed', [token('Status', 'Failed')]],
    ['status:failed,timeout', [token('status', 'failed', 'timeout')]],
    ['status: failed', [token('status', ''), word('failed')]],
    ['status:,', [token('status', '', '')]],
    ['tag:"two words"', [token('tag', 'two words')]],
    ['tag:a,"b, c",d close', [token('tag', 'a', 'b, c', 'd'), word('close')]],
    ['tag:""', [token('tag', '')]],
    ['tag:"open', [token('tag', '"open')]],
    ['after:2026-01-31T09:00:00Z', [token('after', '2026-01-31T09:00:00Z')]],
    ['"status:failed"', [quoted('status:failed')]],
    ['"two words" close', [quoted('two words'), word('close')]],
    ['"a"b', [quoted('a'), word('b')]],
    ['it"s', [word('it"s')]],
    ['"open', [word('"open')]],
    ['""', [quoted('')]],
    [':', [word(':')]],
    [':x', [word(':x')]],
    ['12:30', [word('12:30')]],
    ['a-b:c', [word('a-b:c')]],
    ['etiqueta:x', [token('etiqueta', 'x')]],
    ['título:x', [token('título', 'x')]],
    ["' & | ! ( ) *", ["'", '&', '|', '!', '(', ')', '*'].map(word)],
  ])('of %j', (query, pieces) => {
    expect(piecesOf(query)).toEqual(pieces)
  })

  it('of something hostile are found at once', () => {
    const begun = performance.now()
    for (const hostile of ['"'.repeat(9_999), 'a:'.repeat(5_000), 'a:b,'.repeat(2_500), 'é'.repeat(9_999)])
      piecesOf(hostile)
    expect(performance.now() - begun).toBeLessThan(1_000)
  })
})
