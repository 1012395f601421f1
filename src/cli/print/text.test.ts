import { describe, expect, it } from 'vitest'
import { shellWord, shownJson, shownLine, shownText } from './text.ts'

describe('text of others', () => {
  it.each([
    ['plain ação 東京', 'plain ação 東京'],
    ['red \u001b[31mletters\u001b[0m', 'red letters'],
    ['a title \u001b]0;owned\u0007 of a window', 'a title  of a window'],
    ['eight bits \u009b2J', 'eight bits 2J'],
    ['bell\u0007, back\u0008, null\u0000', 'bell, back, null'],
    ['turned \u202eround', 'turned \\u{202e}round'],
    ['nothing\u200bbetween', 'nothing\\u{200b}between'],
    ['half \ud800', 'half \\u{d800}'],
    ['over\rwritten', 'overwritten'],
    ['two\r\nlines', 'two\nlines'],
  ])('is shown and not obeyed: %j', (text, shown) => {
    expect(shownText(text)).toBe(shown)
  })

  it('fits in a line', () => {
    expect(shownLine(' one\n\ttwo\n')).toBe('one two')
  })

  it.each<[unknown]>([['\u001b[2J\u009b\u202e\u2028'], [{ a: ['\u{e0001}', '\ud800', 'ação'] }], [null], [3]])(
    'is the same in JSON: %j',
    (value) => {
      for (const text of [shownJson(value), shownJson(value, 2)]) {
        expect(JSON.parse(text)).toEqual(value)
        expect(text).not.toMatch(/[\p{Cf}\u007f-\u009f\u2028]/u)
      }
    },
  )

  it.each([
    ['ImportarFaturas', 'ImportarFaturas'],
    ['Fechamento diário', "'Fechamento diário'"],
    ["Ana's", `'Ana'\\''s'`],
    ['$(rm -rf /)', "'$(rm -rf /)'"],
    ['--all', "'--all'"],
  ])('can be pasted: %j', (text, word) => {
    expect(shellWord(text)).toBe(word)
  })
})
