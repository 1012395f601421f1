import { describe, expect, it } from 'vitest'
import type { NewEntry } from '../../../src/job/activity/history.ts'
import { type Bench, HOUR, success } from './bench.ts'
import { ABSENT, begun, heldOf, item, lostAndTaken, MISMATCH, run, running, settled, taken } from './durable-entries.ts'

/** Runs that go on from an earlier point. */
export function describeRestarts(bench: Bench): void {
  /** A run with a history that is DIVERGED. */
  async function diverged(...entries: readonly NewEntry[]) {
    const held = await running(bench)
    await bench.store.histories.record([item(held, ...entries)])
    await bench.store.histories.diverge([{ ...heldOf(held), divergence: MISMATCH }])
    return held
  }

  /** The execution that a run has started in its call 1, as another one holds it. */
  async function childOf(parent: { executionId: string; epoch: number; nodeId: string }) {
    const child = bench.execution()
    const entries = [settled(1, { kind: 'start', childId: child.body.id })]
    await bench.store.histories.startChildren([{ ...heldOf(parent), entries, child }])
    return await bench.claimOne(parent.nodeId)
  }

  const kept: [string, NewEntry, Partial<NewEntry> | null][] = [
    ['what was called before', settled(2, { calls: 2 }), { calls: 2 }],
    ['what was settled after the call that is gone, as of then', settled(1, { calls: 9 }), { calls: 2 }],
    ['what was under way', begun(2, { dueAt: 5, attempt: 3, error: '1' }), { dueAt: 5, attempt: 3, error: '1' }],
    ['the input it goes on with', begun(0, { kind: 'input', input: '1' }), { kind: 'input', input: '1' }],
    ['a cancellation before it', settled(-1, { kind: 'cancellation', calls: 2 }), { calls: 2 }],
    ['a changed path', settled(-2, { kind: 'patch', calls: 0 }), { kind: 'patch' }],
    ['not the call itself', settled(3), null],
    ['nothing that was called later', begun(4), null],
    ['no cancellation after it', settled(-1, { kind: 'cancellation', calls: 3 }), null],
  ]

  describe('cut', () => {
    it.each(kept)('keeps %s', async (_what, entry, expected) => {
      const held = await diverged(entry, settled(5))
      const { histories } = bench.store
      expect(await histories.cut(held.executionId, 3)).toBe(true)
      const left = await histories.read(held.executionId)
      expect(left).toEqual(expected === null ? [] : [{ ...entry, ...expected, replayed: 0 }])
      expect(await bench.find(held.executionId)).toMatchObject({ status: 'QUEUED', error: null, dueAt: null })
      expect(await taken(bench)).toMatchObject({ executionId: held.executionId, attempt: 1, epoch: 2 })
    })

    it('leaves alone what is not DIVERGED', async () => {
      const held = await running(bench)
      const { histories, leases } = bench.store
      await histories.record([item(held, settled(1))])
      expect(await histories.cut(held.executionId, 1)).toBe(false)
      await histories.park([{ ...heldOf(held), dueAt: null }])
      expect(await histories.cut(held.executionId, 1)).toBe(false)
      await histories.wake([held.executionId])
      await leases.finish([success(await taken(bench))])
      expect(await histories.cut(held.executionId, 1)).toBe(false)
      expect(await histories.cut(ABSENT, 1)).toBe(false)
      expect(await histories.read(held.executionId)).toHaveLength(1)
    })

    it('a child whose end was seen later is to be seen again, one that was started later is forgotten', async () => {
      const { histories, leases } = bench.store
      const held = await running(bench)
      const child = await childOf(held)
      const { executionId: childId } = child
      await leases.finish([success(child, { output: '7' })])
      const later = bench.execution()
      await histories.startChildren([
        { ...heldOf(held), entries: [settled(3, { kind: 'start', childId: later.body.id })], child: later },
      ])
      await histories.record([item(held, settled(2, { kind: 'child', childId, takesChild: childId }))])
      await histories.diverge([{ ...heldOf(held), divergence: MISMATCH }])
      await histories.cut(held.executionId, 2)
      const claimed = await bench.claim(held.nodeId)
      const next = claimed.find(({ executionId }) => executionId === held.executionId)!
      await leases.finish(claimed.filter((each) => each !== next).map((each) => success(each)))
      expect(await histories.load([heldOf(next)])).toMatchObject([
        { children: [{ executionId: childId, status: 'SUCCESS', output: '7' }] },
      ])
    })

    it('a child whose end is seen in what is left is not told of again', async () => {
      const { histories, leases } = bench.store
      const held = await running(bench)
      const child = await childOf(held)
      const { executionId: childId } = child
      await leases.finish([success(child)])
      await histories.record([item(held, settled(2, { kind: 'child', childId, takesChild: childId }))])
      await histories.diverge([{ ...heldOf(held), divergence: MISMATCH }])
      await histories.cut(held.executionId, 3)
      expect(await histories.load([heldOf(await taken(bench))])).toMatchObject([{ children: [] }])
    })

    it('a child that is gone counts as CANCELLED', async () => {
      const { histories, leases, executions } = bench.store
      const held = await running(bench)
      const child = await childOf(held)
      const { executionId: childId } = child
      await leases.finish([success(child)])
      await histories.record([item(held, settled(2, { kind: 'child', childId, takesChild: childId }))])
      await executions.purge(bench.now + 1, 9)
      await histories.diverge([{ ...heldOf(held), divergence: MISMATCH }])
      await histories.cut(held.executionId, 2)
      expect(await histories.load([heldOf(await taken(bench))])).toMatchObject([
        { children: [{ executionId: childId, status: 'CANCELLED', attempt: 0, output: null, error: null }] },
      ])
    })
  })

  describe('fork', () => {
    it.each(kept)('begins with %s', async (_what, entry, expected) => {
      const { histories, leases } = bench.store
      const held = await running(bench)
      await histories.record([item(held, entry, settled(5))])
      await leases.finish([success(held)])
      const forked = run(bench, { options: { seed: held.executionId } })
      expect(await histories.fork(held.executionId, 3, forked)).toBe(true)
      expect(await histories.read(forked.body.id)).toEqual(
        expected === null ? [] : [{ ...entry, ...expected, replayed: 0 }],
      )
      expect(await histories.read(held.executionId)).toHaveLength(2)
      expect(await bench.find(forked.body.id)).toMatchObject({ status: 'QUEUED', attempt: 0, epoch: 0 })
    })

    it('whoever takes it up first replays it', async () => {
      const { histories, leases } = bench.store
      const held = await running(bench)
      await histories.record([item(held, settled(1), settled(2))])
      await leases.finish([success(held)])
      const forked = run(bench)
      await histories.fork(held.executionId, 2, forked)
      const next = await taken(bench)
      expect(next).toMatchObject({ executionId: forked.body.id, attempt: 1, epoch: 1 })
      expect(await histories.load([heldOf(next)])).toMatchObject([
        { entries: [{ sequence: 1 }], lostSinceProgress: 0, signals: [], children: [], cancellation: null },
      ])
      expect(await histories.read(forked.body.id)).toMatchObject([{ replayed: 1 }])
    })

    it('of an unknown one stores nothing', async () => {
      const forked = run(bench)
      expect(await bench.store.histories.fork(ABSENT, 1, forked)).toBe(false)
      expect(await bench.store.executions.find([forked.body.id])).toEqual([])
    })

    it('asked again, the one that is there is left alone', async () => {
      const { histories, leases } = bench.store
      const held = await running(bench)
      await histories.record([item(held, settled(1), settled(2))])
      await leases.finish([success(held)])
      const forked = run(bench, { runAt: bench.now + HOUR })
      await histories.fork(held.executionId, 2, forked)
      expect(await histories.fork(held.executionId, 3, forked)).toBe(true)
      expect(await histories.read(forked.body.id)).toHaveLength(1)
      expect((await bench.find(forked.body.id)).dueAt).toBe(bench.now + HOUR)
    })

    it('waits for the child that was started, and starts an activity anew that another execution was doing', async () => {
      const { histories, leases } = bench.store
      const held = await running(bench)
      const child = await childOf(held)
      const routed = bench.execution({ runAt: bench.now + 9 * HOUR })
      await histories.startChildren([
        { ...heldOf(held), entries: [begun(2, { childId: routed.body.id })], child: routed },
      ])
      const wait = begun(3, { kind: 'child', childId: child.executionId })
      await histories.record([item(held, wait)])
      await leases.finish([success(held)])
      const forked = run(bench)
      await histories.fork(held.executionId, 4, forked)
      expect((await histories.read(forked.body.id)).map(({ childId }) => childId)).toEqual([
        child.executionId,
        null,
        child.executionId,
      ])
      const next = await taken(bench)
      expect(await histories.load([heldOf(next)])).toMatchObject([{ children: [] }])
      await leases.finish([success(child, { output: '5' })])
      expect(await leases.held(next.nodeId)).toEqual([{ ...heldOf(next), hasNews: true }])
      expect(await histories.news([heldOf(next)])).toMatchObject([
        { children: [{ executionId: child.executionId, output: '5' }] },
      ])
    })

    it('survives its model', async () => {
      const { histories, leases, executions } = bench.store
      const held = await running(bench)
      await histories.record([item(held, settled(1))])
      await leases.finish([success(held)])
      const forked = run(bench)
      await histories.fork(held.executionId, 2, forked)
      expect(await executions.purge(bench.now + 1, 9)).toBe(1)
      const next = await taken(bench)
      await histories.record([item(next, settled(2))])
      expect(await histories.load([heldOf(await lostAndTaken(bench))])).toMatchObject([
        { entries: [{ sequence: 1 }, { sequence: 2 }] },
      ])
    })
  })
}
