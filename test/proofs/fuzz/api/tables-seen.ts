import { ExecutionLog } from '../../../../src/store/memory/schema/execution-log.ts'
import { OrderedSet } from '../../../../src/store/memory/schema/ordered-set.ts'
import { GroupedIndex, Table } from '../../../../src/store/memory/schema/table.ts'
import type { Tables } from '../../../../src/store/memory/schema/tables.ts'

/**
 * What the tables of a store in memory hold at an instant. Rows are never changed, another one is put in their place: so that to know the rows is to know whether
 * anything has happened.
 */
export type TablesSeen = ReadonlyMap<string, readonly unknown[]>

const TENANTS = ['acme', 'globex']

export function seeTables(tables: Tables): TablesSeen {
  const seen = new Map<string, unknown[]>()
  look(tables, 'tables', seen)
  for (const tenant of TENANTS) {
    seen.set(`limit of ${tenant}`, [tables.tenants.own(tenant)])
    seen.set(`flags of ${tenant}`, [JSON.stringify(tables.flags.read(tenant))])
  }
  return seen
}

function look(value: unknown, path: string, seen: Map<string, unknown[]>): void {
  // An index holds what its table holds.
  if (value instanceof OrderedSet || value instanceof GroupedIndex || typeof value === 'function') return
  if (value instanceof Table) seen.set(path, [...value.rows()])
  else if (value instanceof ExecutionLog) seen.set(path, [value.bytes])
  else if (value instanceof Map) for (const [key, each] of value) look(each, `${path} of ${String(key)}`, seen)
  else if (value instanceof Set || Array.isArray(value)) seen.set(path, [...value])
  else if (isGroup(value)) for (const [name, part] of Object.entries(value)) look(part, `${path}.${name}`, seen)
  else seen.set(path, [value])
}

/** An object of a class of its own holds tables; a row is a plain object. */
function isGroup(value: unknown): value is object {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.getPrototypeOf(value) !== Object.prototype &&
    Object.getPrototypeOf(value) !== null
  )
}

/** Where the two differ, a line each. */
export function differences(before: TablesSeen, after: TablesSeen): string[] {
  const paths = new Set([...before.keys(), ...after.keys()])
  return [...paths].filter((path) => !isSame(before.get(path) ?? [], after.get(path) ?? []))
}

/** The same, as far as it is not a tenant's own. */
export function foreignDifferences(before: TablesSeen, after: TablesSeen, tenant: string | null): string[] {
  const others = (rows: readonly unknown[] = []) => rows.filter((row) => isOfOther(row, tenant))
  const others_ = TENANTS.filter((each) => each !== tenant)
  return [...new Set([...before.keys(), ...after.keys()])].filter((path) => {
    const isOwn = TENANTS.some((each) => path.endsWith(` of ${each}`) && !others_.includes(each))
    const isNamed = others_.some((each) => path.endsWith(` of ${each}`))
    if (isOwn) return false
    return isNamed
      ? !isSame(before.get(path) ?? [], after.get(path) ?? [])
      : !isSame(others(before.get(path)), others(after.get(path)))
  })
}

function isOfOther(row: unknown, tenant: string | null): boolean {
  if (typeof row !== 'object' || row === null) return false
  const { body, alert, event, tenant: own } = row as Record<string, { tenant?: unknown } | undefined>
  const owner: unknown = own ?? body?.tenant ?? alert?.tenant ?? event?.tenant
  return typeof owner === 'string' && owner !== tenant && TENANTS.includes(owner)
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((row, index) => Object.is(row, other[index]))
}
