import { PontualError, quote } from '../../errors.ts'
import type { Driver, Queryable, Statement, Transaction } from '../driver/driver.ts'
import { reasonOf } from '../driver/pg-errors.ts'
import { isTransient, sqlStateOf } from '../unavailable.ts'
import { CREATE_MIGRATIONS_TABLE, LOCK_MIGRATIONS, type Migration, readMigrations } from './migrations.ts'

export { printMigrations } from './migrations.ts'

export interface MigrationReport {
  /** The version the database is at. */
  readonly version: number
  /** Names of what was applied just now. */
  readonly applied: readonly string[]
}

/** A migration may wait for its tables, and for another node that migrates. */
const DEADLINE_MS = 300_000

const INSUFFICIENT_PRIVILEGE = '42501'

/** Reads the catalog itself: `to_regclass` answers from a cache that does not know yet what another node created while this one waited. */
const findTables: Statement = {
  name: 'findMigrationTables',
  text: `
select
  exists (select from pg_namespace where nspname = 'pontual') as has_schema,
  exists (
    select
    from pg_class
    join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = 'pontual'
      and relname = 'schema_migrations'
  ) as has_table`,
}

const listApplied: Statement = {
  name: 'listAppliedMigrations',
  text: `
select
  version,
  name,
  checksum
from pontual.schema_migrations
order by version`,
}

/** The owner of what earlier migrations made, and if this role may act as it. */
const findOwner: Statement = {
  name: 'findTableOwner',
  text: `
select
  pg_get_userbyid(owned.owner) as owner,
  current_user::text as role,
  pg_has_role(owned.owner, 'usage') as "isOwner",
  pg_has_role(
    owned.owner,
    case when current_setting('server_version_num')::integer >= 160000 then 'set' else 'member' end
  ) and not exists (
    select from pg_namespace where nspname = 'pontual' and nspowner <> owned.owner
    union all
    select from pg_class where relnamespace = 'pontual'::regnamespace and relkind in ('r', 'p', 'v') and relowner <> owned.owner
    union all
    select from pg_proc where pronamespace = 'pontual'::regnamespace and proowner <> owned.owner
  ) as "mayBecome"
from (select relowner as owner from pg_class where oid = 'pontual.schema_migrations'::regclass) as owned`,
}

const become: Statement = { name: 'becomeOwner', text: `select set_config('role', $1, true)` }

const recordMigration: Statement = {
  name: 'recordMigration',
  text: `
insert into pontual.schema_migrations (version, name, checksum)
values ($1, $2, $3)`,
}

/** Told before each migration that is applied: its name, which one it is, and of how many. */
export type OnMigration = (name: string, number: number, count: number) => void

/** Brings the database to the version of this code. Any number of nodes may do so at once: one applies, the others find it done. */
export async function migrate(
  driver: Driver,
  migrations = readMigrations(),
  onMigration: OnMigration = () => {},
): Promise<MigrationReport> {
  try {
    // Looking needs no lock and no right to create anything.
    const pending = await findPending(driver, migrations)
    if (pending.length === 0) return { version: latestOf(migrations), applied: [] }
    return await driver.transaction((transaction) => applyPending(transaction, migrations, onMigration), {
      deadlineMs: DEADLINE_MS,
    })
  } catch (error) {
    throw sqlStateOf(error) === INSUFFICIENT_PRIVILEGE ? notAllowed(error) : error
  }
}

/** Refuses a database that is not at the version of this code. */
export async function requireMigrated(driver: Driver, migrations = readMigrations()): Promise<void> {
  const pending = await findPending(driver, migrations)
  if (pending.length === 0) return
  const names = pending.map(({ name }) => name)
  const message = `The database lacks ${names.join(', ')}. Run: npx pontual migrate --database-url <url>`
  throw new PontualError('store.migration_needed', message, { pending: names })
}

async function applyPending(
  transaction: Transaction,
  migrations: readonly Migration[],
  onMigration: OnMigration,
): Promise<MigrationReport> {
  await transaction.script(LOCK_MIGRATIONS)
  const { hasSchema, hasTable } = await findBookkeeping(transaction)
  // "create … if not exists" asks for the right to create even where there is nothing to do.
  if (!hasSchema) await transaction.script('create schema pontual')
  if (!hasTable) await transaction.script(CREATE_MIGRATIONS_TABLE)
  const pending = await findPending(transaction, migrations)
  if (pending.length > 0) await actAsOwner(transaction, pending)
  for (const [index, migration] of pending.entries()) {
    onMigration(migration.name, index + 1, pending.length)
    await apply(transaction, migration)
  }
  return { version: latestOf(migrations), applied: pending.map(({ name }) => name) }
}

