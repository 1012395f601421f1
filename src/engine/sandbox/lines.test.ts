import { describe, expect, it } from 'vitest'
import { Lines } from './lines.ts'
import { END_OF_OUTPUT } from './messages.ts'

const END = { end: true }

function said(...chunks: string[]): unknown[] {
  const all: unknown[] = []
  const lines = new Lines({ onLine: (line) => all.push(line), onEnd: () => all.push(END) })
  for (const chunk of chunks) lines.add(chunk)
  lines.flush()
  return all
}

describe('what an isolate prints', () => {
  it.each<[string, string[], unknown[]]>([
    ['a line', ['a\n'], ['a']],
    ['several in one piece', ['a\nb\n'], ['a', 'b']],
    ['one in several pieces', ['a', 'b', 'c\n'], ['abc']],
    ['empty lines', ['\n\n'], ['', '']],
    ['the line ends of Windows', ['a\r\nb\r\n'], ['a', 'b']],
    ['a last line without end', ['a\nb'], ['a', 'b']],
    ['nothing', [], []],
    ['the end of a run', [`a\n${END_OF_OUTPUT}`], ['a', END]],
    ['the end of a run in the middle of a line', [`a${END_OF_OUTPUT}b\n`], ['a', END, 'b']],
    ['an end in pieces', ['a\n', END_OF_OUTPUT.slice(0, 4), END_OF_OUTPUT.slice(4)], ['a', END]],
  ])('is handed on line by line: %s', (_what, chunks, expected) => {
    expect(said(...chunks)).toEqual(expected)
  })

  it.each([1, 7, 1_999, 2_000, 2_001, 2_012, 2_013, 10_000])('loses nothing of a line of %i characters', (length) => {
    const text = 'x'.repeat(length)
    const whole = said(text, END_OF_OUTPUT)
    expect(whole.at(-1)).toBe(END)
    expect(whole.slice(0, -1).join('')).toBe(text)
    for (const piece of whole.slice(0, -1)) expect(String(piece).length).toBeLessThanOrEqual(2_000)
  })

  it('keeps little of a line without end', () => {
    const pieces: string[] = []
    const lines = new Lines({ onLine: (line) => pieces.push(line), onEnd: () => {} })
    for (let n = 0; n < 100; n += 1) lines.add('x'.repeat(1_000))
    expect(pieces.join('').length).toBeGreaterThan(97_000)
  })

  it('does not cut a character in two', () => {
    const text = `x${'😀'.repeat(3_000)}`
    const pieces = said(text)
    expect(pieces.length).toBeGreaterThan(1)
    expect(pieces.join('')).toBe(text)
    for (const piece of pieces) expect(() => encodeURIComponent(String(piece))).not.toThrow()
  })
})
