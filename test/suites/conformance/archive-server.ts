import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgres } from '../../../src/postgres.ts'
import { verifyAudit } from '../../../src/service/audit/verify.ts'
import type { ServerVersion } from '../../harness/postgres/binaries.ts'
import { createDatabase, type TestDatabase } from '../../harness/postgres/database.ts'
import { forPlainRole } from '../../harness/postgres/plain-role.ts'
import { unsecuredTables } from '../../harness/postgres/unsecured-tables.ts'
import { describeArchive } from './archive.ts'
import { Bench, HOUR, START_AT, success } from './bench.ts'

const DAY = 24 * HOUR
const KEPT = 90 * DAY

/** The archive on a server: what all stores do, and what only one with locks and roles can show. */
export function describeArchiveOnServer(version: ServerVersion): void {
  describe('the archive', () => {
    let database: TestDatabase
    beforeAll(async () => {
      database = await createDatabase(version)
    })
    afterAll(() => database?.drop())
    describeArchive('one process', () => postgres(database.url))
  })

  describe('the archive, for a role that owns nothing', () => {
    let database: TestDatabase
    let client: pg.Client
    let url: string
    const bench = new Bench(() => postgres(url, { maxConnections: 4 }))
    const tenant = 'acme'
    beforeAll(async () => {
      database = await createDatabase(version)
      client = new pg.Client({ connectionString: database.url })
      await client.connect()
      url = await forPlainRole(database)
      await bench.open()
      await bench.store.audit.enable()
    })
    afterAll(async () => {
      await bench.close()
      await client?.end()
      await database?.drop()
    })

    const all = { tenant, archived: true, limit: 1_000 } as const
    const moveAll = async () => {
      const { archive } = bench.store
      const answers = (await archive.due(KEPT)).map((part) => archive.move(part, KEPT))
      return await Promise.all(answers)
    }

    async function endedAndOpen(): Promise<{ ended: string[]; open: string }> {
      const job = bench.job({ tenant })
      await bench.put(job)
      const ended: string[] = []
      for (let count = 0; count < 20; count++) {
        const held = await bench.running({ tenant, jobId: job.id })
        await bench.store.leases.finish([success(held)])
        ended.unshift(held.executionId)
      }
      return { ended, open: await bench.enqueue({ tenant, jobId: job.id }) }
    }

    it('waits for nobody: where somebody uses the tables it is for later, and all is as it was', async () => {
      const { ended, open } = await endedAndOpen()
      bench.advance(150 * DAY)
      await client.query('begin')
      await client.query('select count(*) from pontual.executions')
      expect(await bench.store.archive.due(KEPT)).not.toEqual([])
      const [month] = (await bench.store.archive.due(KEPT)).filter(({ kind }) => kind === 'executions').slice(-1)
      if (!month) throw new Error('There is nothing to move.')
      expect(await bench.store.archive.move(month, KEPT)).toBe('busy')
      await client.query('commit')
      const found = await bench.store.executions.list({ tenant, limit: 1_000 })
      expect(found.map(({ id }) => id)).toEqual([open, ...ended])
    })

    it('is read meanwhile without a gap or a repetition', async () => {
      const known = (await bench.store.executions.list(all)).map(({ id }) => id)
      let isOver = false
      const reader = async () => {
        for (let count = 0; !isOver || count < 3; count++) {
          expect((await bench.store.executions.list(all)).map(({ id }) => id)).toEqual(known)
          expect(await verifyAudit(bench.store.audit, tenant)).toMatchObject({ isIntact: true })
        }
      }
      const mover = async () => {
        while ((await bench.store.archive.due(KEPT)).length > 0) await moveAll()
        isOver = true
      }
      await Promise.all([reader(), mover()])
      const live = await bench.store.executions.list({ tenant, limit: 1_000 })
      expect(live).toMatchObject([{ id: known[0], status: 'QUEUED' }])
    })

    it('what was left behind is claimed', async () => {
      const [claimed] = await bench.claim(await bench.node())
      if (!claimed) throw new Error('There was nothing to claim.')
      await bench.store.leases.finish([success(claimed)])
      expect(await bench.find(claimed.executionId)).toMatchObject({ status: 'SUCCESS', number: 21 })
    })

    it('what is moved there while it is erased is erased', async () => {
      const held = await bench.running({ tenant, payload: '"secret"' })
      await bench.store.leases.finish([success(held, { output: '"secret"' })])
      const { executionId: id } = held
      bench.advance(150 * DAY)
      while ((await bench.store.archive.due(KEPT)).length > 0) {
        // Only what found no month of its own, or was left behind, is moved one by one.
        await client.query(`update pontual.results set finished_at = $1 where execution_id = $2`, [
          new Date(bench.now),
          id,
        ])
        await moveAll()
      }
      await client.query(`update pontual.results set finished_at = $1 where execution_id = $2`, [new Date(0), id])
      await client.query('begin')
      await client.query('select pontual.archive_late($1, 1000)', [new Date(bench.now - KEPT)])
      const erasing = bench.store.contents.erase(id)
      for (let waiting = 0; waiting === 0; ) {
        const { rows } = await client.query<{ count: number }>(
          'select count(*)::int as count from pg_locks where not granted',
        )
        waiting = rows[0]?.count ?? 0
      }
      await client.query('commit')
      expect(await erasing).toBe('erased')
      const [found] = await bench.store.executions.find([id], { archived: true })
      expect(found).toMatchObject({ payload: '!erased', output: '!erased' })
      expect(await bench.store.executions.find([id])).toEqual([])
    })

    it('every table and partition of it has row security, forced', async () => {
      expect(await unsecuredTables(client)).toEqual(['schema_functions', 'schema_migrations'])
    })

    async function asTenant(name: string, sql: string): Promise<pg.QueryResult | string | undefined> {
      await client.query('begin')
      try {
        await client.query(`select set_config('role', 'pontual_api', true), set_config('pontual.tenant', $1, true)`, [
          name,
        ])
        return await client.query(sql).catch((error: pg.DatabaseError) => error.code)
      } finally {
        await client.query('rollback')
      }
    }

    const tables = ['executions', 'results', 'attempts', 'execution_logs', 'history_entries'].map(
      (each) => `${each}_archive`,
    )
    it.each([...tables, 'audit_archive', 'audit_anchors'])(
      'who asks for a tenant only reads %s, and only his own',
      async (table) => {
        expect(await asTenant('nobody', `select from pontual.${table}`)).toMatchObject({ rowCount: 0 })
        for (const verb of ['delete from', 'insert into', 'truncate', 'update']) {
          const rest =
            verb === 'insert into' ? `select * from pontual.${table}` : verb === 'update' ? 'set tenant = tenant' : ''
          const sql = `${verb} pontual.${table} ${rest}`
          expect([sql, await asTenant(tenant, sql)]).toEqual([sql, expect.stringMatching(/^42(501|703)$/)])
        }
      },
    )

    it('who asks for a tenant moves and drops nothing', async () => {
      const calls = [
        `mark_for_archive('executions', '2026_03')`,
        `check_for_archive('executions', '2026_03')`,
        `archive_month('2026_03', now())`,
        'archive_late(now(), 1)',
        `archive_audit('audit_entries_default')`,
        'cut_audit(null)',
        'archive_late_audit(now(), 1)',
        `clear_archived('2026_03', null, 1, null)`,
        `drop_archived('executions', '2026_03', null)`,
        'clear_ledger(1, null)',
      ]
      for (const call of calls)
        expect([call, await asTenant(tenant, `select pontual.${call}`)]).toEqual([call, '42501'])
    })

    it('nobody changes an entry, in whatever part it is', async () => {
      const { rows } = await client.query<{ name: string }>(
        `select inhrelid::regclass::text as name
        from pg_inherits
        where inhparent in ('pontual.audit_entries'::regclass, 'pontual.audit_archive'::regclass)
        union all
        values ('pontual.audit_archive'), ('pontual.audit_anchors')`,
      )
      expect(rows.length).toBeGreaterThan(5)
      for (const { name } of rows) {
        for (const sql of [`delete from ${name}`, `truncate ${name}`, `update ${name} set tenant = 'x'`]) {
          const answer = await client.query(sql).catch((error: pg.DatabaseError) => error.code)
          expect([sql, answer]).toEqual([sql, '42501'])
        }
      }
    })

    describe('who changes it by force is found out', () => {
      const verdict = () => verifyAudit(bench.store.audit, tenant)
      const list = () => bench.store.audit.list({ tenant, archived: true, isAscending: true, limit: 10 })

      /** As who may switch triggers off; undone afterwards. */
      async function byForce(sql: string, values: unknown[], check: () => Promise<void>): Promise<void> {
        const { rows: parts } = await client.query<{ name: string }>(
          `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'pontual.audit_archive'::regclass`,
        )
        const tables = ['pontual.audit_archive', 'pontual.audit_anchors', ...parts.map(({ name }) => name)]
        await client.query('create temporary table saved as table pontual.audit_archive')
        for (const table of tables) await client.query(`alter table ${table} disable trigger user`)
        await client.query(sql, values)
        await check()
        await client.query('delete from pontual.audit_anchors')
        await client.query('delete from pontual.audit_archive')
        await client.query('insert into pontual.audit_archive select * from saved')
        for (const table of tables) await client.query(`alter table ${table} enable trigger user`)
        await client.query('drop table saved')
        expect(await verdict()).toMatchObject({ isIntact: true })
      }

      it.each([
        ['changed', `update pontual.audit_archive set user_id = 'eve' where tenant = $1 and sequence = 2`],
        ['is missing', `delete from pontual.audit_archive where tenant = $1 and sequence = 2`],
      ])('an entry in the archive that %s', async (what, sql) => {
        await byForce(sql, [tenant], async () => {
          const reason: unknown = expect.stringContaining(what)
          expect(await verdict()).toMatchObject({ isIntact: false, sequence: 2, reason })
        })
      })

      it('an anchor hides nothing that is there', async () => {
        const [, second, third] = await list()
        const sql = `
          with anchored as (
            insert into pontual.audit_anchors (tenant, sequence, hash, anchored_at)
            select tenant, sequence, hash, now() from pontual.audit_archive where tenant = $1 and sequence = $2
          )
          update pontual.audit_archive set user_id = 'eve' where tenant = $1 and sequence = $3`
        await byForce(sql, [tenant, third?.sequence, second?.sequence], async () => {
          expect(await verdict()).toMatchObject({ isIntact: false, sequence: second?.sequence })
        })
      })

      it.each([
        ['an anchor of another hash', 3, 3, 4],
        ['an anchor that is older than what is gone', 2, 3, 3],
      ])('%s', async (_what, anchored, gone, broken) => {
        const sql = `
          with anchored as (
            insert into pontual.audit_anchors (tenant, sequence, hash, anchored_at)
            values ($1, $2, sha256('other'), now())
          )
          delete from pontual.audit_archive where tenant = $1 and sequence <= $3`
        await byForce(sql, [tenant, anchored, gone], async () => {
          expect(await verdict()).toMatchObject({ isIntact: false, sequence: broken })
        })
      })
    })

    it('five years have to be over by the clock of the database', async () => {
      bench.advance(6 * 365 * DAY)
      // Its own clock is no reason for who owns nothing.
      expect(await bench.store.archive.expired()).toEqual([])
      const month = { kind: 'executions', name: '2026_03', from: null, to: 0 } as const
      await expect(bench.store.archive.drop(month)).rejects.toMatchObject({ code: 'archive.too_young' })
      await expect(bench.store.archive.clear(month, null, 1)).rejects.toMatchObject({ code: 'archive.too_young' })
      expect(START_AT).toBeLessThan(bench.now)
      expect((await bench.store.executions.list(all)).length).toBeGreaterThan(20)
    })
  })
}
