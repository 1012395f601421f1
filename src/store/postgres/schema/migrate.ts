import { PontualError, quote } from '../../../errors.ts'
import type { Driver, Queryable, Statement, Transaction } from '../../driver/driver.ts'
import { reasonOf } from '../../driver/pg-errors.ts'
import { DEFAULT_SCHEMA, defaultSchema, type SchemaName } from '../../driver/schema-name.ts'
import { isTransient, sqlStateOf } from '../../unavailable.ts'
import {
  type AppliedFunction,
  type AppliedMigration,
  type AppliedSchema,
  comparePending,
  isNothing,
  latestOf,
  namesOf,
  type Pending,
} from './compare.ts'
import { type Migration, readSchema, type Schema, type SqlFunction } from './sources.ts'

export interface MigrationReport {
  /** The version the database is at. */
  readonly version: number
  /** Names of the migrations that were applied now. */
  readonly applied: readonly string[]
  /** How many functions were created or replaced now. */
  readonly functions: number
  /** Whether the database had none of the tables. */
  readonly isNew: boolean
}

/** Five letters of "pontual" as a number that no other program is likely to use. */
export const LOCK_MIGRATIONS = 'select pg_advisory_xact_lock(482905846901)'

/** A function is created before the tables and functions that its body names. */
const ALLOW_FORWARD_REFERENCES = 'set local check_function_bodies = off'

/** A migration may wait for its tables, and for another node that migrates. */
const DEADLINE_MS = 300_000

const INSUFFICIENT_PRIVILEGE = '42501'

/** Reads the catalog itself: the cache behind `to_regclass` may lack tables that another node created while this one waited. */
const findTables: Statement = {
  name: 'findMigrationTables',
  text: `
select
  exists (select from pg_namespace where nspname = 'pontual') as "hasSchema",
  exists (
    select
    from pg_class
    join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = 'pontual'
      and relname = 'schema_migrations'
  ) as "hasMigrations",
  exists (
    select
    from pg_class
    join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = 'pontual'
      and relname = 'schema_functions'
  ) as "hasFunctions"`,
}

const listMigrations: Statement = {
  name: 'listAppliedMigrations',
  text: `
select
  version,
  name,
  checksum
from pontual.schema_migrations
order by version`,
}

const listFunctions: Statement = {
  name: 'listAppliedFunctions',
  text: `
select
  name,
  checksum,
  version
from pontual.schema_functions
order by name`,
}

/** The owner of the existing tables, and whether this role may act as it. */
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

const recordFunctions: Statement = {
  name: 'recordFunctions',
  text: `
insert into pontual.schema_functions (name, checksum, version)
select name, checksum, $3
from unnest($1::text[], $2::text[]) as applied (name, checksum)
on conflict (name) do update
set checksum = excluded.checksum, version = excluded.version, applied_at = now()`,
}

/** Other arguments make another function of the same name, and a call would be ambiguous. */
const findOverloaded: Statement = {
  name: 'findOverloadedFunctions',
  text: `
select proname as name
from pg_proc
where pronamespace = 'pontual'::regnamespace
  and proname = any($1::text[])
group by proname
having count(*) > 1
order by proname`,
}

/** Called before each script: its name, its number, and how many there are. */
export type OnMigration = (name: string, number: number, count: number) => void

/** Brings the database to the version of this code. Any number of nodes may call it at once: one applies the changes, the others find them applied. */
export async function migrate(
  driver: Driver,
  schema = readSchema(),
  onMigration: OnMigration = () => {},
): Promise<MigrationReport> {
  try {
    // Reading needs no lock and no right to create anything.
    const pending = comparePending(schema, await readApplied(driver))
    if (isNothing(pending)) return reportOf(schema, pending)
    return await driver.transaction((transaction) => applyPending(transaction, schema, onMigration), {
      deadlineMs: DEADLINE_MS,
    })
  } catch (error) {
    throw sqlStateOf(error) === INSUFFICIENT_PRIVILEGE ? notAllowed(driver.schema, error) : error
  }
}

/** Rejects a database that is not at the version of this code. */
export async function requireMigrated(driver: Driver, schema = readSchema()): Promise<void> {
  const pending = comparePending(schema, await readApplied(driver))
  if (isNothing(pending)) return
  const names = namesOf(pending)
  const message = `The database lacks ${names.join(', ')}. Run: npx pontual migrate --database-url <url>${schemaOption(driver.schema)}`
  throw new PontualError('store.migration_needed', message, { pending: names })
}

/** For a command line. */
function schemaOption({ name }: SchemaName): string {
  return name === DEFAULT_SCHEMA ? '' : ` --schema ${name}`
}

/** Empty for a database without the tables. */
export async function readApplied(database: Queryable): Promise<AppliedSchema> {
  const { hasMigrations, hasFunctions } = await findBookkeeping(database)
  return {
    migrations: hasMigrations ? await database.query<AppliedMigration>(listMigrations) : [],
    functions: hasFunctions ? await database.query<AppliedFunction>(listFunctions) : [],
  }
}

