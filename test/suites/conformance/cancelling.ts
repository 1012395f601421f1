import { describe, expect, it } from 'vitest'
import type { FinalStatus } from '../../../src/job/execution/execution.ts'
import { type Bench, failure, HOUR, success } from './bench.ts'
import { begun, heldOf, item, lostAndTaken, MISMATCH, run, running, settled, taken } from './durable-entries.ts'

/** How durable executions are cancelled: they end themselves. */
export function describeCancelling(bench: Bench): void {
  const cancel = async (id: string, reason: string | null = 'Not needed.', force?: boolean) =>
    (await bench.store.executions.cancel([{ id, reason, force }]))[0]

  it('one that runs is told, and goes on', async () => {
    const held = await running(bench)
    const { histories, leases } = bench.store
    const requestedAt = bench.now
    expect(await cancel(held.executionId)).toBe('cancelling')
    expect((await bench.find(held.executionId)).status).toBe('RUNNING')
    expect(await leases.held(held.nodeId)).toEqual([{ ...heldOf(held), hasNews: true }])
    expect(await histories.news([heldOf(held)])).toMatchObject([
      { cancellation: { reason: 'Not needed.', requestedAt } },
    ])
    expect(await histories.record([item(held, settled(1))])).toEqual(['recorded'])
    // What it does to clean up may wait, too.
    expect(await histories.park([{ ...heldOf(held), dueAt: bench.now + HOUR }])).toEqual(['parked'])
  })

  it('asked again, the first word stands, and nobody is woken', async () => {
    const held = await running(bench)
    const { histories } = bench.store
    const requestedAt = bench.now
    await cancel(held.executionId, 'First.')
    await histories.news([heldOf(held)])
    bench.advance(5)
    expect(await cancel(held.executionId, 'Second.')).toBe('cancelling')
    expect(await histories.park([{ ...heldOf(held), dueAt: null }])).toEqual(['parked'])
    expect(await cancel(held.executionId, 'Third.')).toBe('cancelling')
    expect((await bench.find(held.executionId)).status).toBe('WAITING')
    await histories.wake([held.executionId])
    expect(await histories.load([heldOf(await taken(bench))])).toMatchObject([
      { cancellation: { reason: 'First.', requestedAt } },
    ])
  })

  it('one that waits is ready, to clean up', async () => {
    const held = await running(bench)
    const { histories } = bench.store
    await histories.park([{ ...heldOf(held), dueAt: bench.now + HOUR }])
    expect(await cancel(held.executionId, null)).toBe('cancelling')
    const next = await taken(bench)
    expect(next).toMatchObject({ executionId: held.executionId, attempt: 1, epoch: 2 })
    expect(await histories.news([heldOf(next)])).toMatchObject([{ cancellation: { reason: null } }])
  })

  it('one that was given back learns of it when it is taken up', async () => {
    const held = await running(bench)
    const { histories, leases } = bench.store
    await leases.release([heldOf(held)])
    expect(await cancel(held.executionId)).toBe('cancelling')
    expect((await bench.find(held.executionId)).status).toBe('QUEUED')
    expect(await histories.load([heldOf(await taken(bench))])).toMatchObject([
      { cancellation: { reason: 'Not needed.' } },
    ])
  })

  describe('is ended at once', () => {
    it.each([
      ['ready', null],
      ['delayed', HOUR],
    ] as const)('where it has not begun, and is %s', async (_where, delay) => {
      const execution = run(bench, { runAt: delay === null ? null : bench.now + delay })
      await bench.store.executions.enqueue([execution])
      expect(await cancel(execution.body.id)).toBe('cancelled')
      expect((await bench.find(execution.body.id)).status).toBe('CANCELLED')
    })

    it('where it is DIVERGED', async () => {
      const held = await running(bench)
      await bench.store.histories.diverge([{ ...heldOf(held), divergence: MISMATCH }])
      expect(await cancel(held.executionId)).toBe('cancelled')
      expect(await bench.find(held.executionId)).toMatchObject({
        status: 'CANCELLED',
        error: { code: 'execution.cancelled', message: 'Not needed.' },
      })
    })

    it.each(['running', 'waiting', 'ready', 'cancelling'] as const)('by force, while %s', async (state) => {
      const held = await running(bench)
      const { histories, leases } = bench.store
      if (state === 'waiting') await histories.park([{ ...heldOf(held), dueAt: null }])
      if (state === 'ready') await leases.release([heldOf(held)])
      if (state === 'cancelling') await cancel(held.executionId, 'First.')
      expect(await cancel(held.executionId, 'Enough.', true)).toBe('cancelled')
      expect(await bench.find(held.executionId)).toMatchObject({
        status: 'CANCELLED',
        error: { message: 'Enough.' },
      })
      expect(await histories.record([item(held, settled(1))])).toEqual(['refused'])
      expect(await cancel(held.executionId)).toBe('final')
      expect(await bench.claim(await bench.node())).toEqual([])
    })

    it('where it is not durable', async () => {
      const held = await bench.running()
      expect(await cancel(held.executionId)).toBe('cancelled')
    })
  })

  it('each is answered in its place', async () => {
    const held = await running(bench)
    const plain = await bench.enqueue()
    const answers = await bench.store.executions.cancel(
      [held.executionId, plain, held.executionId, plain].map((id) => ({ id, reason: null })),
    )
    expect(answers).toEqual(['cancelling', 'cancelled', 'cancelling', 'final'])
  })

  describe('finish', () => {
    it.each<[FinalStatus, boolean]>([
      ['SUCCESS', false],
      ['FAILED', false],
      ['TIMEOUT', false],
      ['CANCELLED', true],
    ])('of one that is being cancelled as %s: accepted %s', async (status, isAccepted) => {
      const held = await running(bench)
      await cancel(held.executionId)
      const error = status === 'SUCCESS' ? null : failure
      const finished = await bench.store.leases.finish([success(held, { status, error })])
      expect(finished).toEqual(isAccepted ? [held.executionId] : [])
      expect(await bench.find(held.executionId)).toMatchObject(
        isAccepted ? { status: 'CANCELLED', error: failure } : { status: 'RUNNING' },
      )
    })

    it.each(['released', 'lost', 'parked', 'ready when it was asked'] as const)(
      'is refused to who takes it up after it was %s, unless as CANCELLED',
      async (how) => {
        const held = await running(bench)
        const { histories, leases } = bench.store
        if (how === 'ready when it was asked') await leases.release([heldOf(held)])
        await cancel(held.executionId)
        if (how === 'parked') {
          await histories.news([heldOf(held)])
          await histories.park([{ ...heldOf(held), dueAt: bench.now }])
          await leases.promote(9)
        }
        if (how === 'released') await leases.release([heldOf(held)])
        const next = how === 'lost' ? await lostAndTaken(bench) : await taken(bench)
        expect(next.executionId).toBe(held.executionId)
        expect(await leases.finish([success(next)])).toEqual([])
        const cancelled = success(next, { status: 'CANCELLED', error: failure })
        expect(await leases.finish([cancelled])).toEqual([next.executionId])
        // Reported before, whatever is told now.
        expect(await leases.finish([success(next)])).toEqual([next.executionId])
        expect((await bench.find(next.executionId)).status).toBe('CANCELLED')
      },
    )

    it('refuses those in a batch that are being cancelled, and takes the others', async () => {
      await bench.store.executions.enqueue([run(bench), run(bench), bench.execution()])
      const held = await bench.claim(await bench.node())
      await cancel(held[0]!.executionId)
      expect((await bench.store.leases.finish(held.map((each) => success(each)))).sort()).toEqual(
        held
          .slice(1)
          .map(({ executionId }) => executionId)
          .sort(),
      )
    })
  })

  it('continueAs keeps the cancellation, and marks the run for it', async () => {
    const held = await running(bench)
    const { histories, leases } = bench.store
    await cancel(held.executionId)
    await histories.news([heldOf(held)])
    const entry = begun(0, { kind: 'input', status: 'COMPLETED' })
    expect(await histories.continueAs([{ ...heldOf(held), entry }])).toEqual([held.executionId])
    expect(await leases.held(held.nodeId)).toMatchObject([{ hasNews: true }])
    expect(await histories.news([heldOf(held)])).toMatchObject([{ cancellation: { reason: 'Not needed.' } }])
  })

  it('the end of a run that was cancelled is news for the run that started it', async () => {
    const parent = await running(bench)
    const child = run(bench)
    const entries = [settled(1, { kind: 'start', childId: child.body.id })]
    await bench.store.histories.startChildren([{ ...heldOf(parent), entries, child }])
    const held = await bench.claimOne(parent.nodeId)
    expect(await cancel(child.body.id)).toBe('cancelling')
    expect(await bench.store.histories.news([heldOf(parent)])).toMatchObject([{ children: [] }])
    await bench.store.leases.finish([success(held, { status: 'CANCELLED', error: failure })])
    expect(await bench.store.histories.news([heldOf(parent)])).toMatchObject([
      { children: [{ executionId: child.body.id, status: 'CANCELLED', error: failure }] },
    ])
  })
}
