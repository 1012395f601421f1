import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ServerVersion } from '../../harness/postgres/binaries.ts'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../../harness/postgres/database.ts'
import { type ClaimPlans, ClaimProbe } from './claim-probe.ts'

const ROWS = 300_000
/** A tenth of what makes a server with its default settings compile a statement. */
const MOST_COST = 10_000
/** A handful of rows that are always read whole. */
const TINY: readonly string[] = ['nodes', 'settings']
const VERSIONS: readonly ServerVersion[] = ['stock', '18', '14']

/** Each state of the tables follows from the one before it; plans are those of a connection that made them while the tables were small, and of a new one. */
describe.each(VERSIONS)('the plans of a claim on PostgreSQL %s', (version) => {
  describe.skipIf(isPostgresSkipped(version))('are index scans without JIT', () => {
    let database: TestDatabase
    let probe: ClaimProbe
    let cached: pg.Client
    const uuid = (prefix: string) => `('${prefix}-0000-7000-8000-' || to_char(n, 'FM000000000000'))::uuid`
    const insertReady = () => `
      insert into pontual.ready (lane, attempt, epoch, priority, execution_id, job_id)
      select (array[${probe.lanes.join()}]::bigint[])[1 + n % 3], 0, 0, 1 + n / 3 % 3, ${uuid('01000000')},
        case when n % 3 = 2 then '${probe.jobId}'::uuid end
      from generate_series(1, ${ROWS}) as n`

    beforeAll(async () => {
      database = await createDatabase(version)
      const client = new pg.Client({ connectionString: database.url })
      await client.connect()
      const { rows } = await client.query<{ name: string }>(
        `select oid::regclass::text as name from pg_class where relnamespace = 'pontual'::regnamespace and relkind = 'r'`,
      )
      for (const { name } of rows) await client.query(`alter table ${name} set (autovacuum_enabled = false)`)
      await client.end()
      probe = await ClaimProbe.open(database.url)
      cached = await probe.connect()
    })
    afterAll(async () => {
      await probe?.close()
      await database?.drop()
    })

    async function expectGoodPlans(): Promise<void> {
      const fresh = await probe.connect()
      for (const client of [cached, fresh]) {
        const { highestCost, isCompiled, scanned }: ClaimPlans = await probe.plansOf(client)
        expect(scanned.filter((table) => !TINY.includes(table))).toEqual([])
        expect(highestCost).toBeLessThan(MOST_COST)
        expect(isCompiled).toBe(false)
      }
    }

    it('of new tables without statistics', () => expectGoodPlans())

    it('of small tables that were vacuumed and analyzed', async () => {
      await probe.sql.query('vacuum analyze')
      await expectGoodPlans()
    })

    it('of many waiting rows and the statistics of a small table', async () => {
      await probe.sql.query(insertReady())
      await expectGoodPlans()
    })

    it('of many waiting rows and fresh statistics', async () => {
      await probe.sql.query('analyze pontual.ready')
      await expectGoodPlans()
    })

    it('of many dead tuples that an old snapshot holds, with stale, then fresh statistics', async () => {
      const holder = await probe.connect()
      await holder.query('begin isolation level repeatable read')
      await holder.query('select from pontual.ready limit 1')
      await probe.sql.query(`delete from pontual.ready where execution_id < '01010000-0000-0000-0000-000000000000'`)
      await probe.enqueue()
      await expectGoodPlans()
      await probe.sql.query('vacuum analyze pontual.ready')
      await expectGoodPlans()
      await holder.query('rollback')
    })

    it('of a large table that was emptied and vacuumed', async () => {
      await probe.sql.query('vacuum analyze pontual.ready')
      await expectGoodPlans()
    })

    it('of many parked runs and many leases that ended', async () => {
      await probe.sql.query(`
        insert into pontual.leases (execution_id, node_id, claimed_at, lane, attempt, epoch, priority, tenant_slot)
        select ${uuid('02000000')}, gen_random_uuid(), now(), ${probe.lanes[1]}, 1, 1, 2, n + 10
        from generate_series(1, ${ROWS}) as n;
        delete from pontual.leases;
        insert into pontual.delayed (execution_id, due_at, lane, attempt, epoch, priority, job_id, is_parked)
        select ${uuid('03000000')}, 'infinity', ${probe.lanes[2]}, 1, 1, 2, '${probe.jobId}', true
        from generate_series(1, ${ROWS}) as n`)
      await expectGoodPlans()
      await probe.sql.query('vacuum analyze pontual.leases, pontual.delayed')
      await expectGoodPlans()
    })
  })
})
