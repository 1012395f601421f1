import { describe, expect, it } from 'vitest'
import { refusal } from '../../test/harness/instants.ts'
import { requireName } from './name.ts'

describe('a name', () => {
  it.each([
    ['plain', 'import-invoices'],
    ['with spaces inside', 'close the month'],
    ['with other scripts', '月次締め処理'],
    ['with characters beyond the first plane', 'rocket 🚀'],
    ['of one character', 'x'],
    ['of 255 characters', 'x'.repeat(255)],
    ['with quotation marks and slashes', 'a/"b"\\c'],
  ])('may be %s', (_what, name) => {
    expect(requireName(name, 'Job name')).toBe(name)
  })

  it('is in normal form, so that two that look the same are the same', () => {
    expect(requireName('Cafe\u0301', 'Job name')).toBe('Café')
  })

  it.each<[string, unknown]>([
    ['empty', ''],
    ['blank', ' '],
    ['with spaces before it', ' a'],
    ['with spaces after it', 'a '],
    ['with a non-breaking space after it', 'a\u00a0'],
    ['longer than 255', 'x'.repeat(256)],
    ['with a line break', 'a\nb'],
    ['with NUL', 'a\0b'],
    ['with a bidi override', 'a\u202eb'],
    ['with a zero-width space', 'a\u200bb'],
    ['with a zero-width joiner', 'a\u200db'],
    ['with a soft hyphen', 'a\u00adb'],
    ['with a line separator', 'a\u2028b'],
    ['with a byte order mark', '\ufeffa'],
    ['with half a character', 'a\ud800'],
    ['a number', 7],
    ['nothing', undefined],
    ['null', null],
    ['an object', {}],
  ])('is not %s', (_what, value) => {
    const error = refusal(() => requireName(value, 'Job name'))
    expect(error.code).toBe('name.invalid')
    expect(error.message).toMatch(
      /^Job name must be text of 1-255 visible characters without spaces around it, got .+\.$/,
    )
  })
})
