import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemEnv } from '../../../src/clock.ts'
import { silentLogger } from '../../../src/logger.ts'
import { postgres } from '../../../src/postgres.ts'
import type { Driver, Statement } from '../../../src/store/driver/driver.ts'
import { openPgDriver } from '../../../src/store/driver/pg.ts'
import type { ServerVersion } from '../../harness/postgres/binaries.ts'
import { createDatabase, type TestDatabase } from '../../harness/postgres/database.ts'
import { forPlainRole } from '../../harness/postgres/plain-role.ts'
import { unsecuredTables } from '../../harness/postgres/unsecured-tables.ts'
import { Bench } from './bench.ts'
import { begun, item, running } from './durable-entries.ts'
import { describeTenancy } from './tenancy.ts'

/** Tables that tell every tenant the same. */
const SHARED: ReadonlySet<string> = new Set(['nodes', 'alert_watch', 'settings', 'scheduler_minutes', 'active_periods'])

/** Tables that nobody reads who asks for a tenant, not even his own rows. */
const ENGINES_OWN: ReadonlySet<string> = new Set(['data_keys'])

const scope: Statement = {
  name: 'scope',
  text: `
select
  current_user::text as role,
  current_setting('pontual.tenant', true) as tenant,
  array(select distinct tenant from pontual.jobs) as seen`,
}
const divide: Statement = { name: 'divide', text: 'select 1 / 0' }
const nowhere: Statement = { name: 'nowhere', text: 'select * from pontual.nowhere' }

