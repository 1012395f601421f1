import type { Terminal, Tone } from '../terminal.ts'
import { cutToWidth, textWidth } from './text-width.ts'

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
