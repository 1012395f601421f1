import { expect, it } from 'vitest'
import type { NewEntry } from '../../../src/job/activity/history.ts'
import type { NewSignal } from '../../../src/store/histories.ts'
import type { ClaimedExecution, Held } from '../../../src/store/leases.ts'
import type { EngineStore } from '../../../src/store/store.ts'
import { type Bench, failure, LEASE_MS, MINUTE, success } from './bench.ts'
import { begun, heldOf, item, run, settled } from './durable-entries.ts'

const TOGETHER = 4

/** What holds of durable executions when several processes act at once. */
export function describeDurableRaces(bench: Bench, rounds: number): void {
  const others: EngineStore[] = []
  async function stores(count: number): Promise<readonly EngineStore[]> {
    while (others.length < count) others.push(await bench.openAnother())
    return others.slice(0, count)
  }

  /** Several runs that one node holds. */
  async function runs(count = TOGETHER): Promise<readonly ClaimedExecution[]> {
    await bench.store.executions.enqueue(Array.from({ length: count }, () => run(bench)))
    return await bench.claim(await bench.node())
  }

  const claimRequest = (nodeId: string) =>
    ({ nodeId, limit: 100, queues: ['default'], jobTypes: ['import'], aged: 0 }) as const

  const parks = (held: readonly Held[], dueAt: number | null = null) => held.map((each) => ({ ...heldOf(each), dueAt }))

  const signals = (held: readonly Held[], change: Partial<NewSignal> = {}): NewSignal[] =>
    held.map(({ executionId }) => ({ executionId, name: 'go', payload: null, idempotencyKey: null, ...change }))

  /** What runs for which something has come must not do: wait without knowing of it. */
  async function expectAwake(held: readonly Held[]): Promise<readonly Held[]> {
    const found = await bench.store.executions.find(held.map(({ executionId }) => executionId))
    expect(found.filter(({ status }) => status === 'WAITING')).toEqual([])
    const ready = await bench.claim(await bench.node())
    const nodes = new Set(found.flatMap(({ nodeId }) => nodeId ?? []))
    const leases = (await Promise.all(Array.from(nodes, (nodeId) => bench.store.leases.held(nodeId)))).flat()
    // Those that still run are marked; the others are read when they are taken up.
    const stillHeld = leases.filter(({ executionId }) => held.some((each) => each.executionId === executionId))
    expect(stillHeld.filter(({ hasNews }) => !hasNews)).toEqual([])
    expect(stillHeld.length + ready.length).toBe(held.length)
    return [...stillHeld, ...ready].map(heldOf)
  }

  /** Lets two act at once, one a little earlier in every other round. */
  async function atOnce<A, B>(round: number, one: () => Promise<A>, other: () => Promise<B>): Promise<readonly [A, B]> {
    if (round % 2 === 0) return await Promise.all([one(), other()])
    const later = other()
    return await Promise.all([one(), later])
  }

  it('a signal that comes while its run parks is not slept through', async () => {
    const [one, other] = await stores(2)
    for (let round = 0; round < rounds; round++) {
      const held = await runs()
      await atOnce(
        round,
        () => one!.histories.park(parks(held)),
        () => other!.histories.signal(signals(held)),
      )
      const awake = await expectAwake(held)
      const news = await bench.store.histories.news(awake)
      expect(news.map((each) => each.signals.length)).toEqual(held.map(() => 1))
      await bench.empty()
    }
  })

  it('the end of a child that comes while its run parks is not slept through', async () => {
    const [one, other] = await stores(2)
    for (let round = 0; round < rounds; round++) {
      const held = await runs()
      const children = held.map((parent) => {
        const child = bench.execution()
        const entries: NewEntry[] = [settled(1, { kind: 'start', childId: child.body.id })]
        return { ...heldOf(parent), entries, child }
      })
      await bench.store.histories.startChildren(children)
      const claimed = await bench.claim(await bench.node())
      const failed = { status: 'FAILED', error: failure } as const
      await atOnce(
        round,
        () => one!.histories.park(parks(held)),
        () => other!.leases.finish(claimed.map((each) => success(each, round % 3 === 0 ? failed : {}))),
      )
      const news = await bench.store.histories.news(await expectAwake(held))
      expect(news.map((each) => each.children.length)).toEqual(held.map(() => 1))
      await bench.empty()
    }
  })

  it('a cancellation that comes while its run parks is not slept through', async () => {
    const [one, other] = await stores(2)
    for (let round = 0; round < rounds; round++) {
      const held = await runs()
      const [, answers] = await atOnce(
        round,
        () => one!.histories.park(parks(held)),
        () => other!.executions.cancel(held.map(({ executionId: id }) => ({ id, reason: 'race' }))),
      )
      expect(answers).toEqual(held.map(() => 'cancelling'))
      const awake = await expectAwake(held)
      const news = await bench.store.histories.news(awake)
      expect(news.map(({ cancellation }) => cancellation?.reason)).toEqual(held.map(() => 'race'))
      expect(await bench.store.leases.finish(awake.map((each) => success(each)))).toEqual([])
      await bench.empty()
    }
  })

  it('what comes while a run asks for news is in them, or marks it again', async () => {
    const [one, other] = await stores(2)
    for (let round = 0; round < rounds; round++) {
      const held = await runs()
      await bench.store.histories.wake(held.map(({ executionId }) => executionId))
      const [news] = await atOnce(
        round,
        () => one!.histories.news(held.map(heldOf)),
        () => other!.histories.signal(signals(held)),
      )
      const unheard = news.filter((each) => each.signals.length === 0).map(heldOf)
      const answers = await bench.store.histories.park(parks(unheard))
      expect(answers).toEqual(unheard.map(() => 'news'))
      await bench.empty()
    }
  })

  it('what comes while a run begins anew marks it', async () => {
    const [one, other] = await stores(2)
    for (let round = 0; round < rounds; round++) {
      const held = await runs()
      const entry = begun(0, { kind: 'input', status: 'COMPLETED' })
      await atOnce(
        round,
        () => one!.histories.continueAs(held.map((each) => ({ ...heldOf(each), entry }))),
        () => other!.histories.signal(signals(held)),
      )
      expect(await bench.store.histories.park(parks(held))).toEqual(held.map(() => 'news'))
      await bench.empty()
    }
  })

  it('what is recorded while a run is lost is there for who takes it up, or was refused', async () => {
    const [one, other] = await stores(2)
    for (let round = 0; round < rounds; round++) {
      const held = await runs()
      const nodeId = await bench.node({ leaseMs: 10 * LEASE_MS })
      bench.advance(LEASE_MS + 1)
      const [answers, loaded] = await atOnce(
        round,
        () => one!.histories.record(held.map((each) => item(each, settled(1)))),
        async () => {
          await other!.leases.recover({ silentForMs: null, limit: 99 })
          const { executions } = await other!.leases.claim(claimRequest(nodeId))
          return await other!.histories.load(executions.map(heldOf))
        },
      )
      for (const [index, { executionId }] of held.entries()) {
        const seen = loaded.find((each) => each.executionId === executionId)?.entries.length
        // A claim skips what others are just writing to; what it took stands as it was seen.
        if (seen !== undefined) expect(seen).toBe(answers[index] === 'recorded' ? 1 : 0)
        expect(await bench.store.histories.read(executionId)).toHaveLength(answers[index] === 'recorded' ? 1 : 0)
      }
      await bench.empty()
    }
  })

  it('a child is started by who holds its run, or not at all', async () => {
    const [one, other] = await stores(2)
    for (let round = 0; round < rounds; round++) {
      const held = await runs()
      bench.advance(LEASE_MS + 1)
      const starts = held.map((parent) => {
        const child = bench.execution({ jobType: 'export' })
        return { ...heldOf(parent), entries: [begun(1, { childId: child.body.id })], child }
      })
      const [answers] = await atOnce(
        round,
        () => one!.histories.startChildren(starts),
        () => other!.leases.recover({ silentForMs: null, limit: 99 }),
      )
      for (const [index, { executionId, child }] of starts.entries()) {
        const expected = answers[index] ? 1 : 0
        expect(await bench.store.histories.read(executionId)).toHaveLength(expected)
        expect(await bench.store.executions.find([child.body.id])).toHaveLength(expected)
      }
      await bench.empty()
    }
  })

  it('a run that is cancelled while it ends has ended, or has been told', async () => {
    const [one, other] = await stores(2)
    for (let round = 0; round < rounds; round++) {
      const held = await runs()
      const [finished, answers] = await atOnce(
        round,
        () => one!.leases.finish(held.map((each) => success(each))),
        () => other!.executions.cancel(held.map(({ executionId: id }) => ({ id, reason: null }))),
      )
      for (const [index, { executionId }] of held.entries()) {
        const isFinished = finished.includes(executionId)
        expect(answers[index]).toBe(isFinished ? 'final' : 'cancelling')
        expect((await bench.find(executionId)).status).toBe(isFinished ? 'SUCCESS' : 'RUNNING')
      }
      const told = held.filter(({ executionId }) => !finished.includes(executionId))
      const news = await bench.store.histories.news(told.map(heldOf))
      expect(news.map(({ cancellation }) => cancellation?.reason)).toEqual(told.map(() => null))
      const cancelled = told.map((each) => success(each, { status: 'CANCELLED', error: failure }))
      expect(await bench.store.leases.finish(cancelled)).toHaveLength(told.length)
      await bench.empty()
    }
  })

  it('a run that is cancelled while it is taken up can only end as CANCELLED', async () => {
    const [one, other] = await stores(2)
    for (let round = 0; round < rounds; round++) {
      const before = await runs()
      await bench.store.leases.release(before.map(heldOf))
      const nodeId = await bench.node()
      const [{ executions }, answers] = await atOnce(
        round,
        () => one!.leases.claim(claimRequest(nodeId)),
        () => other!.executions.cancel(before.map(({ executionId: id }) => ({ id, reason: null }))),
      )
      expect(answers).toEqual(before.map(() => 'cancelling'))
      const taken = [...executions, ...(await bench.claim(nodeId))]
      expect(taken).toHaveLength(before.length)
      expect(await bench.store.leases.finish(taken.map((each) => success(each)))).toEqual([])
      await bench.empty()
    }
  })

  it('the same signal from many processes at once is kept once', async () => {
    const senders = await stores(6)
    for (let round = 0; round < rounds; round++) {
      const held = await runs()
      const keyed = signals(held, { idempotencyKey: 'k' })
      const answers = await Promise.all(
        senders.map((store, index) => store.histories.signal(index % 2 ? keyed : keyed.toReversed())),
      )
      expect(new Set(answers.flat())).toEqual(new Set(['sent']))
      const news = await bench.store.histories.news(held.map(heldOf))
      expect(news.map((each) => each.signals.length)).toEqual(held.map(() => 1))
      await bench.empty()
    }
  })

  it('a run that waits is made ready once, whoever wakes it', async () => {
    const [one, other, third, fourth] = await stores(4)
    for (let round = 0; round < rounds; round++) {
      const held = await runs()
      const ids = held.map(({ executionId }) => executionId)
      await bench.store.histories.park(parks(held, bench.now))
      const nodeId = await bench.node()
      const [, , , { executions }] = await Promise.all([
        one!.leases.promote(99),
        other!.histories.wake(ids),
        third!.histories.signal(signals(held.toReversed())),
        fourth!.leases.claim(claimRequest(nodeId)),
      ])
      const taken = [...executions, ...(await bench.claim(nodeId))]
      expect(taken.map(({ executionId }) => executionId).sort()).toEqual([...ids].sort())
      expect(new Set(taken.map(({ epoch, attempt }) => `${epoch} ${attempt}`))).toEqual(new Set(['2 1']))
      const news = await bench.store.histories.news(taken.map(heldOf))
      expect(news.map((each) => each.signals.length)).toEqual(held.map(() => 1))
      await bench.empty()
    }
  })

  it('a run is ended or parked, not both', async () => {
    const [one, other] = await stores(2)
    for (let round = 0; round < rounds; round++) {
      const held = await runs()
      const [answers, cancelled] = await atOnce(
        round,
        () => one!.histories.park(parks(held, bench.now + MINUTE)),
        () => other!.executions.cancel(held.map(({ executionId: id }) => ({ id, reason: null, force: true }))),
      )
      expect(cancelled).toEqual(held.map(() => 'cancelled'))
      const found = await bench.store.executions.find(held.map(({ executionId }) => executionId))
      expect(new Set(found.map(({ status }) => status))).toEqual(new Set(['CANCELLED']))
      expect(answers.every((answer) => answer !== 'news')).toBe(true)
      expect(await bench.store.executions.count()).toEqual({ QUEUED: 0, WAITING: 0, RUNNING: 0, DIVERGED: 0 })
      await bench.empty()
    }
  })

  it('ends of children of the same runs in opposite orders do not block each other', async () => {
    const [one, other] = await stores(2)
    const held = await runs(20)
    const starts = held.flatMap((parent) =>
      [1, 2].map((sequence) => {
        const child = bench.execution()
        return { ...heldOf(parent), entries: [begun(sequence, { childId: child.body.id })], child }
      }),
    )
    await bench.store.histories.startChildren(starts)
    const claimed = await bench.claim(await bench.node())
    const parentOf = new Map(starts.map(({ executionId, child }) => [child.body.id, executionId]))
    const firsts = new Map<string, ClaimedExecution>()
    for (const each of claimed) firsts.set(parentOf.get(each.executionId) ?? '', each)
    const first = claimed.filter((each) => firsts.get(parentOf.get(each.executionId) ?? '') === each)
    const second = claimed.filter((each) => !first.includes(each))
    await Promise.all([
      one!.leases.finish(first.map((each) => success(each))),
      other!.leases.finish(second.toReversed().map((each) => success(each))),
      bench.store.histories.signal(signals(held.toReversed())),
    ])
    const news = await bench.store.histories.news(await expectAwake(held))
    expect(news.map((each) => each.children.length)).toEqual(held.map(() => 2))
  })
}
