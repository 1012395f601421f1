import type { ComponentChildren } from 'preact'
import { Icon } from './icon.tsx'
import { ScrollFrame } from './scroll-frame.tsx'

export interface Column<Row> {
  readonly key: string
  readonly title: ComponentChildren
  /** What the title says, where it is not text. */
  readonly label?: string
  readonly cell: (row: Row) => ComponentChildren
  readonly isNumber?: boolean
  /** The field to sort by; absent: it cannot be sorted by. */
  readonly sort?: string
  /** Left out where there is little room. */
  readonly isMinor?: boolean
  readonly width?: 'narrow' | 'wide'
}

interface TableProps<Row> {
  /** Read out as what the table holds. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string | number
  /** As the API has it: `name`, or `-name` for the other way round. */
  readonly sort?: string
  readonly onSort?: (sort: string) => void
  readonly rowClass?: (row: Row) => string
}

/** Rows and columns; on a phone each row stands as a card. The roles are said again, since a table that is shown as blocks loses them. */
export function Table<Row>({ label, columns, rows, rowKey, sort, onSort, rowClass }: TableProps<Row>) {
  return (
    <ScrollFrame class="table-frame" label={label}>
      <table role="table" aria-label={label}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <HeadCell key={column.key} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr role="row" key={rowKey(row)} class={rowClass?.(row)}>
              {columns.map((column) => (
                <td
                  role="cell"
                  key={column.key}
                  class={classOf(column)}
                  data-label={typeof column.title === 'string' ? column.title : column.label}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollFrame>
  )
}

interface HeadCellProps<Row> {
  readonly column: Column<Row>
  readonly sort: string | undefined
  readonly onSort: ((sort: string) => void) | undefined
}

function HeadCell<Row>({ column, sort, onSort }: HeadCellProps<Row>) {
  const field = column.sort
  const isSorted = field !== undefined && sort?.replace('-', '') === field
  const isDescending = sort?.startsWith('-') === true
  return (
    <th
      role="columnheader"
      scope="col"
      class={classOf(column)}
      aria-label={column.label}
      aria-sort={isSorted ? (isDescending ? 'descending' : 'ascending') : undefined}
    >
      {field === undefined || onSort === undefined ? (
        column.title
      ) : (
        <button type="button" class="sort" onClick={() => onSort(isSorted && !isDescending ? `-${field}` : field)}>
          {column.title}
          {isSorted && <Icon name={isDescending ? 'down' : 'up'} size={14} />}
        </button>
      )}
    </th>
  )
}

function classOf({ isNumber, isMinor, width }: Pick<Column<never>, 'isNumber' | 'isMinor' | 'width'>): string {
  return [isNumber ? 'number' : '', isMinor ? 'minor' : '', width ?? ''].filter((name) => name !== '').join(' ')
}
