import type { Terminal, Tone } from '../terminal.ts'
import { shownJson, shownLine } from './text.ts'

/** One column of a table. */
export interface Column<Row> {
  readonly title: string
  /** What may be shown as it is: see shown-text. */
  readonly cell: (row: Row) => string
  readonly tone?: ((row: Row) => Tone | null) | undefined
  readonly isRight?: boolean | undefined
  /** How narrow it may become where a terminal is. Default: as wide as its widest cell. */
  readonly narrowest?: number | undefined
  /** Left out where not all columns fit, the highest first. Default: never. */
  readonly spare?: number | undefined
}

const GAP = '  '

/** Rows in columns that fit the terminal. What goes into a file or another program is never cut. */
export function drawTable<Row>(
  terminal: Pick<Terminal, 'columns' | 'isInteractive' | 'tone'>,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): string {
  const room = terminal.isInteractive ? terminal.columns : Number.POSITIVE_INFINITY
  const shown = fitted(columns, rows, room)
  const line = (cells: readonly string[]) => `${cells.join(GAP).trimEnd()}\n`
  const header = line(shown.map(({ column, width }) => terminal.tone(pad(column.title, width, column.isRight), 'dim')))
  const body = rows.map((row) =>
    line(
      shown.map(({ column, width }) => {
        const tone = column.tone?.(row) ?? null
        const text = pad(cutToWidth(column.cell(row), width), width, column.isRight)
        return tone === null ? text : terminal.tone(text, tone)
      }),
    ),
  )
  return header + body.join('')
}

interface Fitted<Row> {
  readonly column: Column<Row>
  readonly width: number
}

function fitted<Row>(columns: readonly Column<Row>[], rows: readonly Row[], room: number): readonly Fitted<Row>[] {
  const wished = columns.map((column) => ({
    column,
    width: Math.max(textWidth(column.title), ...rows.map((row) => textWidth(column.cell(row)))),
  }))
  const shrunk = shrink(wished, room)
  if (total(shrunk) <= room) return shrunk
  const spare = Math.max(...columns.map((column) => column.spare ?? 0))
  if (spare === 0) return shrunk
  return fitted(
    columns.filter((column) => (column.spare ?? 0) !== spare),
    rows,
    room,
  )
}

/** Takes from the widest that can give, one after the other. */
function shrink<Row>(columns: readonly Fitted<Row>[], room: number): readonly Fitted<Row>[] {
  const widths = columns.map(({ width }) => width)
  const least = columns.map(({ column, width }) => Math.min(width, column.narrowest ?? width))
  for (let excess = total(columns) - room; excess > 0; excess--) {
    const spare = widths.map((width, at) => (width > (least[at] ?? width) ? width : -1))
    const widest = spare.indexOf(Math.max(...spare))
    if ((spare[widest] ?? -1) < 0) break
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return columns.map(({ column }, at) => ({ column, width: widths[at] ?? 0 }))
}

function total<Row>(columns: readonly Fitted<Row>[]): number {
  return columns.reduce((sum, { width }) => sum + width, 0) + GAP.length * Math.max(0, columns.length - 1)
}

function pad(text: string, width: number, isRight = false): string {
  const space = ' '.repeat(Math.max(0, width - textWidth(text)))
  return isRight ? space + text : text + space
}

/** Rows of a few plain cells; numbers stand to the right. Never cut. */
export function formatTable(header: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const columns = header.map((title, at) => ({
    title,
    cell: (row: readonly (string | number)[]) => String(row[at] ?? ''),
    isRight: rows.every((row) => typeof row[at] === 'number'),
  }))
  return drawTable(PLAIN, columns, rows)
}

const PLAIN = { columns: Number.POSITIVE_INFINITY, isInteractive: false, tone: (text: string) => text }

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

/** Marks that stand on the letter before them. */
const NO_WIDTH = /[\p{Mn}\p{Me}]/u

/** East Asian letters and pictures, which are two columns wide. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u

/** How many columns of a terminal a text takes. */
export function textWidth(text: string): number {
  let width = 0
  for (const character of text) width += widthOf(character)
  return width
}

/** The text in at most so many columns; where it is longer, it ends with `…`. */
export function cutToWidth(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text
  let [cut, width] = ['', 0]
  for (const character of text) {
    width += widthOf(character)
    if (width > columns - 1) break
    cut += character
  }
  return `${cut}…`
}

function widthOf(character: string): number {
  if (NO_WIDTH.test(character)) return 0
  return WIDE.test(character) ? 2 : 1
}
