import { describe, expect, it } from 'vitest'
import { type Column, drawTable } from './table.ts'

interface Row {
  readonly name: string
  readonly count: number
  readonly note: string
}

const columns: readonly Column<Row>[] = [
  { title: 'NAME', cell: ({ name }) => name, narrowest: 6 },
  { title: 'COUNT', cell: ({ count }) => String(count), isRight: true },
  { title: 'NOTE', cell: ({ note }) => note, narrowest: 4, spare: 1 },
]
const rows: readonly Row[] = [
  { name: 'fechamento diário', count: 7, note: 'fine' },
  { name: '東京', count: 12, note: 'a long remark' },
]

const draw = (width: number, isInteractive = true) =>
  drawTable({ columns: width, isInteractive, tone: (text) => text }, columns, rows)
    .trimEnd()
    .split('\n')

describe('a table', () => {
  it.each<[number, string[]]>([
    [
      80,
      ['NAME               COUNT  NOTE', 'fechamento diário      7  fine', '東京                  12  a long remark'],
    ],
    [30, ['NAME        COUNT  NOTE', 'fechament…      7  fine', '東京           12  a long rem…']],
    [20, ['NAME    COUNT  NOTE', 'fecha…      7  fine', '東京       12  a lo…']],
    [16, ['NAME       COUNT', 'fechamen…      7', '東京          12']],
  ])('fits %i columns', (width, lines) => {
    expect(draw(width)).toEqual(lines)
  })

  it('is not cut where nobody looks', () => {
    expect(draw(10, false)).toEqual(draw(80))
  })

  it('gives colours to cells, and counts none of them', () => {
    const tone = (text: string) => `<${text}>`
    const toned = columns.map((column) => ({ ...column, tone: () => 'bad' as const }))
    expect(drawTable({ columns: 80, isInteractive: true, tone }, toned, rows.slice(0, 1))).toBe(
      '<NAME             >  <COUNT>  <NOTE>\n<fechamento diário>  <    7>  <fine>\n',
    )
  })
})
