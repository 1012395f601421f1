import type { Statement } from '../driver/driver.ts'

/** A statement that takes its values as fields of one object. */
export interface NamedStatement<Fields> extends Statement {
  /** The values in the order in which the driver sends them. */
  values(fields: Fields): unknown[]
}

/**
 * Compiles a text that names its values, `$jobId::uuid` or `$input.job_id::uuid[]` for a column of a {@link RowList}, into one that numbers them. This
 * happens once per statement, when its module is loaded.
 */
export function named<Fields extends object>(name: string, text: string): NamedStatement<Fields> {
  const paths: string[] = []
  const numbered = text.replaceAll(/\$([a-z]\w*(?:\.\w+)?)/gi, (_, path: string) => {
    if (!paths.includes(path)) paths.push(path)
    return `$${paths.indexOf(path) + 1}`
  })
  const getters = paths.map((path) => getterOf(path.split('.')))
  return {
    name,
    text: numbered,
    values: (fields) =>
      getters.map((get, place) => {
        const value = get(fields)
        if (value === undefined) throw new TypeError(`Statement ${name} was given no ${paths[place]}.`)
        return value
      }),
  }
}

type Get = (fields: object) => unknown

function getterOf([field = '', column]: readonly string[]): Get {
  if (column === undefined) return (fields) => (fields as Record<string, unknown>)[field]
  return (fields) => (fields as Record<string, Lists>)[field]?.[column]
}

/** Rows as a statement takes them: one list per column, as text in the syntax of the server. */
type Lists = Readonly<Record<string, string | null>>

/** Types whose values need no quotes in a list, and text. */
type ColumnType = 'uuid' | 'int' | 'bigint' | 'float8' | 'bool' | 'text'

export type Columns<Row> = Readonly<
  Record<string, readonly [ColumnType, (row: Row) => string | number | boolean | null | undefined]>
>

/** Rows that a statement takes as `unnest(${rows.lists}) as … (${rows.columns})`. */
export class RowList<Name extends string, Row> {
  /** The arguments of `unnest`. */
  readonly lists: string
  readonly columns: string
  readonly #name: Name
  readonly #columns: readonly (readonly [column: string, toList: (rows: readonly Row[]) => string | null])[]

  constructor(name: Name, columns: Columns<Row>) {
    this.#name = name
    this.lists = Object.entries(columns)
      .map(([column, [type]]) => `$${name}.${column}::${type}[]`)
      .join(', ')
    this.columns = Object.keys(columns).join(', ')
    this.#columns = Object.entries(columns).map(([column, [type, read]]) => [
      column,
      type === 'text' ? textsOf(read) : plainOf(read),
    ])
  }

  /** The field of the statement that holds the rows. */
  of(rows: readonly Row[]): FieldOf<RowList<Name, Row>> {
    const lists: Record<string, string | null> = {}
    for (const [column, toList] of this.#columns) lists[column] = toList(rows)
    return { [this.#name]: lists } as FieldOf<RowList<Name, Row>>
  }
}

/** The field that a list of rows is for a statement. */
export type FieldOf<List> = List extends RowList<infer Name, infer _Row> ? { readonly [Key in Name]: Lists } : never

/** An array as the server reads it, of values that need no quotes: the driver would examine each element as if it were any text. */
export function listOf(values: readonly (string | number | boolean)[]): string {
  return `{${values.join(',')}}`
}

/** null where no row has a value: the server reads it as a list of nulls. */
function plainOf<Row>(read: (row: Row) => string | number | boolean | null | undefined) {
  return (rows: readonly Row[]): string | null => {
    let hasAny = rows.length === 0
    const values = rows.map((row) => {
      const value = read(row) ?? null
      hasAny ||= value !== null
      return value ?? 'null'
    })
    return hasAny ? listOf(values) : null
  }
}

function textsOf<Row>(read: (row: Row) => string | number | boolean | null | undefined) {
  return (rows: readonly Row[]): string | null => {
    let list = ''
    let hasAny = rows.length === 0
    for (const row of rows) {
      const value = read(row) ?? null
      hasAny ||= value !== null
      list += list === '' ? '' : ','
      list += value === null ? 'null' : quoted(String(value))
    }
    return hasAny ? `{${list}}` : null
  }
}

function quoted(text: string): string {
  return /["\\]/.test(text) ? `"${text.replaceAll(/["\\]/g, '\\$&')}"` : `"${text}"`
}