/** What row security keeps from whoever asks for a tenant, however he asks. */
export function describeRowSecurity(version: ServerVersion): void {
  describe('row security', () => {
    let database: TestDatabase
    let url: string
    const bench = new Bench(() => postgres(url))
    let client: pg.Client
    beforeAll(async () => {
      database = await createDatabase(version)
      url = await forPlainRole(database)
      client = new pg.Client({ connectionString: database.url })
      await client.connect()
      await bench.open()
    })
    beforeEach(() => bench.begin())
    afterAll(async () => {
      await bench.close()
      await client?.end()
      await database?.drop()
    })

    describe('for a role that owns nothing', () => describeTenancy(bench))

    async function tables(): Promise<string[]> {
      const { rows } = await client.query<{ name: string }>(
        `select relname as name
        from pg_class
        where relnamespace = 'pontual'::regnamespace
          and relkind in ('r', 'p')
          and not relispartition
          and relname not like 'schema\\_%'
        order by relname`,
      )
      return rows.map(({ name }) => name)
    }

    /** What a role sees that has no more than its login and these settings. */
    async function countAs(table: string, ...settings: readonly string[]): Promise<number> {
      await client.query('begin')
      try {
        await client.query('set local role pontual_api')
        for (const setting of settings) await client.query(setting)
        const { rows } = await client.query<{ count: number }>(`select count(*)::int as count from pontual.${table}`)
        return rows[0]?.count ?? 0
      } finally {
        await client.query('rollback')
      }
    }

    async function countAll(table: string): Promise<number> {
      const { rows } = await client.query<{ count: number }>(`select count(*)::int as count from pontual.${table}`)
      return rows[0]?.count ?? 0
    }

    it('is on, and forced, for every table and partition but the list of migrations', async () => {
      expect(await unsecuredTables(client)).toEqual(['schema_functions', 'schema_migrations'])
    })

    it('holds for a partition that is made later', async () => {
      const later = await postgres(database.url).open({
        env: systemEnv,
        logger: silentLogger,
        now: () => Date.UTC(2031, 0, 15),
      })
      await later.close()
      const { rows } = await client.query(
        `select relrowsecurity and relforcerowsecurity as "isSecured"
        from pg_class
        where oid = 'pontual.executions_2031_01'::regclass`,
      )
      expect(rows).toEqual([{ isSecured: true }])
    })

    it('the role that asks for tenants owns nothing, cannot log in, and passes by no policy', async () => {
      const { rows } = await client.query(
        `select
          rolcanlogin or rolsuper or rolbypassrls or rolcreaterole as "isStrong",
          exists (select from pg_class where relowner = pg_roles.oid) as "ownsAnything"
        from pg_roles
        where rolname = 'pontual_api'`,
      )
      expect(rows).toEqual([{ isStrong: false, ownsAnything: false }])
    })

    it('every view reads as whoever asks', async () => {
      const { rows } = await client.query<{ definition: string }>(
        `select pg_get_viewdef(oid) as definition
        from pg_class
        where relnamespace = 'pontual'::regnamespace
          and relkind in ('v', 'm')
          and has_table_privilege('pontual_api', oid, 'select')`,
      )
      expect(rows).not.toEqual([])
      for (const { definition } of rows) expect(definition).toMatch(/FROM pontual\.read_executions\(\)/)
    })

    /** Rows of three tenants in as many tables as a bench can fill. */
    async function fill(): Promise<void> {
      for (const tenant of ['acme', 'other', 'third']) {
        const job = bench.job({ tenant, name: 'closing', nextFireAt: bench.now })
        await bench.put(job)
        await bench.store.occurrences.fire([bench.firing(job)])
        await bench.store.calendars.put([
          { tenant, name: 'br', definition: { type: 'weekly', weekdays: [0], timeZone: 'UTC' } },
        ])
        const key = { tenant, idempotencyKey: 'k', jobType: `keyed-${tenant}` }
        const first = await bench.enqueue(key)
        await bench.enqueue({ tenant, jobType: 'behind', after: [{ id: first, on: 'end' }] })
        await bench.store.executions.cancel([{ id: await bench.enqueue({ tenant, jobType: 'x' }), reason: null }])
        await fillService(tenant)
      }
      const held = await running(bench)
      await bench.store.histories.record([item(held, begun(1))])
      const line = { attempt: 1, at: bench.now, level: 'info', message: 'x', fields: null } as const
      await bench.store.logs.append([{ ...line, executionId: held.executionId, epoch: held.epoch, sequence: 1 }])
      const signal = { executionId: held.executionId, name: 'go', payload: null, idempotencyKey: null }
      await bench.store.histories.signal([signal])
      await bench.store.executions.cancel([{ id: held.executionId, reason: null }])
    }

    async function fillService(tenant: string): Promise<void> {
      const { settings, credentials, requests, audit, dataKeys } = bench.store
      await audit.enable()
      await dataKeys.add([{ tenant, version: 1, keyId: 'key', wrapped: '' }])
      const nothing = { userId: null, jobId: null, executionId: null, oldValues: null, newValues: null }
      await audit.append([{ ...nothing, tenant, operation: 'JOBS_JOB_UPDATE' }])
      const own = {
        adminAddresses: [],
        mailEvents: [],
        digestMinutes: 0,
        language: 'en',
        concurrency: null,
        allowsSelfApproval: false,
      } as const
      const change = {
        tenant,
        settings: { ...own, allowsSeconds: false, webhooks: [], pending: null },
        expectedVersion: 0,
      }
      await settings.put(change)
      const profile = { tenant, profile: 'Admin', permissions: [], ownerId: 'ana', expiresAt: bench.now + 1 } as const
      await credentials.addKey({ ...profile, id: bench.uuid(), name: 'key', secretHash: bench.uuid() })
      await credentials.addSession({
        ...profile,
        secretHash: bench.uuid(),
        userId: 'ana',
        source: 'jwt',
        keyId: null,
      })
      const request = { tenant, userId: 'ana', key: bench.uuid(), fingerprint: '', takeoverMs: 1 }
      await requests.begin({ ...request, resourceId: bench.uuid() })
    }

    it('without a where only the tenant’s rows are seen, and without a tenant none', async () => {
      await fill()
      let filled = 0
      for (const table of await tables()) {
        const all = await countAll(table)
        if (SHARED.has(table)) continue
        if (ENGINES_OWN.has(table)) {
          const own = `select set_config('pontual.tenant', 'acme', true)`
          expect(all).toBe(3)
          await expect(countAs(table, own)).rejects.toMatchObject({ code: '42501' })
          continue
        }
        if (all > 0) filled += 1
        const seen: number[] = []
        for (const tenant of ['acme', 'other', 'third']) {
          seen.push(await countAs(table, `select set_config('pontual.tenant', '${tenant}', true)`))
        }
        const others = await countAs(table, `select set_config('pontual.tenant', 'nobody', true)`)
        const known = await otherTenants(table)
        expect([table, seen.reduce((sum, each) => sum + each, 0)]).toEqual([table, all - known])
        if (all > 1) expect([table, Math.max(...seen) < all || seen[0] === all]).toEqual([table, true])
        expect([table, others]).toEqual([table, 0])
        expect([table, await countAs(table)]).toEqual([table, 0])
        expect([table, await countAs(table, `select set_config('pontual.tenant', '', true)`)]).toEqual([table, 0])
      }
      expect(filled).toBeGreaterThan(18)
    })

    it('a number that was noted of another tenant counts for nothing', async () => {
      await fill()
      const enter = `select set_config('pontual.tenant', 'acme', true)`
      for (const table of ['lanes', 'executions', 'results', 'ready']) {
        const own = await countAs(table, enter)
        for (const note of [`select max(id) || ' other' from pontual.tenants where name = 'other'`, `select ''`]) {
          const { rows } = await client.query<Record<string, string>>(note)
          const [value] = Object.values(rows[0] ?? {})
          const seen = await countAs(table, enter, `select set_config('pontual.tenant_id', '${value}', true)`)
          expect([table, value, seen]).toEqual([table, value, own])
        }
      }
    })

    /** Rows of tenants that earlier tests have left their names of. */
    async function otherTenants(table: string): Promise<number> {
      const names = `('acme', 'other', 'third')`
      const conditions: Record<string, string> = {
        tenants: `name not in ${names}`,
        lanes: `tenant_id not in (select id from pontual.tenants where name in ${names})`,
        calendars: `tenant not in ${names}`,
      }
      const condition = conditions[table]
      if (!condition) return 0
      const { rows } = await client.query<{ count: number }>(
        `select count(*)::int as count from pontual.${table} where ${condition}`,
      )
      return rows[0]?.count ?? 0
    }

    it.each(['insert', 'update', 'delete', 'truncate'])('nobody may %s past it', async (verb) => {
      await fill()
      const statements: Record<string, [string, string | number]> = {
        insert: [`insert into pontual.tenants (name) values ('fourth')`, '42501'],
        update: [`update pontual.jobs set tenant = 'other' where tenant = 'acme'`, '42501'],
        delete: [`delete from pontual.jobs where tenant <> 'acme'`, 0],
        truncate: ['truncate pontual.jobs', '42501'],
      }
      const [text, expected] = statements[verb] ?? ['', '']
      await client.query('begin')
      await client.query(`select set_config('role', 'pontual_api', true), set_config('pontual.tenant', 'acme', true)`)
      const answer = await client.query(text).then(
        ({ rowCount }) => rowCount,
        (error: { code: string }) => error.code,
      )
      await client.query('rollback')
      expect(answer).toBe(expected)
    })

    it('what is done as the owner of the tables can be asked for by the two roles only', async () => {
      const { rows } = await client.query<{ name: string }>(
        `select proname as name
        from pg_proc
        where pronamespace = 'pontual'::regnamespace
          and prosecdef
          and exists (
            select from aclexplode(coalesce(proacl, acldefault('f', proowner)))
            where grantee = 0
          )`,
      )
      expect(rows).toEqual([])
    })

    const asOwner: [string, string][] = [
      ['the run of an execution', 'select pontual.remove_runs(array[$1::uuid], array[$1::uuid])'],
      ['what an end takes with it', `select pontual.follow_up(array[$1::uuid], array['CANCELLED'], now())`],
      [
        'an audit entry',
        `select pontual.write_audit(array['other'], array[now()], array['x'], array[null], array[null::uuid], array[$1::uuid], array[null], array[null])`,
      ],
    ]
    it.each(asOwner)('who asks for a tenant cannot have the owner touch what is another’s: %s', async (_what, text) => {
      await bench.store.audit.enable()
      const first = await bench.enqueue({ tenant: 'other' })
      const behind = await bench.enqueue({ tenant: 'other', after: [{ id: first, on: 'success' }] })
      await client.query('begin')
      await client.query(`select set_config('role', 'pontual_api', true), set_config('pontual.tenant', 'acme', true)`)
      const answer = await client.query(text, [first]).then(
        () => 'done',
        (error: { code: string }) => error.code,
      )
      await client.query(answer === 'done' ? 'commit' : 'rollback')
      expect(answer).toBe('42501')
      expect(await bench.store.executions.find([behind])).toMatchObject([{ status: 'WAITING' }])
    })

    it.each<[string, string | null, boolean]>([
      ['acme', 'acme', true],
      ['other', 'other', true],
      ['acme', 'other', false],
      ['acme', null, false],
      ['nobody', 'acme', false],
      ['', 'acme', false],
      ['', '', false],
    ])('who asks for the tenant “%s” is told what of “%s” has ended: %s', async (tenant, asked, isTold) => {
      await fill()
      const ended = `select count(*) > 0 as "isTold" from pontual.ended_of($1, '-infinity', 'infinity', $2, $3, 9)`
      const ids = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']
      for (const any of ['acme', 'other']) {
        expect((await client.query(ended, [any, ...ids])).rows).toEqual([{ isTold: true }])
      }
      await client.query('begin')
      const enter = `select set_config('role', 'pontual_api', true), set_config('pontual.tenant', $1, true)`
      await client.query(enter, [tenant])
      const { rows } = await client.query(ended, [asked, ...ids])
      await client.query('rollback')
      expect(rows).toEqual([{ isTold }])
    })

    describe('of what one tenant did nothing is left for the next', () => {
      const drivers: Driver[] = []
      afterAll(() => Promise.all(drivers.map((driver) => driver.close())))

      it.each([1, 2])('on a pool of %i, in 500 turns', async (maxConnections) => {
        for (const tenant of ['acme', 'other']) await bench.put(bench.job({ tenant }))
        const around = { env: systemEnv, logger: silentLogger }
        const driver = await openPgDriver(url, { maxConnections, deadlineMs: 10_000, prepare: 'auto' }, around)
        drivers.push(driver)
        const fail = () => Promise.reject(new Error('aborted'))
        const turns: ((own: Driver) => Promise<unknown>)[] = [
          (own) => own.query(scope),
          (own) => own.query(divide),
          (own) => own.query(nowhere),
          (own) => own.transaction(async (inner) => await inner.query(scope)),
          (own) => own.transaction(async (inner) => [await inner.query(scope), await fail()]),
          (own) => own.transaction(async (inner) => await inner.query(divide)),
          (own) => own.transaction(async (inner) => await inner.query(divide).catch(() => {})),
          (own) => own.transaction(fail),
        ]
        let seed = 7
        const chance = (below: number) => {
          seed = (seed * 48_271) % 2_147_483_647
          return seed % below
        }
        const check = async (tenant: string) => {
          const [found] = await driver.forTenant(tenant).query(scope)
          expect(found).toEqual({ role: 'pontual_api', tenant, seen: [tenant] })
        }
        const turn = async () => {
          const [first, second] = chance(2) === 0 ? ['acme', 'other'] : ['other', 'acme']
          await turns[chance(turns.length)]?.(driver.forTenant(first ?? '')).catch(() => {})
          await check(second ?? '')
        }
        for (let count = 0; count < 250; count += 1) await Promise.all([turn(), turn()])
        const [login] = await driver.query(scope)
        expect(login).toMatchObject({ role: 'pontual_plain', seen: ['acme', 'other'] })
      })
    })
  })
}