/** The whole schema as one script for a database that has none of it, for administrators who do not let a program change tables. */
export function printSchema(schemaName: SchemaName = defaultSchema, schema: Schema = readSchema()): string {
  const pending = { migrations: schema.migrations, functions: schema.functions }
  const records = schema.migrations.map(
    ({ version, name, checksum }) =>
      `insert into pontual.schema_migrations (version, name, checksum) values (${version}, '${name}', '${checksum}');`,
  )
  const functions = schema.functions.map(({ name, checksum }) => `  ('${name}', '${checksum}', '${schema.version}')`)
  const script = [
    '-- The tables and functions of Pontual, for a database that has none of them. All or nothing.',
    'begin;',
    `${LOCK_MIGRATIONS};`,
    'create schema if not exists pontual;',
    `${ALLOW_FORWARD_REFERENCES};\n`,
    ...scriptsOf(schema, pending).map(({ name, sql }) => `-- ${name}\n${sql.trimEnd()}\n`),
    ...records,
    `insert into pontual.schema_functions (name, checksum, version) values\n${functions.join(',\n')};\n`,
    'commit;\n',
  ].join('\n')
  return schemaName.compose(script)
}

interface Script {
  readonly name: string
  readonly sql: string
}

/**
 * In this order, defaults, checks, indexes and triggers can call any function. A database without tables gets the current ones, which contain all later
 * migrations.
 */
function scriptsOf({ epilogue }: Schema, { migrations, functions }: Pending): Script[] {
  const scriptOf = ({ name, sql }: SqlFunction | Migration): Script => ({ name, sql })
  const [first] = migrations
  const changes = first?.version === 1 ? [first] : migrations
  return [
    ...functions.filter(({ followsTables }) => !followsTables).map(scriptOf),
    ...changes.map(scriptOf),
    ...functions.filter(({ followsTables }) => followsTables).map(scriptOf),
    { name: 'the rights of roles', sql: epilogue },
  ]
}

async function applyPending(
  transaction: Transaction,
  schema: Schema,
  onMigration: OnMigration,
): Promise<MigrationReport> {
  await transaction.script(LOCK_MIGRATIONS)
  const { hasSchema, hasMigrations } = await findBookkeeping(transaction)
  // "create schema if not exists" requires the right to create one even if it exists.
  if (!hasSchema) await transaction.script('create schema pontual')
  const pending = comparePending(schema, await readApplied(transaction))
  if (isNothing(pending)) return reportOf(schema, pending)
  if (hasMigrations) await actAsOwner(transaction, pending)
  await transaction.script(ALLOW_FORWARD_REFERENCES)
  const scripts = scriptsOf(schema, pending)
  for (const [index, script] of scripts.entries()) {
    onMigration(script.name, index + 1, scripts.length)
    await apply(transaction, script)
  }
  await record(transaction, schema, pending)
  return reportOf(schema, pending)
}

async function record(
  transaction: Transaction,
  { version }: Schema,
  { migrations, functions }: Pending,
): Promise<void> {
  for (const each of migrations) await transaction.query(recordMigration, [each.version, each.name, each.checksum])
  if (functions.length === 0) return
  const names = functions.map(({ name }) => name)
  await transaction.query(recordFunctions, [names, functions.map(({ checksum }) => checksum), version])
  const [overloaded] = await transaction.query<{ name: string }>(findOverloaded, [names])
  if (!overloaded) return
  const { name } = overloaded
  const message = `The function ${name} has other arguments than the one in the database, and nothing was changed. A function whose signature changes gets a new name.`
  throw new PontualError('store.migration_failed', message, { name })
}

function reportOf({ migrations }: Schema, pending: Pending): MigrationReport {
  return {
    version: latestOf(migrations),
    applied: pending.migrations.map(({ name }) => name),
    functions: pending.functions.length,
    isNew: pending.migrations[0]?.version === 1,
  }
}

/** All tables belong to one role, whichever role migrates: until the end of the transaction it acts as their owner. */
async function actAsOwner(transaction: Transaction, pending: Pending): Promise<void> {
  const [found] = await transaction.query<TableOwner>(findOwner)
  if (!found) throw new Error('The table pontual.schema_migrations was not found.')
  const { owner, role, isOwner, mayBecome } = found
  if (mayBecome) {
    if (owner !== role) await transaction.query(become, [owner])
    return
  }
  if (isOwner) return
  const names = namesOf(pending)
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

async function apply(transaction: Transaction, { name, sql }: Script): Promise<void> {
  try {
    await transaction.script(sql)
  } catch (cause) {
    if (isTransient(cause) || sqlStateOf(cause) === INSUFFICIENT_PRIVILEGE) throw cause
    const message = `The script ${name}.sql failed, and nothing was changed: ${reasonOf(cause)}.`
    throw new PontualError('store.migration_failed', message, { name }, { cause })
  }
}

interface Bookkeeping {
  readonly hasSchema: boolean
  readonly hasMigrations: boolean
  readonly hasFunctions: boolean
}

async function findBookkeeping(database: Queryable): Promise<Bookkeeping> {
  const [row] = await database.query<Bookkeeping>(findTables)
  return row ?? { hasSchema: false, hasMigrations: false, hasFunctions: false }
}

function notAllowed({ name }: SchemaName, cause: unknown): PontualError {
  const message = `The database refuses to be migrated: ${reasonOf(cause)}. Run "npx pontual migrate" as a role that may create the schema "${name}" and its tables, or hand the output of "npx pontual migrate --print" to an administrator.`
  return new PontualError('store.migration_refused', message, {}, { cause })
}
