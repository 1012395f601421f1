import { describe, expect, it } from 'vitest'
import type { Alert, AlertChange, AlertFigures, AlertState, StoredAlertRule } from '../../../src/store/alerts.ts'
import { type Bench, failure, HOUR, LEASE_MS, MINUTE, success } from './bench.ts'

const EVERY = 15_000
const MANY = 1_000

/** Alerts of figures: what is looked at, and what becomes of it. */
export function describeAlerts(bench: Bench): void {
  let count = 0
  const newTenant = () => `watched-${++count}-${bench.uuid()}`

  async function look(countTo = MANY): Promise<AlertFigures> {
    bench.advance(EVERY)
    const figures = await bench.store.alerts.watch(EVERY, countTo)
    if (!figures) throw new Error('Somebody else looks.')
    return figures
  }

  const of = ({ tenants }: AlertFigures, tenant: string) => tenants.find((each) => each.tenant === tenant)

  describe('a look at everything', () => {
    it('is for one at a time', async () => {
      await look()
      const others = [bench.store, await bench.openAnother(), await bench.openAnother()]
      const lookAll = () => Promise.all(others.map(({ alerts }) => alerts.watch(EVERY, MANY)))
      bench.advance(EVERY - 1)
      expect((await lookAll()).filter(Boolean)).toHaveLength(0)
      bench.advance(1)
      expect((await lookAll()).filter(Boolean)).toHaveLength(1)
    })

    it('tells what of a tenant runs and waits', async () => {
      const [tenant, idle] = [newTenant(), newTenant()]
      await bench.store.tenants.limit([
        { tenant, concurrency: 2 },
        { tenant: idle, concurrency: 2 },
      ])
      for (let n = 0; n < 5; n += 1) await bench.enqueue({ tenant })
      await bench.enqueue({ tenant, runAt: bench.now + HOUR })
      await bench.claim(await bench.node())
      const figures = await look()
      expect(of(figures, tenant)).toEqual({ tenant, running: 2, limit: 2, queued: 3, attempts: 0, timeouts: 0 })
      expect(of(figures, idle)).toBeUndefined()
      expect(of(await look(2), tenant)?.queued).toBe(2)
    })

    it('tells what of all runs and waits, and where it could', async () => {
      for (let n = 0; n < 3; n += 1) await bench.enqueue({ tenant: newTenant() })
      await bench.node({ slots: 4 })
      await bench.claim(await bench.node({ slots: 6 }), { limit: 2 })
      expect((await look()).global).toMatchObject({ running: 2, slots: 10, queued: 1, liveNodes: 2 })
    })

    it('tells when a node was last alive', async () => {
      await bench.node()
      const { now, global } = await look()
      expect(global).toMatchObject({ liveNodes: 1, aliveAt: now })
      const diesAt = now - EVERY + LEASE_MS
      bench.advance(10 * MINUTE)
      expect((await look()).global).toMatchObject({ liveNodes: 0, aliveAt: diesAt, slots: 0 })
      for (const { id } of await bench.store.nodes.list()) await bench.store.nodes.remove(id)
      expect((await look()).global.aliveAt).toBe(diesAt)
      await bench.node()
      const again = await look()
      expect(again.global.aliveAt).toBe(again.now)
    })

    it.each(['remove', 'leave'] as const)('knows of a node that came and went between two looks: %s', async (how) => {
      await look()
      bench.advance(MINUTE)
      const node = await bench.node()
      bench.advance(1_000)
      const leftAt = bench.now
      if (how === 'remove') await bench.store.nodes.remove(node)
      else await bench.store.nodes.leave(node, 2_000)
      bench.advance(5_000)
      expect((await look()).global).toMatchObject({
        liveNodes: 0,
        aliveAt: how === 'remove' ? leftAt : leftAt + 2_000,
      })
    })
  })

  describe('timeouts', () => {
    /** Attempts that end one after the other. */
    async function ran(tenant: string, statuses: readonly ('SUCCESS' | 'FAILED' | 'TIMEOUT')[]): Promise<void> {
      const node = await bench.node()
      for (const status of statuses) {
        await bench.enqueue({ tenant })
        const held = await bench.claimOne(node)
        await bench.store.leases.finish([success(held, { status, error: status === 'SUCCESS' ? null : failure })])
      }
      await bench.store.nodes.remove(node)
    }

    it('are counted among the attempts of the last hour', async () => {
      const [tenant, other] = [newTenant(), newTenant()]
      await ran(tenant, ['TIMEOUT', 'TIMEOUT', 'TIMEOUT'])
      bench.advance(HOUR)
      await ran(tenant, ['SUCCESS', 'FAILED', 'TIMEOUT', 'TIMEOUT', 'SUCCESS'])
      await ran(other, ['SUCCESS', 'TIMEOUT'])
      const figures = await look()
      expect(of(figures, tenant)).toMatchObject({ attempts: 5, timeouts: 2 })
      // One alone is not looked into.
      expect(of(figures, other)).toBeUndefined()
    })

    it('count where another attempt follows, and where an execution was made long before', async () => {
      const tenant = newTenant()
      await bench.enqueue({ tenant })
      await bench.enqueue({ tenant })
      bench.advance(20 * HOUR)
      const node = await bench.node()
      for (const held of await bench.claim(node)) {
        await bench.store.leases.retry([
          { executionId: held.executionId, epoch: held.epoch, status: 'TIMEOUT', error: failure, delayMs: 0 },
        ])
      }
      await bench.store.leases.promote(MANY)
      for (const held of await bench.claim(node)) await bench.store.leases.finish([success(held)])
      expect(of(await look(), tenant)).toMatchObject({ attempts: 4, timeouts: 2 })
    })

    it('count no attempt twice that was lost', async () => {
      const tenant = newTenant()
      await ran(tenant, ['TIMEOUT', 'TIMEOUT'])
      await bench.running({ tenant, maxAttempts: 1 })
      bench.advance(LEASE_MS + 1)
      await bench.store.leases.recover({ silentForMs: 0, limit: MANY, notAfter: bench.now })
      expect(of(await look(), tenant)).toMatchObject({ attempts: 3, timeouts: 2 })
    })
  })

  const figure = (tenant: string) => ({ tenant, scope: 'tenant', kind: 'queueCongested' }) as const

  const state = (tenant: string, change: Partial<AlertState> = {}): AlertState => ({
    ...figure(tenant),
    alertId: null,
    highSince: bench.now,
    lowSince: null,
    ...change,
  })

  const alert = (tenant: string, change: Partial<Alert> = {}): Alert => ({
    ...figure(tenant),
    id: bench.uuid(),
    jobId: null,
    executionId: null,
    value: 120,
    threshold: 100,
    since: bench.now - MINUTE,
    openedAt: bench.now,
    closedAt: null,
    outcome: null,
    ...change,
  })

  /** An alert that opens, and the change that opens it. */
  function opening(tenant: string, change: Partial<Alert> = {}): AlertChange & { readonly opens: Alert } {
    const opens = alert(tenant, change)
    const { scope, kind } = opens
    const after = { ...state(tenant, { alertId: opens.id }), scope, kind }
    return { tenant, scope, kind, before: null, after, opens }
  }

  const closing = ({ tenant, scope, kind, after, opens }: ReturnType<typeof opening>): AlertChange => ({
    tenant,
    scope,
    kind,
    before: after,
    after: null,
    closes: { id: opens.id, at: bench.now, outcome: 'cleared' },
  })

  const list = (tenant: string, change: object = {}) => bench.store.alerts.list({ tenant, limit: MANY, ...change })

  describe('a change', () => {
    const statesOf = async (tenant: string) => (await look()).states.filter((each) => each.tenant === tenant)

    it('keeps where a figure stands, opens its alert, and closes it', async () => {
      const tenant = newTenant()
      const { alerts } = bench.store
      const rising = state(tenant)
      expect(await alerts.record([{ ...figure(tenant), before: null, after: rising }])).toEqual([])
      expect(await statesOf(tenant)).toEqual([rising])
      const opens = alert(tenant)
      const open = { ...rising, alertId: opens.id }
      expect(await alerts.record([{ ...figure(tenant), before: rising, after: open, opens }])).toEqual([opens.id])
      expect(await list(tenant)).toEqual([opens])
      const falling = { ...open, lowSince: bench.now }
      await alerts.record([{ ...figure(tenant), before: open, after: falling }])
      expect(await statesOf(tenant)).toEqual([falling])
      const closes = { id: opens.id, at: bench.now, outcome: 'cleared' } as const
      expect(await alerts.record([{ ...figure(tenant), before: falling, after: null, closes }])).toEqual([opens.id])
      expect(await statesOf(tenant)).toEqual([])
      expect(await list(tenant)).toEqual([{ ...opens, closedAt: closes.at, outcome: 'cleared' }])
    })

    it('of what is otherwise by now is left out', async () => {
      const tenant = newTenant()
      const first = opening(tenant)
      expect(await bench.store.alerts.record([first])).toEqual([first.opens.id])
      const stale: AlertChange[] = [
        opening(tenant),
        { ...figure(tenant), before: state(tenant), after: null },
        { ...closing(first), before: { ...first.after!, lowSince: 1 } },
      ]
      for (const change of stale) expect(await bench.store.alerts.record([change])).toEqual([])
      expect(await list(tenant)).toEqual([first.opens])
    })

    it('made by several at once opens one alert', async () => {
      const tenant = newTenant()
      const stores = [bench.store, await bench.openAnother(), await bench.openAnother()]
      const opened = await Promise.all(stores.map(({ alerts }) => alerts.record([opening(tenant)])))
      expect(opened.flat()).toHaveLength(1)
      expect(await list(tenant)).toHaveLength(1)
    })
  })

  it('are listed open ones first, and then the newest first, page by page', async () => {
    const tenant = newTenant()
    const closed = opening(tenant)
    const later = opening(tenant, { kind: 'auditFull', scope: 'global', openedAt: bench.now + 3, since: bench.now })
    const open = opening(tenant, { kind: 'workersSaturated', openedAt: bench.now + 1 })
    const newest = opening(tenant, { kind: 'timeoutsFrequent', openedAt: bench.now + 2 })
    await bench.store.alerts.record([closed, later, open, newest, opening(newTenant())])
    bench.advance(MINUTE)
    await bench.store.alerts.record([closing(closed), closing(later)])
    const inOrder = [newest, open, later, closed].map(({ opens }) => opens.id)
    expect((await list(tenant)).map(({ id }) => id)).toEqual(inOrder)
    expect((await list(tenant, { isOpen: true })).map(({ id }) => id)).toEqual(inOrder.slice(0, 2))
    expect((await list(tenant, { isOpen: false })).map(({ id }) => id)).toEqual(inOrder.slice(2))
    expect((await list(tenant, { kind: 'workersSaturated' })).map(({ id }) => id)).toEqual([open.opens.id])
    const paged: string[] = []
    for (let page = await list(tenant, { limit: 1 }); page[0]; ) {
      const [{ id, openedAt, closedAt }] = page as [Alert]
      paged.push(id)
      page = await list(tenant, { limit: 1, after: { id, openedAt, isOpen: closedAt === null } })
    }
    expect(paged).toEqual(inOrder)
  })

  it('are told once when they open and once when they close', async () => {
    const tenant = newTenant()
    const { alerts } = bench.store
    const change = opening(tenant)
    const untold = async () => (await alerts.untold(MANY)).filter(({ alert: { tenant: owner } }) => owner === tenant)
    const { id } = change.opens
    await alerts.record([change])
    expect(await untold()).toEqual([{ alert: change.opens, news: 'opened', jobName: null }])
    await alerts.tell([{ id, news: 'opened' }])
    expect(await untold()).toEqual([])
    await alerts.record([closing(change)])
    expect(await untold()).toMatchObject([{ alert: { id, outcome: 'cleared' }, news: 'closed' }])
    await alerts.tell([{ id, news: 'closed' }])
    expect(await untold()).toEqual([])
  })

  it('one that closes before it was told is told twice', async () => {
    const tenant = newTenant()
    const change = opening(tenant)
    await bench.store.alerts.record([change])
    await bench.store.alerts.record([closing(change)])
    const news: string[] = []
    for (;;) {
      const next = (await bench.store.alerts.untold(MANY)).find(({ alert: { tenant: owner } }) => owner === tenant)
      if (!next) break
      news.push(next.news)
      await bench.store.alerts.tell([{ id: next.alert.id, news: next.news }])
    }
    expect(news).toEqual(['opened', 'closed'])
  })

  it('are forgotten a year after they were over', async () => {
    const tenant = newTenant()
    const [over, open] = [opening(tenant), opening(tenant, { kind: 'workersSaturated' })]
    await bench.store.alerts.record([over, open])
    await bench.store.alerts.record([closing(over)])
    bench.advance(365 * 24 * HOUR)
    await bench.store.maintain()
    expect(await list(tenant)).toHaveLength(2)
    bench.advance(1)
    await bench.store.maintain()
    expect((await list(tenant)).map(({ id }) => id)).toEqual([open.opens.id])
  })

  it('rules are kept for each tenant, and told to who looks', async () => {
    const tenant = newTenant()
    const rule: StoredAlertRule = {
      ...figure(tenant),
      isEnabled: true,
      threshold: 0.25,
      clearAt: null,
      holdSeconds: 5,
      clearSeconds: 0,
    }
    expect(await bench.store.alerts.rules(tenant)).toEqual([])
    await bench.store.alerts.putRule(rule)
    const other = { ...rule, scope: 'global', threshold: null, clearAt: 3, isEnabled: false } as const
    await bench.store.alerts.putRule(other)
    await bench.store.alerts.putRule({ ...rule, holdSeconds: 6 })
    const stored = [other, { ...rule, holdSeconds: 6 }]
    expect(await bench.store.alerts.rules(tenant)).toEqual(stored)
    const { rules } = await look()
    expect(rules.filter((each) => each.tenant === tenant)).toEqual(expect.arrayContaining(stored))
  })
}
