import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgres } from '../../../src/postgres.ts'
import type { StoreSource } from '../../../src/store/store.ts'
import type { ServerVersion } from '../../harness/postgres/binaries.ts'
import { createDatabase, type TestDatabase } from '../../harness/postgres/database.ts'
import { forPlainRole } from '../../harness/postgres/plain-role.ts'
import { Bench, HOUR, LEASE_MS, MINUTE, success } from './bench.ts'
import { begun, heldOf, item, MISMATCH, run, running, settled, taken } from './durable-entries.ts'
import { throughTenants } from './through-tenants.ts'

const OTHERS = 20_000

/** Tables that hold the rows of many runs, or of many who ask. */
const TABLES =
  /^(history_entries|links|signals|cancellations|replays|checkpoints|leases|delayed|ready|api_keys|sessions|requests|audit_entries)/

/** Who asks: an engine, or a service for a tenant. Row security holds for both. */
const ASKING: readonly [string, (source: StoreSource) => StoreSource][] = [
  ['an engine', (source) => source],
  ['a tenant', throughTenants],
]

/** Statements whose plans were made when there was nothing, and which are not made anew. */
export function describeStalePlans(version: ServerVersion): void {
  describe.each(ASKING)('plans that were made for empty tables, of what %s asks', (_who, asking) => {
    let database: TestDatabase
    let bench: Bench
    let client: pg.Client
    beforeAll(async () => {
      database = await createDatabase(version)
      client = new pg.Client({ connectionString: database.url })
      await client.connect()
      const url = await forPlainRole(database)
      bench = new Bench(() => asking(postgres(url, { maxConnections: 1 })))
      await bench.open()
      const { rows } = await client.query<{ name: string }>(
        `select oid::regclass::text as name from pg_class where relnamespace = 'pontual'::regnamespace and relkind = 'r'`,
      )
      for (const { name } of rows) await client.query(`alter table ${name} set (autovacuum_enabled = false)`)
      await client.query('vacuum analyze')
    })
    afterAll(async () => {
      await bench?.close()
      await client?.end()
      await database?.drop()
    })

    /** How many rows of each table were read so far. A connection tells of what it has read when it ends. */
    async function reads(): Promise<ReadonlyMap<string, number>> {
      const { rows } = await client.query<{ name: string; count: number }>(
        `select relname as name, (seq_tup_read + coalesce(idx_tup_fetch, 0))::float8 as count
        from pg_stat_user_tables
        where schemaname = 'pontual'`,
      )
      return new Map(rows.map(({ name, count }) => [name, count]))
    }

    /** Waits until two looks in a row see the same. */
    async function allReads(): Promise<ReadonlyMap<string, number>> {
      for (let last = ''; ; ) {
        const found = await reads()
        const seen = JSON.stringify([...found])
        if (seen === last) return found
        last = seen
        await client.query(`select pg_sleep(0.3)`)
      }
    }

    async function fill(): Promise<void> {
      const id = `('${bench.uuid().slice(0, 8)}-0000-7000-8000-' || to_char(n, 'FM000000000000'))::uuid`
      const others = `from generate_series(1, ${OTHERS}) as n`
      await client.query(
        `insert into pontual.history_entries
          (execution_id, sequence, epoch, calls, attempt, started_at, kind, status, name, child_id)
        select ${id}, 1, 1, 1, 1, now(), 'activity', 'RUNNING', 'x', ${id} ${others}`,
      )
      await client.query(
        `insert into pontual.links (successor_id, place, predecessor_id, condition, is_declared, is_child)
        select ${id}, -1, ${id}, 'end', false, true ${others}`,
      )
      await client.query(
        `insert into pontual.signals (execution_id, name, idempotency_key, sent_at) select ${id}, 'x', 'k', now() ${others}`,
      )
      await client.query(`insert into pontual.cancellations select ${id}, null, now() ${others}`)
      await client.query(`insert into pontual.replays select ${id}, 1, now() ${others}`)
      await client.query(`insert into pontual.checkpoints select ${id}, '1', now() ${others}`)
      await client.query(
        `insert into pontual.api_keys (id, tenant, name, secret_hash, profile, permissions, owner_id, created_at)
        select ${id}, 'globex', 'x', ${id}, 'Admin', '{}', 'x', now() ${others}`,
      )
      await client.query(
        `insert into pontual.sessions
          (secret_hash, tenant, user_id, profile, permissions, source, created_at, expires_at)
        select ${id}, 'globex', 'x', 'Admin', '{}', 'jwt', now(), 'infinity' ${others}`,
      )
      await client.query(
        `insert into pontual.requests (tenant, user_id, key, fingerprint, resource_id, begun_at, expires_at)
        select 'acme', 'ana', ${id}, '', '', now(), 'infinity' ${others}`,
      )
      await client.query(
        `insert into pontual.audit_entries (tenant, sequence, at, operation, job_id, previous_hash, hash)
        select 'acme', n, date_trunc('milliseconds', now()), 'x', ${id}, '', '' ${others}`,
      )
    }

    /** What happens to a run in its life. */
    async function live(): Promise<void> {
      const { histories, executions, leases, jobs } = bench.store
      let held = await running(bench)
      const { executionId } = held
      const signal = { executionId, name: 'go', payload: null }
      const child = bench.execution({ priority: 'HIGH' })
      await histories.record([item(held, settled(1))])
      await histories.record([item(held, settled(2, { kind: 'timer', isTimer: true, dueAt: bench.now }))])
      await histories.signal([
        { ...signal, idempotencyKey: 'k' },
        { ...signal, idempotencyKey: null },
      ])
      const [news] = await histories.news([heldOf(held)])
      const [first, second] = news?.signals ?? []
      await histories.record([{ ...item(held, settled(3, { signalId: first!.id })), discards: [second!.id] }])
      await histories.startChildren([{ ...heldOf(held), entries: [begun(4, { childId: child.body.id })], child }])
      await leases.finish([success(await taken(bench), { output: '1' })])
      expect(await histories.news([heldOf(held)])).toMatchObject([{ children: [{ executionId: child.body.id }] }])
      await histories.record([item(held, settled(4, { takesChild: child.body.id }))])
      await histories.checkpoint([{ ...heldOf(held), state: '1' }])
      await histories.lastCheckpoint(executionId)
      await histories.park([{ ...heldOf(held), dueAt: bench.now + HOUR }])
      await executions.find([executionId])
      await histories.wake([executionId])
      held = await taken(bench)
      await histories.load([heldOf(held)])
      await histories.read(executionId)
      await histories.goingOn([heldOf(held)])
      await histories.continueAs([{ ...heldOf(held), entry: begun(0, { kind: 'input', status: 'COMPLETED' }) }])
      await histories.record([item(held, settled(1), settled(2))])
      await histories.diverge([{ ...heldOf(held), divergence: MISMATCH }])
      await histories.resume({ jobTypes: ['import'], limit: 9 })
      held = await taken(bench)
      await histories.diverge([{ ...heldOf(held), divergence: MISMATCH }])
      await histories.cut(executionId, 2)
      held = await taken(bench)
      await executions.cancel([{ id: executionId, reason: null }])
      await leases.finish([success(held)])
      await leases.finish([success(held, { status: 'CANCELLED' })])
      await histories.fork(executionId, 2, run(bench))
      await leases.release([heldOf(await taken(bench))])
      await leases.finish([success(await taken(bench))])
      await running(bench)
      bench.advance(LEASE_MS + 1)
      await leases.recover({ silentForMs: null, limit: 9 })
      await leases.finish([success(await taken(bench))])
      const job = bench.job()
      await bench.put(job)
      await running(bench, { jobId: job.id })
      await jobs.remove([job.id])
      bench.advance(MINUTE)
      await executions.purge(bench.now, 9)
    }

    /** What happens to a key, a session, and a request; and who reads of it. */
    async function serve(): Promise<void> {
      const { credentials, requests, audit } = bench.store
      const [id, secretHash] = [bench.uuid(), bench.uuid()]
      const holder = { tenant: 'acme', profile: 'Admin', permissions: [], ownerId: 'ana' } as const
      await credentials.addKey({ ...holder, id, name: 'x', secretHash, expiresAt: null })
      await credentials.findKey(secretHash)
      await credentials.listKeys('acme')
      await credentials.touchKeys([id])
      const session = { ...holder, secretHash, userId: 'ana', source: 'apiKey', keyId: id } as const
      await credentials.addSession({ ...session, expiresAt: bench.now + HOUR })
      await credentials.findSession(secretHash)
      await credentials.removeSessions([secretHash])
      await credentials.addSession({ ...session, expiresAt: bench.now + 1 })
      await credentials.revokeKey('acme', id)
      const request = { tenant: 'acme', userId: 'ana', key: id, fingerprint: '', resourceId: id, takeoverMs: 1 }
      await requests.begin(request)
      await requests.finish(request, { status: 200, headers: {}, body: '' })
      await requests.begin(request)
      await requests.begin({ ...request, key: secretHash })
      await requests.forget({ ...request, key: secretHash })
      for (const filter of [{}, { isAscending: true }, { after: OTHERS - 9, isAscending: true }, { jobId: id }]) {
        await audit.list({ tenant: 'acme', limit: 20, ...filter })
      }
      bench.advance(24 * HOUR)
      await bench.store.maintain()
    }

    it('read no rows of other runs', async () => {
      await live()
      await serve()
      await fill()
      const before = await allReads()
      await live()
      await serve()
      await bench.close()
      const after = await allReads()
      const read = Array.from(after, ([name, count]) => ({ name, count: count - (before.get(name) ?? 0) }))
      expect(read.filter(({ name, count }) => TABLES.test(name) && count >= OTHERS)).toEqual([])
    })
  })
}
