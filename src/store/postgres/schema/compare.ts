import { PontualError } from '../../../errors.ts'
import type { Migration, Schema, SqlFunction } from './sources.ts'

/** The migrations and functions that a database contains. */
export interface AppliedSchema {
  readonly migrations: readonly AppliedMigration[]
  readonly functions: readonly AppliedFunction[]
}

export type AppliedMigration = Pick<Migration, 'version' | 'name' | 'checksum'>

export interface AppliedFunction {
  readonly name: string
  readonly checksum: string
  /** The version of Pontual that applied it. */
  readonly version: string
}

/** The difference between a database and the schema of this version. */
export interface Pending {
  readonly migrations: readonly Migration[]
  readonly functions: readonly SqlFunction[]
}

export function isNothing({ migrations, functions }: Pending): boolean {
  return migrations.length === 0 && functions.length === 0
}

/** For a message: `0002_owners, the function wake`. */
export function namesOf({ migrations, functions }: Pending): string[] {
  // A new database lacks all functions.
  const isNew = migrations[0]?.version === 1
  return [...migrations.map(({ name }) => name), ...(isNew ? [] : functions.map(({ name }) => `the function ${name}`))]
}

/** Rejects a database that is newer than this code, or that was created from other files. */
export function comparePending(schema: Schema, applied: AppliedSchema): Pending {
  const migrations = compareMigrations(schema.migrations, applied.migrations)
  return { migrations, functions: compareFunctions(schema, applied.functions) }
}

function compareMigrations(migrations: Schema['migrations'], applied: readonly AppliedMigration[]): Migration[] {
  const known = new Map(applied.map((each) => [each.version, each]))
  const [tables] = migrations
  const first = known.get(tables.version)
  if (first && first.name !== tables.name) throw unreleased(first.name)
  const latest = latestOf(migrations)
  const reached = Math.max(0, ...known.keys())
  if (reached > latest) {
    const message = `The database is at version ${reached}, this code knows up to ${latest}. Install the version of pontual that the database was migrated with, or a newer one.`
    throw new PontualError('store.database_newer', message, { database: reached, code: latest })
  }
  for (const { version, name, checksum } of migrations) {
    const found = known.get(version)
    if (!found || (found.name === name && found.checksum === checksum)) continue
    // A later migration changes the tables, and the files in sql/tables with them.
    if (version === tables.version && migrations.length > 1) continue
    const message = `Migration ${name}.sql is not the one that was applied to the database as ${found.name}.sql: its checksum is ${checksum.slice(0, 12)}…, applied was ${found.checksum.slice(0, 12)}…. A migration never changes once it was applied; restore the file.`
    throw new PontualError('store.migration_changed', message, { name, checksum, applied: found.checksum })
  }
  return migrations.filter(({ version }) => !known.has(version))
}

/** The functions whose text differs; none if a newer version has applied any, so that an older node that restarts does not restore an old text. */
function compareFunctions({ version, functions }: Schema, applied: readonly AppliedFunction[]): SqlFunction[] {
  if (applied.some((each) => compareVersions(each.version, version) > 0)) return []
  const known = new Map(applied.map(({ name, checksum }) => [name, checksum]))
  return functions.filter(({ name, checksum }) => known.get(name) !== checksum)
}

/** By the precedence of Semantic Versioning: below zero if the first is older. */
export function compareVersions(first: string, second: string): number {
  const [one, other] = [partsOf(first), partsOf(second)]
  for (let index = 0; index < Math.max(one.length, other.length); index++) {
    const difference = compareParts(one[index], other[index])
    if (difference !== 0) return difference
  }
  return 0
}

/** A version without a pre-release ends in a part that follows every other: 1.0.0 is newer than 1.0.0-beta.2. */
function partsOf(version: string): (number | string)[] {
  const [release = '', ...preRelease] = version.replace(/\+.*$/, '').split('-')
  const parts = [...release.split('.'), ...(preRelease.length === 0 ? ['~'] : preRelease.join('-').split('.'))]
  return parts.map((part) => (/^\d+$/.test(part) ? Number(part) : part))
}

function compareParts(one: number | string | undefined, other: number | string | undefined): number {
  if (one === other) return 0
  if (one === undefined) return -1
  if (other === undefined) return 1
  if (typeof one !== typeof other) return typeof one === 'number' ? -1 : 1
  return one < other ? -1 : 1
}

export function latestOf(migrations: Schema['migrations']): number {
  return migrations.at(-1)?.version ?? 0
}

function unreleased(name: string): PontualError {
  const message = `The tables were created by a development version of Pontual that was never released (its first migration is "${name}"), and cannot be migrated. To keep what they contain, export it with pg_dump, or read it with that version. Then run "drop schema pontual cascade" and "npx pontual migrate", or use another database.`
  return new PontualError('store.database_unreleased', message, { name })
}
