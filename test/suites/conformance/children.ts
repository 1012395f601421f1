import { describe, expect, it } from 'vitest'
import type { ClaimedExecution } from '../../../src/store/leases.ts'
import { type Bench, failure, HOUR, success } from './bench.ts'
import { ABSENT, begun, heldOf, item, lostAndTaken, MISMATCH, run, running, settled, taken } from './durable-entries.ts'

/** Executions that a durable one has started. */
export function describeChildren(bench: Bench): void {
  type Changes = Parameters<Bench['execution']>[0]

  /** A run that has started one child, and that child, which somebody runs. */
  async function family(change: Changes = {}) {
    const parent = await running(bench)
    const child = bench.execution({ ...change, options: { ...change?.options, parent: parent.executionId } })
    await start(parent, child.body.id, child)
    const claimed = await bench.claimOne(parent.nodeId)
    return { parent, child: claimed, childId: child.body.id }
  }

  async function start(
    parent: { executionId: string; epoch: number },
    childId: string,
    child = bench.execution({ id: childId }),
  ) {
    const entry = settled(1, { kind: 'start', name: 'import', childId })
    return await bench.store.histories.startChildren([{ ...heldOf(parent), entries: [entry], child }])
  }

  const endsFor = async (held: { executionId: string; epoch: number }) =>
    (await bench.store.histories.news([heldOf(held)]))[0]?.children

  describe('startChildren', () => {
    it('stores the child together with what its run records', async () => {
      const parent = await running(bench)
      const { histories } = bench.store
      const child = bench.execution({ options: { parent: parent.executionId }, payload: '{"x":1}' })
      const entries = [begun(1), settled(2, { kind: 'start', childId: child.body.id })]
      expect(await histories.startChildren([{ ...heldOf(parent), entries, child }])).toEqual([true])
      expect(await histories.read(parent.executionId)).toMatchObject([
        { sequence: 1 },
        { sequence: 2, childId: child.body.id },
      ])
      expect(await bench.find(child.body.id)).toMatchObject({
        status: 'QUEUED',
        payload: '{"x":1}',
        options: { parent: parent.executionId },
        after: [],
      })
      // The run stands behind nobody.
      expect((await bench.find(parent.executionId)).after).toEqual([])
      expect(await bench.store.executions.predecessors(parent.executionId)).toEqual([])
      const chain = await bench.store.executions.chain(parent.executionId, 9)
      expect(chain?.links).toEqual([])
    })

    it('stores nothing where the run is not held', async () => {
      const { histories, executions } = bench.store
      const parent = await running(bench)
      const [lost, kept, unknown] = [run(bench), run(bench, { delayMs: HOUR }), run(bench)]
      const entries = [settled(1, { kind: 'start' })]
      const answers = await histories.startChildren([
        { ...heldOf(parent), epoch: 2, entries, child: lost },
        { ...heldOf(parent), entries, child: kept },
        { executionId: ABSENT, epoch: 1, entries, child: unknown },
      ])
      expect(answers).toEqual([false, true, false])
      expect(await executions.find([lost.body.id, kept.body.id, unknown.body.id])).toMatchObject([
        { id: kept.body.id, dueAt: bench.now + HOUR },
      ])
      expect(await histories.startChildren([])).toEqual([])
    })

    it('knows the tenant of a child from then on that it was asked for', async () => {
      const tenant = `asked-${bench.now}`
      const parent = await running(bench)
      const child = bench.execution({ tenant })
      const asked = { ...heldOf(parent), epoch: 2, entries: [settled(1, { kind: 'start' })], child }
      expect(await bench.store.histories.startChildren([asked])).toEqual([false])
      const known = await bench.store.tenants.list({ limit: 100_000 })
      expect(known.map((each) => each.tenant)).toContain(tenant)
    })

    it('asked again, the child that is there counts as started', async () => {
      const parent = await running(bench)
      const childId = bench.uuid()
      expect(await start(parent, childId)).toEqual([true])
      expect(await start(parent, childId)).toEqual([true])
      const claimed = await bench.claim(parent.nodeId)
      expect(claimed).toHaveLength(1)
      await bench.store.leases.finish([success(claimed[0]!)])
      expect(await endsFor(parent)).toHaveLength(1)
    })

    it('leaves an entry that is settled as it is', async () => {
      const parent = await running(bench)
      const { histories } = bench.store
      const child = bench.execution({ options: { parent: parent.executionId } })
      await histories.record([item(parent, settled(1))])
      const entries = [begun(1), settled(2, { kind: 'start', childId: child.body.id })]
      expect(await histories.startChildren([{ ...heldOf(parent), entries, child }])).toEqual([true])
      expect(await histories.read(parent.executionId)).toMatchObject([settled(1), { kind: 'start' }])
    })

    it('what a durable follower stands behind is told as before', async () => {
      const { histories, leases, executions } = bench.store
      const first = await bench.running()
      const follower = run(bench, { after: [{ id: first.executionId, on: 'success' }] })
      await executions.enqueue([follower])
      await leases.finish([success(first)])
      const parent = { ...(await bench.claimOne(first.nodeId)), nodeId: first.nodeId }
      for (let sequence = 0; sequence < 3; sequence++) {
        const child = bench.execution()
        const entries = [settled(sequence, { kind: 'start', childId: child.body.id })]
        expect(await histories.startChildren([{ ...heldOf(parent), entries, child }])).toEqual([true])
      }
      expect((await bench.find(parent.executionId)).after).toEqual([{ id: first.executionId, on: 'success' }])
      expect(await executions.predecessors(parent.executionId)).toHaveLength(1)
    })
  })

  describe('the end of a child', () => {
    const ends: [string, Partial<Parameters<typeof success>[1]>, object][] = [
      ['SUCCESS', { output: '{"rows":3}' }, { status: 'SUCCESS', output: '{"rows":3}', error: null }],
      ['FAILED', { status: 'FAILED', error: failure }, { status: 'FAILED', output: null, error: failure }],
      ['TIMEOUT', { status: 'TIMEOUT', error: failure }, { status: 'TIMEOUT', output: null, error: failure }],
    ]
    it.each(ends)('as %s is news for its run, until that takes note of it', async (_status, ending, expected) => {
      const { parent, child, childId } = await family()
      const { histories, leases } = bench.store
      expect(await endsFor(parent)).toEqual([])
      expect(await leases.held(parent.nodeId)).toContainEqual({ ...heldOf(parent), hasNews: false })
      await leases.finish([success(child, ending)])
      expect(await leases.held(parent.nodeId)).toEqual([{ ...heldOf(parent), hasNews: true }])
      expect(await endsFor(parent)).toMatchObject([{ executionId: childId, attempt: 1, ...expected }])
      await histories.record([item(parent, settled(2, { kind: 'child', childId, takesChild: childId }))])
      expect(await endsFor(parent)).toEqual([])
    })

    it('by cancellation, and by a lost node, is news too', async () => {
      const cancelled = await family()
      await bench.store.executions.cancel([{ id: cancelled.childId, reason: 'Enough.' }])
      expect(await endsFor(cancelled.parent)).toMatchObject([
        { executionId: cancelled.childId, status: 'CANCELLED', error: { message: 'Enough.' } },
      ])
      await bench.empty()

      const lost = await family({ maxAttempts: 1 })
      bench.advance(HOUR)
      await bench.store.leases.recover({ silentForMs: null, limit: 9 })
      const next = await taken(bench)
      expect(next.executionId).toBe(lost.parent.executionId)
      expect(await bench.store.histories.load([heldOf(next)])).toMatchObject([
        { children: [{ executionId: lost.childId, status: 'FAILED', attempt: 1 }] },
      ])
    })

    it('by removal counts as CANCELLED', async () => {
      const job = bench.job()
      await bench.put(job)
      const { parent, childId } = await family({ jobId: job.id })
      await bench.store.jobs.remove([job.id])
      expect(await endsFor(parent)).toEqual([
        { executionId: childId, status: 'CANCELLED', attempt: 0, output: null, error: null },
      ])
    })

    it('wakes its run where that waits, without a spent attempt', async () => {
      const { parent, child, childId } = await family()
      const { histories, leases } = bench.store
      await histories.park([{ ...heldOf(parent), dueAt: null }])
      await leases.finish([success(child)])
      expect((await bench.find(parent.executionId)).status).toBe('QUEUED')
      const next = await taken(bench)
      expect(next).toMatchObject({ executionId: parent.executionId, attempt: 1, epoch: 2 })
      expect(await endsFor(next)).toMatchObject([{ executionId: childId, status: 'SUCCESS' }])
    })

    it('leaves a run alone that is DIVERGED, has ended, or is gone', async () => {
      const { histories, leases, executions } = bench.store
      const diverged = await family()
      await histories.diverge([{ ...heldOf(diverged.parent), divergence: MISMATCH }])
      await leases.finish([success(diverged.child)])
      expect((await bench.find(diverged.parent.executionId)).status).toBe('DIVERGED')

      const ended = await family()
      await leases.finish([success(ended.parent)])
      await executions.purge(bench.now + 1, 1)
      await leases.finish([success(ended.child)])
      expect((await bench.find(ended.childId)).status).toBe('SUCCESS')
    })

    it('one that is a follower of others too moves those on, and its run', async () => {
      const { parent, child, childId } = await family()
      const follower = bench.execution({ after: [{ id: childId, on: 'success' }] })
      await bench.store.executions.enqueue([follower])
      await bench.store.leases.finish([success(child)])
      expect((await bench.find(follower.body.id)).status).toBe('QUEUED')
      expect(await endsFor(parent)).toHaveLength(1)
    })

    it('is kept from the purge until its run has taken note of it, or has ended', async () => {
      const { histories, leases, executions } = bench.store
      const { parent, child, childId } = await family()
      await leases.finish([success(child, { output: '1' })])
      expect(await executions.purge(bench.now + 1, 9)).toBe(0)
      await histories.record([item(parent, settled(2, { kind: 'child', childId, takesChild: childId }))])
      expect(await executions.purge(bench.now + 1, 9)).toBe(1)

      const other = await family()
      await leases.finish([success(other.child)])
      await leases.finish([success(other.parent)])
      expect(await executions.purge(bench.now + 1, 9)).toBe(2)
    })

    it('many ends are told at once, by id', async () => {
      const parent = await running(bench)
      const { histories, leases, executions } = bench.store
      const children = Array.from({ length: 50 }, () => bench.execution())
      await histories.startChildren(
        children.map((child, index) => ({
          ...heldOf(parent),
          entries: [settled(index + 1, { kind: 'start', childId: child.body.id })],
          child,
        })),
      )
      const claimed: readonly ClaimedExecution[] = await bench.claim(parent.nodeId)
      await leases.finish(claimed.toReversed().map((each) => success(each)))
      expect((await endsFor(parent))?.map(({ executionId }) => executionId)).toEqual(
        children.map(({ body }) => body.id).sort(),
      )
      expect(await executions.count()).toMatchObject({ RUNNING: 1 })
    })
  })

  it('continueAs forgets the children', async () => {
    const { parent, child } = await family()
    const { histories, leases } = bench.store
    const entry = begun(0, { kind: 'input', status: 'COMPLETED' })
    await histories.continueAs([{ ...heldOf(parent), entry }])
    await leases.finish([success(child)])
    expect(await endsFor(parent)).toEqual([])
    expect(await histories.load([heldOf(await lostAndTaken(bench))])).toMatchObject([{ children: [] }])
  })
}
