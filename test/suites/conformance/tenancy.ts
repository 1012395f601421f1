import { describe, expect, it } from 'vitest'
import type { TenantStore } from '../../../src/store/store.ts'
import type { Bench } from './bench.ts'

const ABSENT = '01999999-0000-7000-8000-00000000dead'
const RULE = {
  scope: 'tenant',
  kind: 'jobFailed',
  isEnabled: true,
  threshold: null,
  clearAt: null,
  holdSeconds: 0,
  clearSeconds: 0,
} as const
const NO_RULES = { type: 'weekly', weekdays: [0], timeZone: 'UTC' } as const

/** A store as one tenant sees it. */
export function describeTenancy(bench: Bench): void {
  /** One of everything, of each of two tenants. */
  async function fill() {
    const acme = await thingsOf('acme')
    const other = await thingsOf('other')
    return { acme, other, mine: bench.store.forTenant('acme') }
  }

  async function thingsOf(tenant: string) {
    const job = bench.job({ tenant, name: 'import' })
    await bench.put(job)
    const running = bench.execution({ tenant, jobId: job.id })
    const queued = bench.execution({ tenant, jobId: job.id, options: { durable: true }, runAt: bench.now + 1 })
    await bench.store.executions.enqueue([running])
    const [held] = await bench.claim(await bench.node(), { jobTypes: ['import'] })
    if (held?.body.id !== running.body.id) throw new Error('It is not held.')
    await bench.store.logs.append([
      {
        executionId: held.executionId,
        epoch: held.epoch,
        sequence: 1,
        attempt: 1,
        at: bench.now,
        level: 'info',
        message: tenant,
        fields: null,
      },
    ])
    await bench.store.histories.checkpoint([{ executionId: held.executionId, epoch: held.epoch, state: '1' }])
    await bench.store.executions.enqueue([queued])
    await bench.store.calendars.put([{ tenant, name: 'br', definition: NO_RULES }])
    await bench.store.alerts.putRule({ ...RULE, tenant })
    await bench.store.alerts.record([openingOf(tenant)])
    await bench.store.notifications.post([{ id: bench.uuid(), tenant, kind: 'job.failed', at: bench.now, facts: {} }])
    return { job, running: running.body.id, queued: queued.body.id }
  }

  function openingOf(tenant: string) {
    const figure = { tenant, scope: 'tenant', kind: 'queueCongested' } as const
    const id = bench.uuid()
    const none = { jobId: null, executionId: null, closedAt: null, outcome: null }
    const after = { ...figure, alertId: id, highSince: bench.now, lowSince: null }
    const opens = { ...figure, ...none, id, value: 1, threshold: 1, since: bench.now, openedAt: bench.now }
    return { ...figure, before: null, after, opens }
  }

  type Things = Awaited<ReturnType<typeof fill>>

  const looks: [string, (store: TenantStore, things: Things) => Promise<unknown>, unknown][] = [
    ['jobs by id', async ({ jobs }, { other }) => await jobs.find([other.job.id]), []],
    ['jobs by name', async ({ jobs }) => await jobs.findByName('other', ['import']), []],
    ['a list of jobs', async ({ jobs }) => await jobs.list({ tenant: 'other', limit: 9 }), []],
    ['when jobs fire', async ({ jobs }) => await jobs.schedules({ tenant: 'other', limit: 9 }), []],
    ['how many jobs there are', async ({ jobs }) => await jobs.count('other'), {}],
    ['how many jobs of a job type there are', async ({ jobs }) => await jobs.countTypes('other'), []],
    [
      'a search for jobs',
      async ({ jobs }) => await jobs.search({ tenant: 'other', sort: 'name', isDescending: false, limit: 9 }),
      [],
    ],
    ['a selection of jobs', async ({ jobs }) => await jobs.select({ tenant: 'other' }, 9), []],
    ['a search for executions', async ({ executions }) => await executions.search({ tenant: 'other', limit: 9 }), []],
    ['which jobs ran', async ({ executions }) => await executions.ran({ tenant: 'other', since: 0 }), []],
    [
      'the last executions of jobs',
      async ({ executions }, { other }) =>
        await executions.recent({ tenant: 'other', jobIds: [other.job.id], limit: 9, since: 0 }),
      [],
    ],
    [
      'the last executions of jobs, under its own name',
      async ({ executions }, { other }) =>
        await executions.recent({ tenant: 'acme', jobIds: [other.job.id], limit: 9, since: 0 }),
      [],
    ],
    ['executions by id', async ({ executions }, { other }) => await executions.find([other.running, other.queued]), []],
    ['a list of executions', async ({ executions }) => await executions.list({ tenant: 'other', limit: 9 }), []],
    [
      'a list of executions of a job',
      async ({ executions }, { other }) => await executions.list({ jobId: other.job.id, limit: 9 }),
      [],
    ],
    [
      'how executions ended',
      async ({ executions }) => (await executions.measure({ tenant: 'other', since: 0, limit: 9 })).busyMs,
      0,
    ],
    [
      'how executions ended by time',
      async ({ executions }) =>
        await executions.series({ tenant: 'other', since: 0, until: bench.now + 1, bucketMs: 60_000, limit: 9 }),
      [],
    ],
    ['what failed', async ({ executions }) => await executions.failures({ tenant: 'other', since: 0, limit: 9 }), []],
    ['what waits longest', async ({ executions }) => await executions.oldestQueuedAt('other'), null],
    ['a chain', async ({ executions }, { other }) => await executions.chain(other.queued, 9), null],
    ['what runs of a job', async ({ occurrences }, { other }) => await occurrences.standing([other.job.id]), []],
    ['log lines', async ({ logs }, { other }) => await logs.read({ executionId: other.running, limit: 9 }), []],
    ['the size of a log', async ({ logs }, { other }) => await logs.size(other.running), 0],
    ['a checkpoint', async ({ histories }, { other }) => await histories.lastCheckpoint(other.running), null],
    ['a history', async ({ histories }, { other }) => await histories.read(other.running), []],
    ['calendars', async ({ calendars }) => await calendars.list('other'), []],
    ['settings', async ({ settings }) => await settings.find('other'), null],
    ['keys', async ({ credentials }) => await credentials.listKeys('other'), []],
    ['notifications', async ({ notifications }) => await notifications.list({ tenant: 'other', limit: 9 }), []],
    [
      'how many were told',
      async ({ notifications }) => await notifications.summary('other', 0),
      { failures: 0, told: 0, suppressed: 0, undelivered: 0 },
    ],
    ['alerts', async ({ alerts }) => await alerts.list({ tenant: 'other', limit: 9 }), []],
    ['rules of alerts', async ({ alerts }) => await alerts.rules('other'), []],
    [
      'how long jobs took to recover',
      async ({ alerts }) => await alerts.recoveries('other', 0),
      { count: 0, meanMs: null },
    ],
    ['the audit log', async ({ audit }) => await audit.list({ tenant: 'other', limit: 9 }), []],
  ]
  it.each(looks)('finds nothing of another tenant: %s', async (_what, look, expected) => {
    const things = await fill()
    expect(await look(things.mine, things)).toEqual(expected)
  })

  it('finds what is its own, named or not', async () => {
    const { mine, acme } = await fill()
    expect((await mine.jobs.list({ limit: 9 })).map(({ id }) => id)).toEqual([acme.job.id])
    expect((await mine.executions.list({ limit: 9 })).map(({ id }) => id).sort()).toEqual(
      [acme.running, acme.queued].sort(),
    )
    expect(await mine.executions.count()).toMatchObject({ QUEUED: 1, RUNNING: 1 })
    expect(await mine.logs.read({ executionId: acme.running, limit: 9 })).toMatchObject([{ message: 'acme' }])
    expect((await mine.tenants.list({ limit: 9 })).map(({ tenant }) => tenant)).toEqual(['acme'])
    expect(await mine.histories.lastCheckpoint(acme.running)).toBe('1')
    expect(await mine.alerts.list({ tenant: 'acme', limit: 9 })).toMatchObject([{ kind: 'queueCongested' }])
    expect(await mine.alerts.rules('acme')).toHaveLength(1)
  })

  const deeds: [string, (store: TenantStore, things: Things) => Promise<unknown>, unknown][] = [
    [
      'cancel',
      async ({ executions }, { other }) => await executions.cancel([{ id: other.queued, reason: null }]),
      ['unknown'],
    ],
    [
      'signal',
      async ({ histories }, { other }) =>
        await histories.signal([{ executionId: other.queued, name: 'go', payload: null, idempotencyKey: null }]),
      ['unknown'],
    ],
    ['cut', async ({ histories }, { other }) => await histories.cut(other.queued, 1), false],
    [
      'fork',
      async ({ histories }, { other }) => await histories.fork(other.queued, 1, bench.execution({ tenant: 'acme' })),
      false,
    ],
    ['resume', async ({ histories }, { other }) => await histories.resume({ ids: [other.queued], limit: 9 }), []],
    ['wake', async ({ histories }, { other }) => await histories.wake([other.queued]), undefined],
    ['remove a job', async ({ jobs }, { other }) => await jobs.remove([other.job.id]), 0],
    [
      'fire',
      async ({ occurrences }, { other }) => await occurrences.fire([firingOf(other.job)]),
      { jobIds: [], ended: [] },
    ],
    ['remove a calendar', async ({ calendars }) => await calendars.remove([{ tenant: 'other', name: 'br' }]), 0],
    ['revoke a key', async ({ credentials }) => await credentials.revokeKey('other', ABSENT), false],
    ['purge', async ({ executions }) => await executions.purge(bench.now + 1e9, 9), 0],
  ]
  it.each(deeds)('changes nothing of another tenant: %s', async (_what, act, expected) => {
    const things = await fill()
    const before = await everythingOf(bench.store.forTenant('other'))
    expect(await act(things.mine, things)).toEqual(expected)
    expect(await everythingOf(bench.store.forTenant('other'))).toEqual(before)
  })

  function firingOf(job: Things['other']['job']) {
    return { ...bench.firing(job), fired: [] }
  }

  async function everythingOf(store: TenantStore) {
    return {
      jobs: await store.jobs.list({ limit: 99 }),
      executions: await store.executions.list({ limit: 99 }),
      calendars: await store.calendars.list('other'),
    }
  }

  it('a job of another tenant cannot be taken over', async () => {
    const { mine, other } = await fill()
    const stolen = { ...other.job, tenant: 'acme', name: 'stolen', version: 2 }
    const [answer] = await mine.jobs.put([{ job: stolen, expectedVersion: 1, ledger: [] }]).catch(() => ['conflict'])
    expect(answer).toBe('conflict')
    expect(await bench.findJob(other.job.id)).toMatchObject({ tenant: 'other', name: 'import' })
  })

  const foreign: [string, (store: TenantStore) => Promise<unknown>][] = [
    ['a job', async ({ jobs }) => await jobs.put([{ job: theirs(), expectedVersion: null, ledger: [] }])],
    ['an execution', async ({ executions }) => await executions.enqueue([bench.execution({ tenant: 'other' })])],
    [
      'a calendar',
      async ({ calendars }) => await calendars.put([{ tenant: 'other', name: 'x', definition: NO_RULES }]),
    ],
    ['a limit', async ({ tenants }) => await tenants.limit([{ tenant: 'other', concurrency: 1 }])],
    [
      'a notification',
      async ({ notifications }) =>
        await notifications.post([{ id: bench.uuid(), tenant: 'other', kind: 'job.failed', at: bench.now, facts: {} }]),
    ],
    ['a rule of alerts', async ({ alerts }) => await alerts.putRule({ ...RULE, tenant: 'other' })],
  ]
  it.each(foreign)('makes nothing for another tenant: %s', async (_what, make) => {
    const { mine } = await fill()
    const before = await everythingOf(bench.store.forTenant('other'))
    await expect(make(mine)).rejects.toThrow()
    expect(await everythingOf(bench.store.forTenant('other'))).toEqual(before)
    const limits = (await bench.store.tenants.list({ limit: 99 })).filter(({ limit }) => limit !== null)
    expect(limits).toEqual([])
  })

  function theirs() {
    return bench.job({ tenant: 'other', name: 'export' })
  }

  it('a name that another tenant has is free', async () => {
    await bench.put(bench.job({ tenant: 'other', name: 'closing' }))
    const job = bench.job({ tenant: 'acme', name: 'closing' })
    const put = bench.store.forTenant('acme').jobs.put([{ job, expectedVersion: null, ledger: [] }])
    expect(await put).toEqual(['stored'])
  })

  it('a tenant that nobody has heard of begins with nothing, and may make something', async () => {
    await fill()
    const tenant = bench.uuid()
    const store = bench.store.forTenant(tenant)
    expect(await store.executions.list({ limit: 9 })).toEqual([])
    const { body } = bench.execution({ tenant })
    await store.executions.enqueue([{ body, runAt: null }])
    expect(await store.executions.find([body.id])).toMatchObject([{ tenant, status: 'QUEUED' }])
  })

  it('has no verb that only a node may call', () => {
    const mine = bench.store.forTenant('acme')
    const verbs = (): unknown[] => [
      // @ts-expect-error: claims and completes executions
      mine.leases,
      // @ts-expect-error: reads the keys of all tenants
      mine.dataKeys,
      // @ts-expect-error: moves the data of all tenants
      mine.archive,
      // @ts-expect-error: counts for all tenants
      mine.rates,
      // @ts-expect-error: reads the times of all tenants
      mine.pulse,
      // @ts-expect-error: creates partitions
      mine.maintain,
      // @ts-expect-error: closes the connections
      mine.close,
      // @ts-expect-error: reaches another tenant
      mine.forTenant,
      // @ts-expect-error: requires a leased execution
      mine.histories.record,
      // @ts-expect-error: requires a leased execution
      mine.logs.append,
      // @ts-expect-error: reads stored texts of all tenants
      mine.contents.read,
      // @ts-expect-error: declares a node
      mine.nodes.register,
      // @ts-expect-error: marks the node as active
      mine.minutes.mark,
      // @ts-expect-error: applies to all tenants
      mine.tenants.limitOthers,
      // @ts-expect-error: applies to all tenants
      mine.flags.putDefaults,
      // @ts-expect-error: delivers for all tenants
      mine.notifications.claim,
      // @ts-expect-error: evaluates the rules of all tenants
      mine.alerts.watch,
    ]
    expect(verbs().filter((verb) => verb !== undefined)).toEqual([])
  })

  describe('exists', () => {
    it('tells of what is anybody’s', async () => {
      const { acme, other } = await fill()
      expect(await bench.store.exists('job', acme.job.id)).toBe(true)
      expect(await bench.store.exists('job', other.job.id)).toBe(true)
      expect(await bench.store.exists('execution', other.running)).toBe(true)
      expect(await bench.store.exists('execution', other.job.id)).toBe(false)
      expect(await bench.store.exists('apiKey', other.job.id)).toBe(false)
    })

    it.each(['job', 'execution', 'apiKey'] as const)('takes any text for the id of a %s', async (kind) => {
      expect(await bench.store.exists(kind, 'no id')).toBe(false)
      expect(await bench.store.exists(kind, '')).toBe(false)
    })
  })
}
