import type { Driver, Statement } from '../../driver/driver.ts'
import { type RowSecurity, readRowSecurity } from '../schema/row-security.ts'

const listInvalidIndexes: Statement = {
  name: 'inspectIndexes',
  text: `
select
  pg_class.relname as name,
  owner.relname as "table",
  pg_class.relkind = 'I' as "isPartitioned"
from pg_index
join pg_class on pg_class.oid = indexrelid
join pg_class as owner on owner.oid = indrelid
where pg_class.relnamespace = (select oid from pg_namespace where nspname = 'pontual')
  and not (indisvalid and indisready)
order by pg_class.relname`,
}

const listOpenTables: Statement = {
  name: 'inspectOpenTables',
  text: `
select relname as name
from pg_class
where relnamespace = (select oid from pg_namespace where nspname = 'pontual')
  and relkind in ('r', 'p')
  and relname not like 'schema\\_%'
  and not (relrowsecurity and relforcerowsecurity)
order by relname`,
}

const listMisplaced: Statement = {
  name: 'inspectDefaultPartitions',
  text: `
select 'executions' as "table"
where exists (select from pontual.executions_default)
union all
select 'results'
where exists (select from pontual.results_default)
union all
select 'attempts'
where exists (select from pontual.attempts_default)`,
}

const readMonths: Statement = {
  name: 'inspectMonths',
  text: `
select count(*) as months
from generate_series(0, 3) as ahead
where to_regclass(
  'pontual.executions' || to_char(date_trunc('month', now() at time zone 'UTC') + ahead * interval '1 month', '_YYYY_MM')
) is not null`,
}

export interface InvalidIndex {
  readonly name: string
  readonly table: string
  readonly isPartitioned: boolean
}

export interface RowSecurityFacts extends RowSecurity {
  /** Tables on which it is not in force. */
  readonly openTables: readonly string[]
}

export interface PartitionFacts {
  /** Tables of which rows lie in the default partition. */
  readonly misplaced: readonly string[]
  /** How many of this month and the three to come have a partition. */
  readonly months: number
}

export function inspectIndexes(driver: Driver): Promise<InvalidIndex[]> {
  return driver.query<InvalidIndex>(listInvalidIndexes)
}

export async function inspectRowSecurity(driver: Driver): Promise<RowSecurityFacts> {
  const state = await readRowSecurity(driver)
  const open = await driver.query<{ name: string }>(listOpenTables)
  return { ...state, openTables: open.map(({ name }) => name) }
}

export async function inspectPartitions(driver: Driver): Promise<PartitionFacts> {
  const misplaced = await driver.query<{ table: string }>(listMisplaced)
  const [row] = await driver.query<{ months: number }>(readMonths)
  return { misplaced: misplaced.map(({ table }) => table), months: row?.months ?? 0 }
}
