import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgres } from '../../../src/postgres.ts'
import { verifyAudit } from '../../../src/service/audit/verify.ts'
import type { NewAuditEntry } from '../../../src/store/audit.ts'
import type { ServerVersion } from '../../harness/postgres/binaries.ts'
import { createDatabase, type TestDatabase } from '../../harness/postgres/database.ts'
import { describeAudit, expectChain } from './audit.ts'
import { Bench, failure, success } from './bench.ts'
import { describeFailuresTold } from './failures-told.ts'
import { describeJobAlerts } from './job-alerts.ts'

const WRITERS = 16

/** The audit log on a server: what all stores do, who may not touch it, and many who write to it at once. */
export function describeAuditOnServer(version: ServerVersion): void {
  describe('the audit log', () => {
    let database: TestDatabase
    let client: pg.Client
    beforeAll(async () => {
      database = await createDatabase(version)
      client = new pg.Client({ connectionString: database.url })
      await client.connect()
    })
    afterAll(async () => {
      await client?.end()
      await database?.drop()
    })

    describeAudit('one process', () => postgres(database.url))
    describeFailuresTold('one process', () => postgres(database.url))
    describeJobAlerts('one process', () => postgres(database.url))

    describe('written by many', () => {
      const bench = new Bench(() => postgres(database.url, { maxConnections: 1 }))
      const stores: Bench['store'][] = []
      beforeAll(async () => {
        await bench.open()
        await bench.store.audit.enable()
        for (let count = 0; count < WRITERS; count++) stores.push(await bench.openAnother())
      })
      afterAll(() => bench.close())

      const chain = (tenant: string) => bench.store.audit.list({ tenant, limit: 100_000, isAscending: true })

      const entry = (tenant: string, text: string): NewAuditEntry => ({
        tenant,
        operation: 'JOBS_JOB_SIGNAL',
        userId: text,
        jobId: null,
        executionId: null,
        oldValues: null,
        newValues: { text },
      })

      it(`${WRITERS} writers of one tenant make one chain`, async () => {
        const tenant = bench.uuid()
        const rounds = 25
        await Promise.all(
          stores.map(async ({ audit }, writer) => {
            for (let round = 0; round < rounds; round++) await audit.append([entry(tenant, `${writer}/${round}`)])
          }),
        )
        const found = await chain(tenant)
        expect(found).toHaveLength(WRITERS * rounds)
        expectChain(found)
        // Each has written in its own order.
        for (const writer of stores.keys()) {
          const own = found.flatMap(({ userId }) => (userId?.startsWith(`${writer}/`) ? [userId] : []))
          expect(own).toEqual(Array.from({ length: rounds }, (_, round) => `${writer}/${round}`))
        }
      })

      it('writers of several tenants in whatever order do not wait for each other in a circle', async () => {
        const tenants = [bench.uuid(), bench.uuid(), bench.uuid()]
        const deadlocks = await countDeadlocks()
        await Promise.all(
          stores.map(async ({ audit }, writer) => {
            for (let round = 0; round < 10; round++) {
              const order = writer % 2 === 0 ? tenants : tenants.toReversed()
              await audit.append(order.map((tenant) => entry(tenant, `${writer}/${round}`)))
            }
          }),
        )
        for (const tenant of tenants) {
          const found = await chain(tenant)
          expect(found).toHaveLength(WRITERS * 10)
          expectChain(found)
        }
        expect(await countDeadlocks()).toBe(deadlocks)
      })

      it('ends, with those behind them, and changes of jobs make one chain, and each is told once', async () => {
        await bench.begin()
        const tenant = bench.uuid()
        const jobs = Array.from({ length: 4 }, () => bench.job({ tenant }))
        await bench.put(...jobs)
        const deadlocks = await countDeadlocks()
        const heads: string[] = []
        const behind: string[] = []
        for (let round = 0; round < 60; round++) {
          const job = jobs[round % jobs.length]
          const first = await bench.enqueue({ tenant, jobId: job?.id ?? null })
          heads.push(first)
          const second = await bench.enqueue({ tenant, jobId: job?.id ?? null, after: [{ id: first, on: 'success' }] })
          behind.push(second)
        }
        const nodeId = await bench.node({ slots: 100 })
        const claimed = await bench.claim(nodeId)
        expect(claimed).toHaveLength(heads.length)
        await Promise.all(
          stores.map(async (store, writer) => {
            const mine = claimed.filter((_, index) => index % WRITERS === writer)
            for (const held of mine) {
              const faultsJobId = held.body.jobId
              await store.leases.finish([success(held, { status: 'FAILED', error: failure, faultsJobId })])
            }
            const [job] = await store.jobs.find([jobs[writer % jobs.length]?.id ?? ''])
            if (!job) return
            const audit = { ...entry(tenant, `${writer}`), jobId: job.id }
            const change = {
              job: { ...job, version: job.version + 1 },
              expectedVersion: job.version,
              ledger: [],
              audit,
            }
            await store.jobs.put([change])
          }),
        )
        const found = await chain(tenant)
        expectChain(found)
        const told = found.flatMap(({ operation, executionId }) => (executionId ? [`${operation} ${executionId}`] : []))
        expect(told.toSorted()).toEqual(
          [...heads.map((id) => `JOBS_JOB_FAIL ${id}`), ...behind.map((id) => `JOBS_JOB_CANCEL ${id}`)].toSorted(),
        )
        // A job is faulted by one of them.
        const faults = found.filter(({ newValues }) => newValues?.includes('"FAULTED"'))
        expect(new Set(faults.map(({ jobId }) => jobId)).size).toBe(faults.length)
        const numbers = (await bench.store.executions.list({ jobId: jobs[0]?.id, limit: 100 })).map(
          ({ number }) => number,
        )
        expect(numbers.toSorted((a, b) => (a ?? 0) - (b ?? 0))).toEqual(
          Array.from({ length: 30 }, (_, index) => index + 1),
        )
        expect(await countDeadlocks()).toBe(deadlocks)
      })

      it('failures, recoveries, alerts, rules, flags and the outbox do not wait for each other in a circle', async () => {
        await bench.begin()
        const tenants = [bench.uuid(), bench.uuid(), bench.uuid()]
        const jobs = tenants.flatMap((tenant) => [bench.job({ tenant }), bench.job({ tenant }), bench.job({ tenant })])
        await bench.put(...jobs)
        const deadlocks = await countDeadlocks()
        const failed = new Set<string>()
        for (let round = 0; round < 3; round++) {
          for (let count = 0; count < 96; count++) {
            const job = jobs[count % jobs.length]
            await bench.enqueue({ tenant: job?.tenant ?? '', jobId: job?.id ?? null })
          }
          const claimed = await bench.claim(await bench.node({ slots: 100 }))
          expect(claimed).toHaveLength(96)
          await Promise.all(
            stores.map(async (store, writer) => {
              const mine = claimed.filter((_, index) => index % WRITERS === writer)
              const ends = mine.map((held, index) => {
                if ((index + writer + round) % 2 === 0) return success(held)
                failed.add(held.executionId)
                return success(held, { status: 'FAILED', error: failure, faultsJobId: held.body.jobId })
              })
              // All tenants at once, in whatever order.
              await store.leases.finish(writer % 2 === 0 ? ends : ends.toReversed())
              const { alerts, notifications, flags } = store
              const tenant = tenants[writer % tenants.length] ?? ''
              const audit = entry(tenant, `${writer}`)
              const rule = {
                isEnabled: writer % 2 === 0,
                threshold: null,
                clearAt: null,
                holdSeconds: 0,
                clearSeconds: 0,
              }
              await alerts.putRule({ ...rule, tenant, scope: 'tenant', kind: 'jobFailed', audit })
              await flags.put({ tenant, flags: [{ flag: 'JOB_RETRY_POLICY', isEnabled: writer % 2 === 0 }], audit })
              await alerts.watch(0, 100)
              const untold = await alerts.untold(100)
              await alerts.tell(untold.map(({ alert, news }) => ({ id: alert.id, news })).toReversed())
              const { events } = await notifications.unplanned(100)
              await notifications.plan(
                events.map((event) => {
                  const { now: dueAt } = bench
                  const mail = { channel: 'mail', webhookId: null, dueAt, expiresAt: dueAt + 1 } as const
                  const digest = { ...mail, id: `digest:${event.tenant}:${round}`, isDigest: true }
                  const own = { ...mail, id: event.id, isDigest: false, channel: 'webhook', webhookId: 'w' } as const
                  return {
                    eventId: event.id,
                    suppression: null,
                    deliveries: writer % 2 === 0 ? [own, digest] : [digest, own],
                  }
                }),
              )
              const channels = ['mail', 'webhook'] as const
              const { deliveries } = await notifications.claim({ channels, limit: 10, leaseMs: 60_000 })
              const sent = { status: 'SENT', retryInMs: null, error: null } as const
              for (const { id, attempt } of deliveries) await notifications.settle([{ id, attempt, ...sent }])
            }),
          )
        }
        const events = await Promise.all(
          tenants.map((tenant) => bench.store.notifications.list({ tenant, limit: 1_000 })),
        )
        expect(
          events
            .flat()
            .map(({ id }) => id)
            .toSorted(),
        ).toEqual([...failed].toSorted())
        for (const tenant of tenants) expectChain(await chain(tenant))
        expect(await countDeadlocks()).toBe(deadlocks)
      })

      async function countDeadlocks(): Promise<number> {
        const { rows } = await client.query<{ deadlocks: string }>(
          'select deadlocks from pg_stat_database where datname = current_database()',
        )
        return Number(rows[0]?.deadlocks)
      }
    })

    it('is switched on once, whoever does it while work ends', async () => {
      const fresh = await createDatabase(version)
      const bench = new Bench(() => postgres(fresh.url, { maxConnections: 1 }))
      try {
        await bench.open()
        const stores = [bench.store, await bench.openAnother(), await bench.openAnother(), await bench.openAnother()]
        const tenant = bench.uuid()
        const job = bench.job({ tenant })
        await bench.put(job)
        for (let count = 0; count < 80; count++) await bench.enqueue({ tenant, jobId: job.id })
        const claimed = await bench.claim(await bench.node({ slots: 100 }))
        await Promise.all(
          stores.map(async (store, writer) => {
            for (const [index, held] of claimed.entries()) {
              if (index % stores.length === writer) await store.leases.finish([success(held)])
              if (index === 20 + writer) await store.audit.enable()
            }
          }),
        )
        const found = await bench.store.audit.list({ tenant, limit: 1_000, isAscending: true })
        expectChain(found)
        const told = found.map(({ executionId }) => executionId)
        expect(new Set(told).size).toBe(told.length)
        // Each end after the first that was told is told.
        const ended = await bench.store.executions.list({ tenant, limit: 1_000 })
        const numbered = ended.flatMap(({ number }) => number ?? [])
        expect(numbered.toSorted((a, b) => a - b)).toEqual(told.map((_, index) => index + 1))
        expect(told.length).toBeGreaterThan(0)
      } finally {
        await bench.close()
        await fresh.drop()
      }
    })

    describe('changed by who may change everything', () => {
      const bench = new Bench(() => postgres(database.url, { maxConnections: 1 }))
      beforeAll(async () => {
        await bench.open()
        await bench.store.audit.enable()
      })
      afterAll(() => bench.close())

      const ENTRIES = 1_205

      /** A chain of a tenant of its own. */
      async function written(): Promise<string> {
        const tenant = `changed ${bench.uuid()}`
        const values = (number: number) => ({ text: `"value" ${number}` })
        await bench.store.audit.append(
          Array.from({ length: ENTRIES }, (_, index) => ({
            tenant,
            operation: 'JOBS_JOB_UPDATE' as const,
            userId: index % 2 === 0 ? 'ann' : null,
            jobId: bench.uuid(),
            executionId: null,
            oldValues: values(index),
            newValues: values(index + 1),
          })),
        )
        return tenant
      }

      const change = async (sql: string, values: unknown[]) => {
        await client.query('set session_replication_role = replica')
        const { rowCount } = await client.query(sql, values)
        await client.query('set session_replication_role = origin')
        expect(rowCount).toBeGreaterThan(0)
      }

      const verify = (tenant: string) => verifyAudit(bench.store.audit, tenant)

      it('holds as long as nobody does', async () => {
        const tenant = await written()
        const [head] = await bench.store.audit.heads(tenant)
        expect(await verify(tenant)).toEqual({ isIntact: true, entries: ENTRIES, hash: head?.hash })
        expect(await verify(bench.uuid())).toMatchObject({ isIntact: true, entries: 0 })
      })

      const set = (assignment: string, where = 'sequence = 1100') =>
        `update pontual.audit_entries set ${assignment} where tenant = $1 and ${where}`
      const swap = set(`sequence = -(case sequence when 1100 then 1101 else 1100 end)`, 'sequence in (1100, 1101)')

      it.each<[string, readonly string[], number, string]>([
        ['a user', [set(`user_id = 'eve'`)], 1_100, 'was changed'],
        ['a user that was none', [set('user_id = null', 'sequence = 1')], 1, 'was changed'],
        ['an empty user in place of none', [set(`user_id = ''`, 'sequence = 1100')], 1_100, 'was changed'],
        ['an operation', [set(`operation = 'JOBS_JOB_RESUME'`)], 1_100, 'was changed'],
        ['an instant', [set(`at = at + interval '1 millisecond'`)], 1_100, 'was changed'],
        ['a job', [set('job_id = gen_random_uuid()')], 1_100, 'was changed'],
        ['an execution', [set('execution_id = gen_random_uuid()')], 1_100, 'was changed'],
        ['an old value', [set(`old_values = '{}'`)], 1_100, 'was changed'],
        ['a blank in a new value', [set(`new_values = new_values || ' '`)], 1_100, 'was changed'],
        ['a value into the other', [set('old_values = new_values, new_values = old_values')], 1_100, 'was changed'],
        ['its hash', [set(`hash = sha256('x')`)], 1_100, 'was changed'],
        ['the hash before it', [set(`previous_hash = sha256('x')`)], 1_100, 'does not hold the hash of entry 1099'],
        [
          'an entry with a hash that is right',
          [set(`user_id = 'eve'`), set("hash = sha256(convert_to(user_id, 'UTF8'))")],
          1_100,
          'was changed',
        ],
        ['the last one', [set(`user_id = 'eve'`, `sequence = ${ENTRIES}`)], ENTRIES, 'was changed'],
        [
          'one removed',
          ['delete from pontual.audit_entries where tenant = $1 and sequence = 1100'],
          1_100,
          'is missing',
        ],
        [
          'the first removed',
          ['delete from pontual.audit_entries where tenant = $1 and sequence = 1'],
          1,
          'is missing',
        ],
        [
          'the last removed',
          [`delete from pontual.audit_entries where tenant = $1 and sequence = ${ENTRIES}`],
          ENTRIES,
          'is missing',
        ],
        [
          'a tail removed',
          ['delete from pontual.audit_entries where tenant = $1 and sequence > 900'],
          901,
          'are missing',
        ],
        ['all removed', ['delete from pontual.audit_entries where tenant = $1'], 1, 'are missing'],
        [
          'two in each other’s place',
          [swap, set('sequence = -sequence', 'sequence < 0')],
          1_100,
          'does not hold the hash',
        ],
        ['one moved to another tenant', [set(`tenant = tenant || ' too'`)], 1_100, 'is missing'],
        ['one counted twice', [set('sequence = 5000')], 1_100, 'is missing'],
        ['no end', ['delete from pontual.audit_heads where tenant = $1'], 1, 'nothing says where the chain ends'],
        [
          'an end before the end',
          [
            'update pontual.audit_heads set sequence = 900, hash = (select hash from pontual.audit_entries as entry where entry.tenant = $1 and entry.sequence = 900) where tenant = $1',
          ],
          901,
          'stands behind the end of the chain',
        ],
        [
          'an end behind the end',
          ['update pontual.audit_heads set sequence = sequence + 1 where tenant = $1'],
          ENTRIES + 1,
          'is missing',
        ],
        [
          'another end',
          [`update pontual.audit_heads set hash = sha256('x') where tenant = $1`],
          ENTRIES,
          'is not the one that the chain ends with',
        ],
      ])('%s is noticed', async (_what, sql, sequence, reason) => {
        const tenant = await written()
        for (const each of sql) await change(each, [tenant])
        const verdict = await verify(tenant)
        expect(verdict).toMatchObject({ isIntact: false, sequence })
        expect('reason' in verdict && verdict.reason).toContain(reason)
      })

      it('a tenant without an end is among the heads, so that its chain is verified', async () => {
        const tenant = await written()
        await change('delete from pontual.audit_heads where tenant = $1', [tenant])
        const heads = await bench.store.audit.heads()
        expect(heads.find((head) => head.tenant === tenant)).toMatchObject({ sequence: 0 })
      })

      it('a chain that was made anew, or cut with its end, is told by an end that was noted elsewhere', async () => {
        const { audit } = bench.store
        const tenant = await written()
        const [noted] = await audit.heads(tenant)
        if (!noted) throw new Error('There is no head.')
        expect(await verifyAudit(audit, tenant, [noted])).toMatchObject({ isIntact: true })
        await change('delete from pontual.audit_entries where tenant = $1 and sequence > 1199', [tenant])
        await change(
          'update pontual.audit_heads set sequence = 1199, hash = (select hash from pontual.audit_entries as entry where entry.tenant = $1 and entry.sequence = 1199) where tenant = $1',
          [tenant],
        )
        expect(await verifyAudit(audit, tenant)).toMatchObject({ isIntact: true, entries: 1_199 })
        expect(await verifyAudit(audit, tenant, [noted])).toMatchObject({ isIntact: false, sequence: 1_200 })
        await change('delete from pontual.audit_entries where tenant = $1', [tenant])
        await change('delete from pontual.audit_heads where tenant = $1', [tenant])
        const entry = { operation: 'JOBS_JOB_UPDATE', userId: 'eve', jobId: null, executionId: null } as const
        const again = { ...entry, tenant, oldValues: null, newValues: null }
        await audit.append(Array.from({ length: ENTRIES }, () => again))
        expect(await verifyAudit(audit, tenant)).toMatchObject({ isIntact: true })
        expect(await verifyAudit(audit, tenant, [noted])).toMatchObject({ isIntact: false, sequence: ENTRIES })
      })
    })

    describe('asked for a tenant', () => {
      beforeAll(async () => {
        await client.query('select pontual.enable_audit()')
        for (const tenant of ['acme', 'globex']) await client.query(write, [tenant])
      })

      const write = `select pontual.write_audit(array[$1], array[date_trunc('milliseconds', now())], array['JOBS_JOB_SIGNAL'], array['ann'], array[null::uuid], array[null::uuid], array[null], array[null])`

      /** As the service does it: as a role that may do little, and for one tenant. */
      async function forTenant(tenant: string, sql: string, values: unknown[] = []): Promise<pg.QueryResult> {
        await client.query('begin')
        try {
          await client.query(`set local role pontual_api`)
          await client.query(`select set_config('pontual.tenant', $1, true)`, [tenant])
          return await client.query(sql, values)
        } finally {
          await client.query('rollback')
        }
      }

      it.each([
        [`update pontual.audit_entries set user_id = 'eve'`],
        ['delete from pontual.audit_entries'],
        ['truncate pontual.audit_entries'],
        [`insert into pontual.audit_entries select * from pontual.audit_entries`],
        ['update pontual.audit_heads set sequence = 0'],
        ['delete from pontual.audit_heads'],
        ['truncate pontual.audit_heads'],
        ['insert into pontual.execution_numbers select gen_random_uuid(), 1'],
        ['alter table pontual.audit_entries disable trigger all'],
        ['set local session_replication_role = replica'],
        [`delete from pontual.settings where name = 'audit'`],
      ])('%s is refused', async (sql) => {
        await expect(forTenant('acme', sql)).rejects.toMatchObject({ code: '42501' })
      })

      it('it is that tenant’s chain, to read and to write', async () => {
        const { rows } = await forTenant('acme', 'select distinct tenant from pontual.audit_entries')
        expect(rows).toEqual([{ tenant: 'acme' }])
        await expect(forTenant('acme', write, ['acme'])).resolves.toBeDefined()
        await expect(forTenant('acme', write, ['globex'])).rejects.toMatchObject({ code: '42501' })
        await expect(forTenant('', write, ['acme'])).rejects.toMatchObject({ code: '42501' })
      })
    })

    describe('is append-only', () => {
      const ROLE = 'audit_writer'
      beforeAll(async () => {
        // Whoever may do everything with every table but own it.
        await client.query(`do $$ begin
          if not exists (select from pg_roles where rolname = '${ROLE}') then create role ${ROLE}; end if;
        end $$`)
        await client.query(`grant usage on schema pontual to ${ROLE}`)
        await client.query(`grant all on all tables in schema pontual to ${ROLE}`)
        await client.query(`select pontual.enable_audit()`)
        await client.query(
          `select pontual.write_audit(array['acme'], array[date_trunc('milliseconds', now())], array['JOBS_JOB_SIGNAL'], array['ann'], array[null::uuid], array[null::uuid], array[null], array[null])`,
        )
      })
      afterAll(async () => {
        await client.query(`drop owned by ${ROLE}`)
        await client.query(`drop role if exists ${ROLE}`)
      })

      it.each([
        [`update pontual.audit_entries set user_id = 'eve'`],
        [`update pontual.audit_entries set user_id = 'eve' where false`],
        ['delete from pontual.audit_entries'],
        ['truncate pontual.audit_entries'],
        ['delete from pontual.audit_heads'],
        ['truncate pontual.audit_heads'],
        ['truncate pontual.audit_entries, pontual.jobs cascade'],
        ['alter table pontual.audit_entries disable trigger all'],
        ['drop trigger audit_entries_append_only on pontual.audit_entries'],
        ['drop table pontual.audit_entries'],
        ['set local session_replication_role = replica'],
        [
          `create or replace function pontual.refuse_to_rewrite() returns trigger language plpgsql as 'begin return null; end'`,
        ],
        ['select pontual.write_ends(array[]::uuid[])'],
      ])('%s is refused', async (sql) => {
        await client.query('begin')
        await client.query(`set local role ${ROLE}`)
        const refused = await client.query(sql).then(
          () => null,
          (error: unknown) => error,
        )
        await client.query('rollback')
        expect(refused).toMatchObject({ code: '42501' })
      })

      it('also to who owns it, as long as the triggers stand', async () => {
        await expect(client.query('delete from pontual.audit_entries')).rejects.toMatchObject({ code: '42501' })
        await expect(client.query('truncate pontual.audit_entries')).rejects.toMatchObject({ code: '42501' })
      })
    })
  })
}
