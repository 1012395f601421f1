import { beforeEach, describe, expect, it } from 'vitest'
import type {
  DeliveryClaim,
  NewDelivery,
  NotificationEvent,
  NotificationPlan,
} from '../../../src/store/notifications.ts'
import { type Bench, HOUR, MINUTE } from './bench.ts'

const BOTH: DeliveryClaim['channels'] = ['mail', 'webhook']
const DAY = 24 * HOUR
const CLAIM: DeliveryClaim = { channels: BOTH, limit: 100, leaseMs: MINUTE }

/** The outbox. */
export function describeNotifications(bench: Bench): void {
  let tenant: string
  beforeEach(async () => {
    tenant = `told-${bench.uuid()}`
    // Nothing is left of the tests before.
    bench.advance(4 * DAY)
    for (;;) {
      const { events } = await bench.store.notifications.unplanned(1_000)
      if (events.length === 0) break
      await bench.store.notifications.plan(events.map(({ id }) => plan(id, [], 'nobody')))
    }
    const { deliveries } = await bench.store.notifications.claim(CLAIM)
    await bench.store.notifications.settle(
      deliveries.map(({ id, attempt }) => ({ id, attempt, status: 'UNDELIVERED', retryInMs: null, error: null })),
    )
  })

  function event(change: Partial<NotificationEvent> = {}): NotificationEvent {
    const facts = { jobId: bench.uuid(), executionId: null, count: 1.5, é: '"\u{1f600}', isGlobal: true }
    return { id: bench.uuid(), tenant, kind: 'job.failed', at: bench.now, facts, ...change }
  }

  function delivery(id: string, change: Partial<NewDelivery> = {}): NewDelivery {
    return {
      id,
      isDigest: false,
      channel: 'mail',
      webhookId: null,
      dueAt: bench.now,
      expiresAt: bench.now + 3 * DAY,
      ...change,
    }
  }

  function plan(
    eventId: string,
    deliveries: readonly NewDelivery[],
    suppression: NotificationPlan['suppression'] = null,
  ): NotificationPlan {
    return { eventId, suppression, deliveries }
  }

  async function posted(change: Partial<NotificationEvent> = {}): Promise<NotificationEvent> {
    const made = event(change)
    await bench.store.notifications.post([made])
    return made
  }

  /** An event with a mail that is due now. */
  async function mailed(change: Partial<NewDelivery> = {}) {
    const made = await posted()
    await bench.store.notifications.plan([plan(made.id, [delivery(`${made.id}:mail`, change)])])
    return made
  }

  const claim = async (change: Partial<DeliveryClaim> = {}) =>
    (await bench.store.notifications.claim({ ...CLAIM, ...change })).deliveries
  const list = () => bench.store.notifications.list({ tenant, limit: 100 })
  const sent = { status: 'SENT', retryInMs: null, error: null } as const

  it('an event is kept as it was posted, once', async () => {
    const made = await posted()
    await bench.store.notifications.post([{ ...made, facts: {} }, made])
    expect(await bench.store.notifications.unplanned(9)).toEqual({ now: bench.now, events: [made] })
    expect(await list()).toEqual([{ ...made, isPlanned: false, suppression: null, toldAt: null, deliveries: [] }])
    await bench.store.notifications.post([])
  })

  it('events that nobody has decided about come the oldest first', async () => {
    const second = await posted({ at: bench.now + 1 })
    const first = await posted()
    const { events } = await bench.store.notifications.unplanned(9)
    expect(events.map(({ id }) => id)).toEqual([first.id, second.id])
    expect((await bench.store.notifications.unplanned(1)).events).toEqual([first])
  })

  it('what there is to do is told', async () => {
    const { notifications } = bench.store
    expect(await notifications.next(BOTH)).toEqual({ now: bench.now, hasUnplanned: false, nextDueAt: null })
    const made = await posted()
    expect(await notifications.next(BOTH)).toMatchObject({ hasUnplanned: true, nextDueAt: null })
    await notifications.plan([plan(made.id, [delivery('later', { dueAt: bench.now + 7 })])])
    expect(await notifications.next(['mail'])).toEqual({
      now: bench.now,
      hasUnplanned: false,
      nextDueAt: bench.now + 7,
    })
    expect(await notifications.next(['webhook'])).toMatchObject({ nextDueAt: null })
    bench.advance(3 * DAY)
    expect(await notifications.next(['webhook'])).toMatchObject({ nextDueAt: bench.now - 3 * DAY + 7 })
  })

  it('the first decision about an event stays', async () => {
    const made = await mailed()
    await bench.store.notifications.plan([plan(made.id, [delivery(`${made.id}:other`)])])
    await bench.store.notifications.plan([plan(made.id, [], 'flag'), plan('nothing', [delivery('nothing')])])
    expect(await list()).toMatchObject([
      { isPlanned: true, suppression: null, deliveries: [{ id: `${made.id}:mail` }] },
    ])
  })

  it.each(['flag', 'nobody'] as const)('nobody is told of what is suppressed: %s', async (suppression) => {
    const made = await posted()
    await bench.store.notifications.plan([plan(made.id, [], suppression)])
    expect(await claim()).toEqual([])
    expect(await list()).toMatchObject([{ isPlanned: true, suppression, deliveries: [] }])
  })

  describe('claim', () => {
    it('gives what is due, with what it tells', async () => {
      const made = await mailed()
      expect(await claim()).toEqual([
        {
          id: `${made.id}:mail`,
          tenant,
          channel: 'mail',
          webhookId: null,
          attempt: 1,
          isExpired: false,
          events: [made],
          eventCount: 1,
          lastError: null,
        },
      ])
    })

    it('gives nothing that is not due, or that somebody has, until his lease ends', async () => {
      await mailed({ dueAt: bench.now + 1 })
      expect(await claim()).toEqual([])
      bench.advance(1)
      expect(await claim()).toMatchObject([{ attempt: 1 }])
      bench.advance(MINUTE - 1)
      expect(await claim()).toEqual([])
      bench.advance(1)
      expect(await claim()).toMatchObject([{ attempt: 2 }])
    })

    it('gives the longest overdue first, as many as asked for, of the channels asked for', async () => {
      const later = await mailed()
      const hook = await mailed({ channel: 'webhook', webhookId: 'w1', dueAt: bench.now - 2 })
      const early = await mailed({ dueAt: bench.now - 1 })
      expect(await claim({ limit: 0 })).toEqual([])
      expect(await claim({ channels: ['mail'], limit: 1 })).toMatchObject([{ events: [{ id: early.id }] }])
      expect(await claim({ channels: ['webhook'] })).toMatchObject([{ events: [{ id: hook.id }], webhookId: 'w1' }])
      expect(await claim({ channels: [] })).toEqual([])
      expect(await claim()).toMatchObject([{ events: [{ id: later.id }] }])
    })

    it('lets tenants take turns, and leaves out who is to be left out', async () => {
      const own = [await mailed({ dueAt: bench.now - 3 }), await mailed({ dueAt: bench.now - 2 }), await mailed()]
      const other = await posted({ tenant: `${tenant}, another` })
      const hook = { channel: 'webhook', webhookId: 'w1' } as const
      await bench.store.notifications.plan([
        plan(other.id, [delivery(`${other.id}:mail`), delivery(`${other.id}:w1`, hook)]),
      ])
      const taken = await claim({ limit: 2, channels: ['mail'] })
      expect(taken.map(({ id }) => id).sort()).toEqual([`${own[0]?.id}:mail`, `${other.id}:mail`].sort())
      expect(await claim({ except: [tenant] })).toMatchObject([{ id: `${other.id}:w1` }])
      expect(await claim()).toHaveLength(2)
    })

    it('gives what has expired to anybody', async () => {
      await mailed({ expiresAt: bench.now + 1 })
      expect(await claim({ channels: [] })).toEqual([])
      bench.advance(1)
      expect(await claim({ channels: [] })).toMatchObject([{ isExpired: true }])
    })

    it('tells of all that has joined a digest until then; what comes too late is left to be planned', async () => {
      const planners = [await bench.openAnother(), await bench.openAnother(), await bench.openAnother()]
      for (let round = 0; round < 20; round += 1) {
        const digest = delivery(`digest:${bench.uuid()}`, { isDigest: true })
        const posts = Array.from({ length: 12 }, () => event())
        await bench.store.notifications.post(posts)
        let told = 0
        await Promise.all([
          ...posts.map(({ id }, n) => planners[n % 3]!.notifications.plan([plan(id, [digest])])),
          ...Array.from({ length: 6 }, async () => {
            for (const { eventCount } of await claim()) told += eventCount
          }),
        ])
        for (const { eventCount } of await claim()) told += eventCount
        const { events } = await bench.store.notifications.unplanned(99)
        expect(told + events.length).toBe(12)
        await bench.store.notifications.plan(events.map(({ id }) => plan(id, [], 'nobody')))
      }
    })

    it('gives each to one of many who ask at once', async () => {
      for (let n = 0; n < 12; n += 1) await mailed()
      const stores = [bench.store, await bench.openAnother(), await bench.openAnother()]
      const answers = await Promise.all(stores.map(({ notifications }) => notifications.claim(CLAIM)))
      const ids = answers.flatMap(({ deliveries }) => deliveries.map(({ id }) => id))
      for (const { id } of await claim()) ids.push(id)
      expect(new Set(ids).size).toBe(12)
      expect(ids).toHaveLength(12)
    })
  })

  describe('settle', () => {
    it('ends what was sent, and its event was told', async () => {
      const made = await mailed()
      const [held] = await claim()
      bench.advance(5)
      await bench.store.notifications.settle([{ id: held!.id, attempt: 1, ...sent }])
      bench.advance(HOUR)
      expect(await claim()).toEqual([])
      const endedAt = bench.now - HOUR
      const deliveries = [{ id: `${made.id}:mail`, status: 'SENT', attempts: 1, endedAt, lastError: null }]
      expect(await list()).toMatchObject([{ toldAt: endedAt, deliveries }])
    })

    it('lets what could not be sent wait for another try', async () => {
      await mailed()
      const [held] = await claim()
      const retry = { status: 'WAITING', retryInMs: 30_000, error: 'No answer\0.' } as const
      await bench.store.notifications.settle([{ id: held!.id, attempt: 1, ...retry }])
      bench.advance(29_999)
      expect(await claim()).toEqual([])
      bench.advance(1)
      const [again] = await claim()
      expect(again).toMatchObject({ attempt: 2 })
      expect(again?.lastError).toMatch(/^No answer.\.$/)
    })

    it('of who has lost it changes nothing', async () => {
      await mailed()
      const [held] = await claim()
      bench.advance(MINUTE)
      await claim()
      await bench.store.notifications.settle([{ id: held!.id, attempt: 1, ...sent }])
      expect(await list()).toMatchObject([{ toldAt: null, deliveries: [{ status: 'WAITING', attempts: 2 }] }])
      await bench.store.notifications.settle([{ id: held!.id, attempt: 2, ...sent }])
      const late = { id: held!.id, attempt: 2, status: 'WAITING', retryInMs: 1, error: 'late' } as const
      await bench.store.notifications.settle([late])
      expect(await list()).toMatchObject([{ deliveries: [{ status: 'SENT', attempts: 2, lastError: null }] }])
    })

    it('ends what nobody tries any more', async () => {
      await mailed()
      const [held] = await claim()
      const end = { id: held!.id, attempt: 1, status: 'UNDELIVERED', retryInMs: null, error: 'Gone.' } as const
      await bench.store.notifications.settle([end])
      bench.advance(HOUR)
      expect(await claim()).toEqual([])
      const deliveries = [{ status: 'UNDELIVERED', endedAt: bench.now - HOUR, lastError: 'Gone.' }]
      expect(await list()).toMatchObject([{ toldAt: null, deliveries }])
    })
  })

  describe('a digest', () => {
    const digest = () => delivery(`digest:${tenant}`, { isDigest: true, dueAt: bench.now + 5 })

    it('tells of all that joined it before somebody claimed it', async () => {
      const first = await posted()
      await bench.store.notifications.plan([plan(first.id, [digest()])])
      const second = await posted({ at: bench.now + 1 })
      const third = await posted({ at: bench.now + 2 })
      await bench.store.notifications.plan([plan(second.id, [digest()]), plan(third.id, [digest()])])
      expect(await claim()).toEqual([])
      bench.advance(5)
      const [held] = await claim()
      expect(held).toMatchObject({ id: `digest:${tenant}`, eventCount: 3 })
      expect(held?.events).toEqual([first, second, third])
      await bench.store.notifications.settle([{ id: held!.id, attempt: 1, ...sent }])
      expect((await list()).map(({ toldAt }) => toldAt)).toEqual([bench.now, bench.now, bench.now])
    })

    it('that is closed lets nothing in: its event is decided about again', async () => {
      const first = await posted()
      await bench.store.notifications.plan([plan(first.id, [digest()])])
      bench.advance(5)
      await claim()
      const late = await posted()
      const hook = delivery(`${late.id}:w1`, { channel: 'webhook', webhookId: 'w1' })
      await bench.store.notifications.plan([plan(late.id, [digest(), hook])])
      expect((await bench.store.notifications.unplanned(9)).events).toEqual([late])
      const next = delivery(`digest:${tenant}:2`, { isDigest: true })
      await bench.store.notifications.plan([plan(late.id, [next, hook])])
      expect(await claim()).toMatchObject([{ eventCount: 1 }, { eventCount: 1 }])
    })

    it('lists a hundred of what it counts', async () => {
      const events = Array.from({ length: 130 }, (_, n) => event({ at: bench.now + n }))
      await bench.store.notifications.post(events)
      await bench.store.notifications.plan(events.map(({ id }) => plan(id, [digest()])))
      bench.advance(5)
      const [held] = await claim()
      expect(held?.eventCount).toBe(130)
      expect(held?.events).toEqual(events.slice(0, 100))
    })
  })

  it('a list is the newest first, page by page, of the kinds and the job asked for', async () => {
    const made = []
    for (let n = 0; n < 5; n += 1) made.unshift(await posted({ at: bench.now + Math.floor(n / 2), facts: { n } }))
    const closed = await posted({ kind: 'alert.closed', at: bench.now - 1, facts: { jobId: 'j1' } })
    const pages = []
    for (let after: { at: number; id: string } | undefined; ; ) {
      const page = await bench.store.notifications.list({ tenant, limit: 2, after })
      pages.push(...page)
      const last = page.at(-1)
      if (!last) break
      after = { at: last.at, id: last.id }
    }
    expect(pages.map(({ id }) => id)).toEqual([...made, closed].map(({ id }) => id))
    const only = { tenant, limit: 9 }
    expect(await bench.store.notifications.list({ ...only, kinds: ['alert.closed'] })).toMatchObject([
      { id: closed.id },
    ])
    expect(await bench.store.notifications.list({ ...only, jobId: 'j1' })).toMatchObject([{ id: closed.id }])
    expect(await bench.store.notifications.list({ ...only, jobId: 'j2' })).toEqual([])
  })

  it('a summary counts failures, and who was told of them', async () => {
    const { notifications } = bench.store
    const since = bench.now
    await posted({ at: since - 1 })
    await posted({ kind: 'alert.opened' })
    const waiting = await mailed()
    const told = await mailed()
    const lost = await posted()
    await notifications.plan([plan((await posted()).id, [], 'flag'), plan((await posted()).id, [], 'nobody')])
    const hook = delivery(`${lost.id}:w1`, { channel: 'webhook', webhookId: 'w1' })
    await notifications.plan([plan(lost.id, [delivery(`${lost.id}:mail`), hook])])
    for (const { id, attempt, events } of await claim()) {
      if (events[0]?.id === told.id) await notifications.settle([{ id, attempt, ...sent }])
      else if (events[0]?.id === lost.id) {
        await notifications.settle([{ id, attempt, status: 'UNDELIVERED', retryInMs: null, error: 'x' }])
      }
    }
    expect(await notifications.summary(tenant, since)).toEqual({ failures: 5, told: 1, suppressed: 2, undelivered: 1 })
    expect(await notifications.summary(tenant, since + 1)).toMatchObject({ failures: 0, told: 0 })
    expect((await notifications.summary(null, since)).failures).toBeGreaterThanOrEqual(5)
    expect((await list()).find(({ id }) => id === waiting.id)?.deliveries).toHaveLength(1)
  })

  it('what people were told is forgotten after 90 days', async () => {
    await mailed()
    bench.advance(90 * DAY)
    await bench.store.maintain()
    expect(await list()).toHaveLength(1)
    bench.advance(1)
    await bench.store.maintain()
    expect(await list()).toEqual([])
    expect(await claim()).toEqual([])
  })
}
