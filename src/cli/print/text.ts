import { visibleJson, withoutEscapes } from '../../service/executions/read-logs.ts'

/** What hides or reorders what stands beside it: a terminal would show another text than there is. */
const HIDING = /[\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/gu

/** Text of others, as a terminal may show it: nothing in it is obeyed, and what cannot be seen is written out. Lines stay lines. */
export function shownText(text: string): string {
  return withoutEscapes(text.replaceAll('\r\n', '\n')).replaceAll(HIDING, writtenOut)
}

/** The same in one line. */
export function shownLine(text: string): string {
  return shownText(text)
    .replaceAll(/[\n\t]+/g, ' ')
    .trim()
}

/** The same in one line that ends as a sentence does. */
export function shownSentence(text: string): string {
  const line = shownLine(text)
  return /[.!?…]$/.test(line) ? line : `${line}.`
}

/** A value as JSON that can be read in a terminal as well as by a program. */
export function shownJson(value: unknown, space?: number): string {
  // Line breaks within it are between values: those of texts are written as JSON has them.
  const lines = (JSON.stringify(value, null, space) ?? 'null').split('\n')
  return lines.map((line) => visibleJson(line).replaceAll(HIDING_IN_JSON, escaped)).join('\n')
}

/** Format characters within and beyond 16 bits; JSON knows the halves of the latter. */
const HIDING_IN_JSON = /\p{Cf}/gu

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, at) => unit(character.charCodeAt(at))).join('')
}

function unit(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`
}

function writtenOut(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}

/** A word as it can be pasted behind a command: quoted where a shell would take it for anything else than one word. */
export function shellWord(text: string): string {
  const shown = shownLine(text)
  return /^[\p{L}\p{N}._:@/+-]+$/u.test(shown) && !shown.startsWith('-') ? shown : `'${shown.replaceAll("'", `'\\''`)}'`
}
