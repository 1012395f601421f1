import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { EMBEDDED_MIGRATIONS } from '../../embedded.ts'

export interface Migration {
  readonly version: number
  /** Such as `0001_engine`. */
  readonly name: string
  readonly sql: string
  /** SHA-256 of the text with line ends as `\n`, so that a checkout that changes them is not taken for a change. */
  readonly checksum: string
}

/** A number that hardly anybody else uses: the letters of "pontu". */
const LOCK = 0x706f6e7475

export const LOCK_MIGRATIONS = `select pg_advisory_xact_lock(${LOCK})`

export const CREATE_MIGRATIONS_TABLE = `create table pontual.schema_migrations (
  version integer primary key,
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default now()
)`

/** Migrations as they ship with this version, in order. */
export function readMigrations(): Migration[] {
  const texts = EMBEDDED_MIGRATIONS ?? readTexts(new URL('../../../migrations/', import.meta.url))
  return Object.entries(texts).map(([name, text]) => readMigration(name, text))
}

function readTexts(folder: URL): Record<string, string> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'))
  return Object.fromEntries(
    files.sort().map((file) => [file.replace(/\.sql$/, ''), readFileSync(new URL(file, folder), 'utf8')]),
  )
}

export function readMigration(name: string, text: string): Migration {
  const sql = text.replace(/\r\n?/g, '\n')
  const checksum = createHash('sha256').update(sql).digest('hex')
  return { version: Number.parseInt(name, 10), name, sql, checksum }
}

/** All migrations as one script for a database that has none: for who is not allowed, or does not want, to let a program change tables. */
export function printMigrations(migrations: readonly Migration[] = readMigrations()): string {
  const parts = migrations.map(
    ({ version, name, sql, checksum }) =>
      `-- ${name}.sql\n${sql.trimEnd()}\n\ninsert into pontual.schema_migrations (version, name, checksum)\nvalues (${version}, '${name}', '${checksum}');\n`,
  )
  return [
    '-- The tables of Pontual, for a database that has none of them. All or nothing.',
    'begin;',
    `${LOCK_MIGRATIONS};`,
    'create schema if not exists pontual;',
    `${CREATE_MIGRATIONS_TABLE};\n`,
    ...parts,
    'commit;\n',
  ].join('\n')
}
