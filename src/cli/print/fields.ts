import type { Terminal } from '../terminal.ts'
import { shownJson, shownLine } from './shown-text.ts'
import { textWidth } from './text-width.ts'

/** What is known of one thing: a name and a value in each line; what is null is left out. Values must be fit to be shown. */
export function drawFields(
  terminal: Pick<Terminal, 'tone'>,
  fields: readonly (readonly [name: string, value: string | null])[],
): string {
  const told = fields.filter((field): field is readonly [string, string] => field[1] !== null)
  const width = Math.max(0, ...told.map(([name]) => textWidth(name)))
  return told
    .map(
      ([name, value]) =>
        `  ${terminal.tone(name.padEnd(width), 'dim')}  ${value.replaceAll('\n', `\n${' '.repeat(width + 4)}`)}\n`,
    )
    .join('')
}

/** A value of any kind, in a line where it is short and in several where it is not; null for none. */
export function shownValue(value: unknown, problem?: string): string | null {
  if (problem !== undefined) return `(${shownLine(problem)})`
  if (value === null || value === undefined) return null
  const line = shownJson(value)
  return line.length <= LONGEST_LINE ? line : shownJson(value, 2)
}

const LONGEST_LINE = 72
