import { systemEnv } from '../../clock.ts'
import { InvalidInputError } from '../../errors.ts'
import { silentLogger } from '../../logger.ts'
import { openPgDriver } from '../../store/driver/pg.ts'
import { type MigrationReport, migrate, printMigrations } from '../../store/postgres/migrate.ts'
import { readMigrations } from '../../store/postgres/migrations.ts'
import { maintain } from '../../store/postgres/partitions.ts'
import { settleRowSecurity } from '../../store/postgres/row-security.ts'
import { createProgress, type Progress } from '../print/progress.ts'
import type { Terminal } from '../terminal.ts'

export interface MigrateOptions {
  readonly databaseUrl?: string
  readonly print: boolean
  readonly json: boolean
}

/** `pontual migrate`: brings the tables of a database to this version, or prints what would. */
export async function migrateDatabase(options: MigrateOptions, terminal: Terminal): Promise<void> {
  if (options.print) {
    const sql = printMigrations()
    terminal.write(options.json ? `${JSON.stringify({ sql })}\n` : sql)
    return
  }
  const progress = createProgress(terminal, options)
  const report = await migrateAt(requireUrl(options.databaseUrl), progress).finally(() => progress.end())
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
}

async function migrateAt(url: string, progress: Progress): Promise<Migrated> {
  const options = { maxConnections: 1, deadlineMs: 30_000, prepare: false } as const
  const driver = await openPgDriver(url, options, { env: systemEnv, logger: silentLogger })
  try {
    const report = await migrate(driver, readMigrations(), (name, number, count) =>
      progress.report(`Applying ${name}, ${number} of ${count}`),
    )
    progress.report('Securing rows, and making room for the months to come')
    const isolationRemedy = await settleRowSecurity(driver, true)
    // Nodes whose role may not create tables find room for the months to come.
    await maintain({ driver, testTime: () => null })
    return { ...report, isolationRemedy }
  } finally {
    await driver.close()
  }
}

function tell({ version, applied, isolationRemedy }: Migrated): string {
  const steps = applied.map((name) => `Applied ${name}.\n`).join('')
  const state = applied.length === 0 ? 'Nothing to do: the database' : `${steps}The database`
  const remedy =
    isolationRemedy === null
      ? ''
      : `Row security is off, and a service will not start. Run as an administrator, and then this again: ${isolationRemedy}\n`
  return `${state} is at version ${version}.\n${remedy}`
}
