import pg from 'pg'
import { inject } from 'vitest'
import { systemEnv } from '../../src/clock.ts'
import { silentLogger } from '../../src/logger.ts'
import { postgres } from '../../src/postgres.ts'
import type { ServerVersion } from './binaries.ts'
import type { ServerAnswer } from './broker.ts'

export interface TestDatabase {
  readonly url: string
  drop(): Promise<void>
}

/** Whether someone asked to leave out tests that need a server. */
export function isPostgresSkipped(version: ServerVersion = '18'): boolean {
  const skipped = process.env['PONTUAL_SKIP_POSTGRES'] ?? ''
  const isSkipped = skipped === version || !['', '0', '14', '18'].includes(skipped)
  if (isSkipped) process.stderr.write(`\nSKIPPED: tests on PostgreSQL ${version} (PONTUAL_SKIP_POSTGRES=${skipped})\n`)
  return isSkipped
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
