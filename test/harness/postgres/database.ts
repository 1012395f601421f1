import pg from 'pg'
import { inject } from 'vitest'
import { systemEnv } from '../../../src/clock.ts'
import { silentLogger } from '../../../src/logger.ts'
import { postgres } from '../../../src/postgres.ts'
import { leaveOut } from '../left-out.ts'
import type { ServerVersion } from './binaries.ts'
import { GIVEN, type ServerAnswer } from './broker.ts'
import { findStockServer } from './stock-server.ts'

export interface TestDatabase {
  readonly url: string
  drop(): Promise<void>
}

/** Tells if tests that need a server are left out, by request or, for the system's server, because there is none. */
export function isPostgresSkipped(version: ServerVersion = '18'): boolean {
  const reason = skipReason(version)
  if (reason !== null) {
    leaveOut(version === 'stock' ? "tests on the system's PostgreSQL" : `tests on PostgreSQL ${version}`, reason)
  }
  return reason !== null
}

function skipReason(version: ServerVersion): string | null {
  const skipped = process.env['PONTUAL_SKIP_POSTGRES'] ?? ''
  if (skipped === version || !['', '0', '14', '18', 'stock'].includes(skipped))
    return `PONTUAL_SKIP_POSTGRES=${skipped}`
  if (version !== 'stock' || process.env[GIVEN.stock] || findStockServer()) return null
  return `install PostgreSQL, or set ${GIVEN.stock}`
}

// Any number will do that nobody else locks.
const TEMPLATE_LOCK = 7_060_551

let made = 0

/** A database of its own on the server of this run, with the tables of the newest migration and nothing in them. */
export async function createDatabase(version: ServerVersion = '18'): Promise<TestDatabase> {
  const { url, runId } = await askForServer(version)
  const name = `pontual_${runId}_${process.pid}_${process.env['VITEST_WORKER_ID'] ?? 0}_${++made}`
  const template = `pontual_${runId}_template`
  await onServer(url, async (client) => {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK])
    const { rowCount } = await client.query('select from pg_database where datname = $1', [template])
    if (rowCount === 0) await createTemplate(client, url, template)
    await client.query(`create database "${name}" template "${template}"`)
  })
  return {
    url: withDatabase(url, name),
    drop: () =>
      onServer(url, async (client) => {
        await client.query(`drop database if exists "${name}" with (force)`)
      }),
  }
}

async function createTemplate(client: pg.Client, url: string, template: string): Promise<void> {
  await client.query(`create database "${template}"`)
  try {
    const store = await postgres(withDatabase(url, template)).open({ env: systemEnv, logger: silentLogger })
    await store.close()
  } catch (error) {
    await client.query(`drop database "${template}" with (force)`)
    throw error
  }
}

/** The server of this run, started if this is the first to ask; or an error that says what to do. */
async function askForServer(version: ServerVersion): Promise<{ readonly url: string; readonly runId: string }> {
  const answer = (await (await fetch(`${inject('postgresBroker')}/${version}`)).json()) as ServerAnswer
  if ('failure' in answer) throw new Error(answer.failure)
  return answer
}

async function onServer(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}
