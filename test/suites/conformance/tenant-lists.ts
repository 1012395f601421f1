import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgres } from '../../../src/postgres.ts'
import type { ServerVersion } from '../../harness/postgres/binaries.ts'
import { createDatabase, type TestDatabase } from '../../harness/postgres/database.ts'
import { forPlainRole } from '../../harness/postgres/plain-role.ts'
import { Bench, failure, HOUR, success } from './bench.ts'

const OTHERS = 20_000

/** What a tenant is told of its executions once a service runs, among the many of others. */
export function describeTenantLists(version: ServerVersion): void {
  describe('lists of a tenant', () => {
    let database: TestDatabase
    let client: pg.Client
    let bench: Bench
    beforeAll(async () => {
      database = await createDatabase(version)
      client = new pg.Client({ connectionString: database.url })
      await client.connect()
      const url = await forPlainRole(database)
      bench = new Bench(() => postgres(url, { maxConnections: 1 }))
      await bench.open()
      // As an owner: nobody else may make triggers and indexes.
      await client.query('select pontual.enable_audit()')
    })
    afterAll(async () => {
      await bench?.close()
      await client?.end()
      await database?.drop()
    })

    /** Successes of another tenant, newer than all others. Everything that their connection has read is counted by the end. */
    async function fill(): Promise<void> {
      const filler = new pg.Client({ connectionString: database.url })
      await filler.connect()
      const other = await bench.enqueue({ tenant: 'other' })
      const id = `('${bench.uuid().slice(0, 8)}-ffff-7fff-bfff-' || to_char(n, 'FM000000000000'))::uuid`
      const others = `from generate_series(1, ${OTHERS}) as n`
      await filler.query(
        `insert into pontual.executions (id, lane, priority, origin, max_attempts, created_at)
        select ${id}, (select lane from pontual.executions where id = $1), 2, 'enqueue', 1, now() ${others}`,
        [other],
      )
      await filler.query(
        `insert into pontual.results (execution_id, status, attempt, epoch, is_reported, finished_at)
        select ${id}, 'SUCCESS', 1, 1, true, now() ${others}`,
      )
      const { rows } = await filler.query<{ pid: number }>('select pg_backend_pid() as pid')
      await filler.end()
      await ended('pid = $1', rows[0]?.pid)
    }

    /** A server process reports what it has read before it leaves this list, which may be later than its client sees its end. */
    async function ended(condition: string, ...values: unknown[]): Promise<void> {
      const query = `select from pg_stat_activity where backend_type = 'client backend' and ${condition}`
      while ((await client.query(query, values)).rowCount !== 0) await client.query('select pg_sleep(0.02)')
    }

    /** How many rows of executions and results were read so far. */
    async function reads(): Promise<number> {
      const { rows } = await client.query<{ count: number }>(
        `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::float8 as count
        from pg_stat_user_tables
        where schemaname = 'pontual'
          and relname ~ '^(executions|results)_'`,
      )
      return rows[0]?.count ?? 0
    }

    it('read no rows of others', async () => {
      await bench.begin()
      for (const status of ['SUCCESS', 'FAILED', 'TIMEOUT'] as const) {
        const held = await bench.running({ tenant: 'acme' })
        const error = status === 'SUCCESS' ? null : failure
        await bench.store.leases.finish([success(held, { status, error })])
      }
      await fill()
      const before = await reads()
      const { executions } = bench.store.forTenant('acme')
      const count = async (change: object) => (await executions.list({ tenant: 'acme', limit: 20, ...change })).length
      expect([
        await count({}),
        await count({ since: bench.now - HOUR }),
        await count({ jobType: 'import' }),
        await count({ statuses: ['SUCCESS'] }),
        await count({ statuses: ['FAILED', 'TIMEOUT'] }),
        await count({ statuses: ['CANCELLED', 'RUNNING'] }),
      ]).toEqual([3, 3, 3, 1, 2, 0])
      await bench.close()
      await ended('datname = current_database() and pid <> pg_backend_pid()')
      expect((await reads()) - before).toBeLessThan(OTHERS)
    })
  })
}
