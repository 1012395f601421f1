import type { Driver, Statement } from '../../driver/driver.ts'

const listTables: Statement = {
  name: 'inspectTables',
  text: `
select
  relname as name,
  n_live_tup as live,
  n_dead_tup as dead,
  pg_total_relation_size(relid) as bytes,
  relname in ('ready', 'delayed', 'leases') as "isHot"
from pg_stat_user_tables
where schemaname = 'pontual'
order by n_dead_tup desc
limit 200`,
}

/** Transactions that keep what was deleted from being vacuumed; `who` is the process, the prepared transaction or the replication slot. */
const listHolders: Statement = {
  name: 'inspectHolders',
  text: `
select
  'transaction' as kind,
  pid::text as who,
  (extract(epoch from clock_timestamp() - xact_start) * 1000)::float8 as "ageMs"
from pg_stat_activity
where datname = current_database()
  and xact_start < clock_timestamp() - interval '5 minutes'
  and pid <> pg_backend_pid()
union all
select
  'prepared',
  gid,
  (extract(epoch from clock_timestamp() - prepared) * 1000)::float8
from pg_prepared_xacts
where database = current_database()
  and prepared < clock_timestamp() - interval '5 minutes'
union all
select
  'slot',
  slot_name,
  null
from pg_replication_slots
where not active
order by "ageMs" desc nulls last
limit 20`,
}

const readAge: Statement = {
  name: 'inspectAge',
  text: `
select age(datfrozenxid) as age
from pg_database
where datname = current_database()`,
}

export interface TableFacts {
  readonly name: string
  readonly live: number
  readonly dead: number
  readonly bytes: number
  /** It fills and empties all day. */
  readonly isHot: boolean
}

export interface HolderFacts {
  readonly kind: 'transaction' | 'prepared' | 'slot'
  readonly who: string
  /** null where that is not known. */
  readonly ageMs: number | null
}

export interface SpaceFacts {
  readonly tables: readonly TableFacts[]
  readonly holders: readonly HolderFacts[]
  /** Transactions since the oldest row that was not frozen; the server stops at two thousand million. */
  readonly transactionAge: number
}

export async function inspectSpace(driver: Driver): Promise<SpaceFacts> {
  const tables = await driver.query<TableFacts>(listTables)
  const holders = await driver.query<HolderFacts>(listHolders)
  const [row] = await driver.query<{ age: number }>(readAge)
  return { tables, holders, transactionAge: row?.age ?? 0 }
}