/** All tables belong to one role, whichever role migrates: until the end of the transaction it acts as their owner. */
async function actAsOwner(transaction: Transaction, pending: readonly Migration[]): Promise<void> {
  const [found] = await transaction.query<TableOwner>(findOwner)
  if (!found) throw new Error('The table pontual.schema_migrations was not found.')
  const { owner, role, isOwner, mayBecome } = found
  if (mayBecome) {
    if (owner !== role) await transaction.query(become, [owner])
    return
  }
  if (isOwner) return
  const names = pending.map(({ name }) => name)
  const message = `The database lacks ${names.join(', ')}, and the role ${quote(role)} cannot act as ${quote(owner)}, which owns the tables. Run "npx pontual migrate" as a role that can, such as the one that created ${quote(owner)}, or a superuser.`
  throw new PontualError('store.migration_refused', message, { pending: names, role, owner })
}

interface TableOwner {
  readonly owner: string
  readonly role: string
  /** Whether this role has the rights of the owner. */
  readonly isOwner: boolean
  /** Whether it can take on the owner's role, and everything in the schema belongs to that one. */
  readonly mayBecome: boolean
}

async function apply(transaction: Transaction, { version, name, sql, checksum }: Migration): Promise<void> {
  try {
    await transaction.script(sql)
  } catch (cause) {
    if (isTransient(cause) || sqlStateOf(cause) === INSUFFICIENT_PRIVILEGE) throw cause
    const message = `Migration ${name}.sql failed, and nothing was changed: ${reasonOf(cause)}.`
    throw new PontualError('store.migration_failed', message, { name }, { cause })
  }
  await transaction.query(recordMigration, [version, name, checksum])
}

async function findPending(database: Queryable, migrations: readonly Migration[]): Promise<Migration[]> {
  return compareMigrations(migrations, await listAppliedMigrations(database))
}

/** None where there is not even a table of them. */
export async function listAppliedMigrations(database: Queryable): Promise<readonly AppliedMigration[]> {
  const { hasTable } = await findBookkeeping(database)
  return hasTable ? await database.query<AppliedMigration>(listApplied) : []
}

async function findBookkeeping(database: Queryable): Promise<{ hasSchema: boolean; hasTable: boolean }> {
  const [row] = await database.query<{ has_schema: boolean; has_table: boolean }>(findTables)
  return { hasSchema: row?.has_schema ?? false, hasTable: row?.has_table ?? false }
}

export type AppliedMigration = Pick<Migration, 'version' | 'name' | 'checksum'>

/** What is still to be applied. Refuses a database that is newer than this code, or was made by other files. */
export function compareMigrations(migrations: readonly Migration[], applied: readonly AppliedMigration[]): Migration[] {
  const latest = latestOf(migrations)
  const reached = Math.max(0, ...applied.map(({ version }) => version))
  if (reached > latest) {
    const message = `The database is at version ${reached}, this code knows up to ${latest}. Install the version of pontual that the database was migrated with, or a newer one.`
    throw new PontualError('store.database_newer', message, { database: reached, code: latest })
  }
  const known = new Map(applied.map((each) => [each.version, each]))
  for (const { version, name, checksum } of migrations) {
    const found = known.get(version)
    if (!found || (found.name === name && found.checksum === checksum)) continue
    const message = `Migration ${name}.sql is not the one that was applied to the database as ${found.name}.sql: its checksum is ${checksum.slice(0, 12)}…, applied was ${found.checksum.slice(0, 12)}…. A migration never changes once it was applied; restore the file.`
    throw new PontualError('store.migration_changed', message, { name, checksum, applied: found.checksum })
  }
  return migrations.filter(({ version }) => !known.has(version))
}

function latestOf(migrations: readonly Migration[]): number {
  return migrations.at(-1)?.version ?? 0
}

function notAllowed(cause: unknown): PontualError {
  const message = `The database refuses to be migrated: ${reasonOf(cause)}. Run "npx pontual migrate" as a role that may create the schema "pontual" and its tables, or hand the output of "npx pontual migrate --print" to who may.`
  return new PontualError('store.migration_refused', message, {}, { cause })
}
