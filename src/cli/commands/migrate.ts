import { systemEnv } from '../../clock.ts'
import { InvalidInputError } from '../../errors.ts'
import { silentLogger } from '../../logger.ts'
import { openPgDriver } from '../../store/driver/pg.ts'
import { readSchemaName, type SchemaName } from '../../store/driver/schema-name.ts'
import { type MigrationReport, migrate, printSchema } from '../../store/postgres/schema/migrate.ts'
import { maintain } from '../../store/postgres/schema/partitions.ts'
import {
  maySeparate,
  printSeparation,
  type Roles,
  readRoles,
  type SeparatedRoles,
  separateRoles,
} from '../../store/postgres/schema/roles.ts'
import { quoteName, settleRowSecurity } from '../../store/postgres/schema/row-security.ts'
import { readSchema } from '../../store/postgres/schema/sources.ts'
import { createProgress, type Progress } from '../print/executions.ts'
import type { Terminal } from '../terminal.ts'

export interface MigrateOptions {
  readonly databaseUrl?: string | undefined
  /** The schema of the tables. */
  readonly schema?: string | undefined
  /** The role that is to own the tables. */
  readonly owner?: string | undefined
  /** The role that nodes log in as. */
  readonly login?: string | undefined
  readonly print: boolean
  readonly json: boolean
}

/** `pontual migrate`: brings the tables of a database to this version, or prints what would. */
export async function migrateDatabase(options: MigrateOptions, terminal: Terminal): Promise<void> {
  const schema = readSchemaName(options.schema)
  const roles = options.owner === undefined && options.login === undefined ? null : readRoles(options, schema)
  if (options.print) {
    const sql = printSchema(schema) + (roles ? `\n${printSeparation(roles, schema)}` : '')
    terminal.write(options.json ? `${JSON.stringify({ sql })}\n` : sql)
    return
  }
  const progress = createProgress(terminal, options)
  const report = await migrateAt(requireUrl(options.databaseUrl), schema, roles, progress).finally(() => progress.end())
  terminal.write(options.json ? `${JSON.stringify(report)}\n` : tell(report))
}

function requireUrl(url: string | undefined): string {
  if (url) return url
  const message =
    'Which database? Set DATABASE_URL, or give --database-url postgres://user:password@host:5432/database. With --print none is needed.'
  throw new InvalidInputError('store.connection_missing', message)
}

interface Migrated extends MigrationReport {
  /** What an administrator has to do before the database keeps tenants apart; null where it does. */
  readonly isolationRemedy: string | null
  /** The owner of the tables and the login role; null if this call was not to separate them. */
  readonly roles: SeparatedRoles | null
}

async function migrateAt(url: string, schema: SchemaName, asked: Roles | null, progress: Progress): Promise<Migrated> {
  const options = { maxConnections: 1, deadlineMs: 30_000, prepare: false, schema } as const
  const driver = await openPgDriver(url, options, { env: systemEnv, logger: silentLogger })
  try {
    const report = await migrate(driver, readSchema(), (name, number, count) =>
      progress.report(`Applying ${name}, ${number} of ${count}`),
    )
    const wanted = asked ?? (report.isNew && (await maySeparate(driver)) ? readRoles({}, schema) : null)
    if (wanted) progress.report('Separating the owner of the tables from the login role')
    const roles = wanted && (await separateRoles(driver, wanted))
    progress.report('Securing rows, and making room for the months to come')
    const isolationRemedy = await settleRowSecurity(driver, true)
    // Nodes whose role may not create tables find room for the months to come.
    await maintain({ driver, testTime: () => null })
    return { ...report, isolationRemedy, roles }
  } finally {
    await driver.close()
  }
}

function tell({ version, applied, functions, isolationRemedy, roles, isNew }: Migrated): string {
  const steps = [
    ...applied.map((name) => `Applied ${name}.\n`),
    ...(functions === 0 ? [] : [`${isNew ? 'Created' : 'Updated'} ${functions} functions.\n`]),
  ]
  const state = steps.length === 0 ? 'Nothing to do: the database' : `${steps.join('')}The database`
  const remedy =
    isolationRemedy === null
      ? ''
      : `Row security is off, and a service will not start. Run as an administrator, and then this again: ${isolationRemedy}\n`
  return `${state} is at version ${version}.\n${remedy}${roles ? tellRoles(roles) : ''}${isNew && roles === null ? SIMPLE : ''}`
}

const SIMPLE =
  'The role that created the tables owns them, and can disable the audit log; npx pontual migrate --login <role> changes that.\n'

function tellRoles({ owner, login, isNew, refusal, sql }: SeparatedRoles): string {
  if (sql !== null) {
    return `The login role can still change the tables, which takes a role that may create roles: ${refusal}. Run as an administrator:\n\n${sql}`
  }
  const password = isNew ? ` It has no password yet; set one in psql: \\password ${quoteName(login)}` : ''
  return `The tables belong to ${owner}, which cannot log in. Nodes log in as ${login}.${password}\n`
}
