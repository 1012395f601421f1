import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { EMBEDDED_SCHEMA } from '../../../embedded.ts'

/** The folder `sql` as it ships with one version of Pontual. */
export interface Schema {
  /** The version of Pontual. */
  readonly version: string
  /** The first one is `sql/tables`, the current tables. The others bring a database that was created earlier to these tables. */
  readonly migrations: readonly [Migration, ...Migration[]]
  readonly functions: readonly SqlFunction[]
  /** Statements that follow every change. */
  readonly epilogue: string
}

export interface Migration {
  readonly version: number
  /** For example `0001_tables`. */
  readonly name: string
  readonly sql: string
  readonly checksum: string
}

export interface SqlFunction {
  readonly name: string
  readonly sql: string
  readonly checksum: string
  /** True if its signature names a table or a type, so that it cannot be created before them. */
  readonly followsTables: boolean
}

/** The texts of `sql` by path, such as `functions/wake`, and the version of the package. */
interface SchemaTexts {
  readonly version: string
  readonly texts: Readonly<Record<string, string>>
}

const TABLES = '0001_tables'

const EPILOGUE = 'select pontual.secure_rows();'

export function readSchema(): Schema {
  const { version, texts } = EMBEDDED_SCHEMA ?? readFiles()
  const paths = Object.keys(texts).sort()
  const inFolder = (folder: string) =>
    paths
      .filter((path) => path.startsWith(folder))
      .map((path) => ({ name: path.slice(folder.length), text: texts[path] ?? '' }))
  const tables = inFolder('tables/').map(({ text }) => text)
  const migrations = inFolder('migrations/').map(({ name, text }) => readMigration(name, text))
  return {
    version,
    migrations: [readMigration(TABLES, tables.join('\n')), ...migrations],
    functions: inFolder('functions/').map(({ name, text }) => readFunction(name, text)),
    epilogue: EPILOGUE,
  }
}

function readFiles(): SchemaTexts {
  const root = new URL('../../../../', import.meta.url)
  const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { version: string }
  const folder = new URL('sql/', root)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.sql'))
  const texts: Record<string, string> = {}
  for (const file of files) {
    const path = file.replace(/\.sql$/, '').replaceAll('\\', '/')
    texts[path] = readFileSync(new URL(file, folder), 'utf8')
  }
  return { version, texts }
}

export function readMigration(name: string, text: string): Migration {
  const sql = withPlainLineEnds(text)
  return { version: Number.parseInt(name, 10), name, sql, checksum: checksumOf(sql) }
}

export function readFunction(name: string, text: string): SqlFunction {
  const sql = withPlainLineEnds(text)
  const signature = /^create or replace function pontual\.\w+([\s\S]+?)\nas \$/m.exec(sql)?.[1] ?? ''
  return { name, sql, checksum: checksumOf(sql), followsTables: signature.includes('pontual.') }
}

/** A checkout that changes line ends does not change the text. */
function withPlainLineEnds(text: string): string {
  return text.replace(/\r\n?/g, '\n')
}

/** SHA-256 of the statements: a changed comment above them is no change. */
function checksumOf(sql: string): string {
  const statements = sql.replace(/^--.*\n/gm, '').replace(/\n{2,}/g, '\n')
  return createHash('sha256').update(statements.trim()).digest('hex')
}
