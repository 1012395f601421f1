import { type Compare, OrderedSet } from './ordered-set.ts'

/** What is kept in step with a table's rows. */
interface Index<Row> {
  add(row: Row): void
  delete(row: Row): void
}

/** Rows by key, and indexes over them. Rows are never changed: another one is put in their place. */
export class Table<Row> {
  readonly #keyOf: (row: Row) => string
  readonly #indexes: readonly Index<Row>[]
  readonly #rows = new Map<string, Row>()

  constructor(keyOf: (row: Row) => string, indexes: readonly Index<Row>[] = []) {
    this.#keyOf = keyOf
    this.#indexes = indexes
  }

  get size(): number {
    return this.#rows.size
  }

  get(key: string): Row | undefined {
    return this.#rows.get(key)
  }

  has(key: string): boolean {
    return this.#rows.has(key)
  }

  rows(): Iterable<Row> {
    return this.#rows.values()
  }

  /** Inserts a row, or puts it in place of the one with its key. */
  put(row: Row): void {
    const key = this.#keyOf(row)
    const before = this.#rows.get(key)
    this.#rows.set(key, row)
    for (const index of this.#indexes) {
      if (before !== undefined) index.delete(before)
      index.add(row)
    }
  }

  /** Deletes a row and gives it. */
  take(key: string): Row | undefined {
    const row = this.#rows.get(key)
    if (row === undefined) return undefined
    this.#rows.delete(key)
    for (const index of this.#indexes) index.delete(row)
    return row
  }
}

/** Rows in order within groups; a row whose group is null is left out. */
export class GroupedIndex<Row> implements Index<Row> {
  readonly #groupOf: (row: Row) => string | null
  readonly #compare: Compare<Row>
  /** None is empty. */
  readonly #groups = new Map<string, OrderedSet<Row>>()

  constructor(groupOf: (row: Row) => string | null, compare: Compare<Row>) {
    this.#groupOf = groupOf
    this.#compare = compare
  }

  add(row: Row): void {
    const key = this.#groupOf(row)
    if (key === null) return
    let group = this.#groups.get(key)
    if (!group) {
      group = new OrderedSet(this.#compare)
      this.#groups.set(key, group)
    }
    group.add(row)
  }

  delete(row: Row): void {
    const key = this.#groupOf(row)
    const group = key === null ? undefined : this.#groups.get(key)
    if (key === null || !group) return
    group.delete(row)
    if (group.size === 0) this.#groups.delete(key)
  }

  group(key: string): OrderedSet<Row> | undefined {
    return this.#groups.get(key)
  }

  /** The rows of a group as they are now: what is done to them does not disturb the reading. */
  rowsOf(key: string): Row[] {
    return [...(this.#groups.get(key)?.ascending() ?? [])]
  }

  groups(): Iterable<readonly [string, OrderedSet<Row>]> {
    return this.#groups
  }
}

/** An index over only those rows of which something is true. */
export function where<Row>(isIndexed: (row: Row) => boolean, index: Index<Row>): Index<Row> {
  return {
    add: (row) => {
      if (isIndexed(row)) index.add(row)
    },
    delete: (row) => {
      if (isIndexed(row)) index.delete(row)
    },
  }
}

/** One key out of several texts. None of them holds a NUL: PostgreSQL cannot store it. */
export function keyOf(first: string, ...rest: readonly (string | number)[]): string {
  let key = first
  for (const part of rest) key += `\0${part}`
  return key
}
