import { describe, expect, it } from 'vitest'
import { plainLine, plainText } from './plain-text.ts'

const ESC = String.fromCharCode(27)
const BEL = String.fromCharCode(7)

describe('a text on a page', () => {
  it.each([
    ['as it is', 'Imported 3 invoices', 'Imported 3 invoices'],
    ['without colours', `${ESC}[31;1mred${ESC}[0m`, 'red'],
    ['without moves of a cursor', `${ESC}[2J${ESC}[1;1Hstart${ESC}[?25l`, 'start'],
    ['without titles of a window', `${ESC}]0;owned${BEL}text`, 'text'],
    ['without links of a terminal', `${ESC}]8;;http://x${ESC}\\text${ESC}]8;;${ESC}\\`, 'text'],
    ['without bells and nulls', `a${BEL}b${String.fromCharCode(0)}c`, 'abc'],
    ['without marks that turn it around', 'user\u202Egpj.exe', 'usergpj.exe'],
    ['with letters of every language', 'não שלום 🙂', 'não שלום 🙂'],
    ['with markup as text', '<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
  ])('%s', (_name, text, expected) => {
    expect(plainText(text)).toBe(expected)
  })

  it('stands on one line', () => {
    expect(plainLine('Error\n    at run\r\nagain')).toBe('Error ⏎ at run ⏎ again')
  })
})
