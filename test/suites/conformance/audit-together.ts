import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AuditOperation } from '../../../src/access/audit.ts'
import { postgres } from '../../../src/postgres.ts'
import type { ServerVersion } from '../../harness/postgres/binaries.ts'
import { createDatabase, type TestDatabase } from '../../harness/postgres/database.ts'
import { Bench, failure, success } from './bench.ts'

/** Whose entries the database does not take. */
const UNTOLD = 'untold'

const SETTINGS = {
  adminAddresses: [],
  mailEvents: [],
  digestMinutes: 0,
  language: 'en',
  concurrency: null,
  allowsSelfApproval: false,
  allowsSeconds: false,
  webhooks: [],
  pending: null,
} as const

/** What is done, and the entry that tells of it, are one: where the second cannot be written the first has not happened. */
export function describeAuditTogether(version: ServerVersion): void {
  describe('without its entry nothing is done', () => {
    let database: TestDatabase
    const bench = new Bench(() => postgres(database.url))
    beforeAll(async () => {
      database = await createDatabase(version)
      await bench.open()
      await bench.store.audit.enable()
      const client = new pg.Client({ connectionString: database.url })
      await client.connect()
      await client.query(`
        create function pontual.leave_untold() returns trigger language plpgsql as 'begin raise exception ''untold''; end';
        create trigger untold before insert on pontual.audit_entries
        for each row when (new.user_id = '${UNTOLD}') execute function pontual.leave_untold()`)
      await client.end()
    })
    beforeEach(() => bench.begin())
    afterAll(async () => {
      await bench.close()
      await database?.drop()
    })

    const tenant = 'acme'
    const draft = (operation: AuditOperation) => ({
      operation,
      userId: UNTOLD,
      jobId: null,
      executionId: null,
      oldValues: null,
      newValues: null,
    })
    const key = () => ({
      id: bench.uuid(),
      tenant,
      name: 'ci',
      secretHash: bench.uuid(),
      profile: 'Admin' as const,
      permissions: [],
      ownerId: 'ana',
      expiresAt: null,
    })
    const statusOf = async (id: string) => (await bench.store.executions.find([id])).map(({ status }) => status)
    const weekly = { type: 'weekly', weekdays: [0], timeZone: 'UTC' } as const
    const requested = { options: { requestedBy: UNTOLD } }

    /** Prepares something, and gives how to do it and how to look. */
    type Row = () => Promise<readonly [act: () => Promise<unknown>, look: () => Promise<unknown>]>

    const rows: readonly [string, Row][] = [
      [
        'a new job',
        () => {
          const job = bench.job({ tenant })
          const change = { job, expectedVersion: null, ledger: [], audit: draft('JOBS_JOB_CREATE') }
          return Promise.resolve([() => bench.store.jobs.put([change]), () => bench.store.jobs.find([job.id])])
        },
      ],
      [
        'a change of a job',
        async () => {
          const job = bench.job({ tenant })
          await bench.put(job)
          const changed = { ...job, status: 'PAUSED' as const, version: 2 }
          const change = { job: changed, expectedVersion: 1, ledger: [], audit: draft('JOBS_JOB_PAUSE') }
          return [() => bench.store.jobs.put([change]), () => bench.store.jobs.find([job.id])]
        },
      ],
      [
        'settings',
        () => {
          const { settings } = bench.store
          const change = { tenant, settings: SETTINGS, expectedVersion: 0, audit: draft('JOBS_SETTINGS_UPDATE') }
          return Promise.resolve([() => settings.put(change), () => settings.find(tenant)])
        },
      ],
      [
        'flags',
        () => {
          const { flags } = bench.store
          const change = { flag: 'JOBS_SCHEDULING', isEnabled: false } as const
          const put = () => flags.put({ tenant, flags: [change], audit: draft('JOBS_FLAG_UPDATE') })
          return Promise.resolve([put, () => flags.read(tenant)])
        },
      ],
      [
        'a calendar',
        () => {
          const { calendars } = bench.store
          const calendar = { tenant, name: 'br', definition: weekly }
          return Promise.resolve([
            () => calendars.put([calendar], draft('JOBS_CALENDAR_UPDATE')),
            () => calendars.list(tenant),
          ])
        },
      ],
      [
        'the removal of a calendar',
        async () => {
          const { calendars } = bench.store
          await calendars.put([{ tenant, name: 'us', definition: weekly }])
          const remove = () => calendars.remove([{ tenant, name: 'us' }], draft('JOBS_CALENDAR_DELETE'))
          return [remove, () => calendars.list(tenant)]
        },
      ],
      [
        'a key',
        () => {
          const { credentials } = bench.store
          const added = key()
          return Promise.resolve([
            () => credentials.addKey(added, draft('JOBS_APIKEY_CREATE')),
            () => credentials.findKey(added.secretHash),
          ])
        },
      ],
      [
        'the end of a key',
        async () => {
          const { credentials } = bench.store
          const added = key()
          await credentials.addKey(added)
          return [
            () => credentials.revokeKey(tenant, added.id, draft('JOBS_APIKEY_DELETE')),
            () => credentials.findKey(added.secretHash),
          ]
        },
      ],
      [
        'a signal',
        async () => {
          const held = await bench.running({ tenant, options: { durable: true } })
          const { executionId } = held
          const audit = { ...draft('JOBS_JOB_SIGNAL'), tenant, executionId }
          const signal = { executionId, name: 'go', payload: null, idempotencyKey: null, audit }
          const news = async () => (await bench.store.histories.news([held])).map(({ signals }) => signals)
          return [() => bench.store.histories.signal([signal]), news]
        },
      ],
      [
        'a success',
        async () => {
          const job = bench.job({ tenant })
          await bench.put(job)
          const held = await bench.running({ tenant, jobId: job.id, ...requested })
          return [() => bench.store.leases.finish([success(held)]), () => statusOf(held.executionId)]
        },
      ],
      [
        'a failure, and those behind it',
        async () => {
          const job = bench.job({ tenant })
          await bench.put(job)
          const held = await bench.running({ tenant, jobId: job.id, ...requested })
          const behind = await bench.enqueue({
            tenant,
            jobId: job.id,
            after: [{ id: held.executionId, on: 'success' }],
          })
          const failed = success(held, { status: 'FAILED', error: failure, faultsJobId: job.id })
          const look = async () => [await statusOf(behind), await bench.store.jobs.find([job.id])]
          return [() => bench.store.leases.finish([failed]), look]
        },
      ],
      [
        'a cancellation',
        async () => {
          const job = bench.job({ tenant })
          await bench.put(job)
          const id = await bench.enqueue({ tenant, jobId: job.id })
          return [() => bench.store.executions.cancel([{ id, reason: null, by: UNTOLD }]), () => statusOf(id)]
        },
      ],
    ]

    it.each(rows)('%s', async (_what, prepare) => {
      const [act, look] = await prepare()
      const before = await look()
      await expect(act()).rejects.toThrow('untold')
      expect(await look()).toEqual(before)
    })
  })
}
