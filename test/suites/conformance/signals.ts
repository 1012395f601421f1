import { expect, it } from 'vitest'
import type { NewSignal } from '../../../src/store/histories.ts'
import { type Bench, HOUR, success } from './bench.ts'
import { ABSENT, heldOf, item, lostAndTaken, run, running, settled, taken } from './durable-entries.ts'

/** Messages for durable executions. */
export function describeSignals(bench: Bench): void {
  const signal = (executionId: string, change: Partial<NewSignal> = {}): NewSignal => ({
    executionId,
    name: 'approved',
    payload: '{"by":"ana"}',
    idempotencyKey: null,
    ...change,
  })
  const inboxOf = async (held: { executionId: string; epoch: number }) =>
    (await bench.store.histories.news([heldOf(held)]))[0]?.signals

  it('a signal is kept with its name, payload and time, the oldest first', async () => {
    const held = await running(bench)
    const { histories } = bench.store
    const sentAt = bench.now
    expect(await histories.signal([signal(held.executionId), signal(held.executionId, { payload: null })])).toEqual([
      'sent',
      'sent',
    ])
    bench.advance(5)
    await histories.signal([signal(held.executionId, { name: 'paid' })])
    const inbox = await inboxOf(held)
    expect(inbox).toMatchObject([
      { name: 'approved', payload: '{"by":"ana"}', sentAt },
      { name: 'approved', payload: null, sentAt },
      { name: 'paid', sentAt: sentAt + 5 },
    ])
    expect(new Set(inbox?.map(({ id }) => id)).size).toBe(3)
  })

  it('one that runs is marked, one that waits is ready again', async () => {
    const held = await running(bench)
    const { histories, leases } = bench.store
    await histories.signal([signal(held.executionId)])
    expect(await leases.held(held.nodeId)).toEqual([{ ...heldOf(held), hasNews: true }])
    await inboxOf(held)
    await histories.park([{ ...heldOf(held), dueAt: bench.now + HOUR }])
    await histories.signal([signal(held.executionId)])
    expect((await bench.find(held.executionId)).status).toBe('QUEUED')
    const next = await taken(bench)
    expect(next).toMatchObject({ attempt: 1, epoch: 2 })
    expect(await inboxOf(next)).toHaveLength(2)
  })

  it('one that comes before the run has begun is there when it does', async () => {
    const { histories, executions } = bench.store
    const [ready, delayed] = [run(bench), run(bench, { runAt: bench.now + HOUR })]
    await executions.enqueue([ready, delayed])
    expect(await histories.signal([signal(ready.body.id), signal(delayed.body.id)])).toEqual(['sent', 'sent'])
    expect((await bench.find(delayed.body.id)).status).toBe('QUEUED')
    const held = await taken(bench)
    expect(held.executionId).toBe(ready.body.id)
    expect(await inboxOf(held)).toHaveLength(1)
  })

  it('is taken together with the entry that tells of it', async () => {
    const held = await running(bench)
    const { histories } = bench.store
    await histories.signal([signal(held.executionId), signal(held.executionId), signal(held.executionId)])
    const [first, second, third] = (await inboxOf(held)) ?? []
    const entry = settled(1, { kind: 'signal', signalId: first!.id })
    expect(await histories.record([{ ...item(held, entry), discards: [third!.id] }])).toEqual(['recorded'])
    expect(await inboxOf(held)).toEqual([second])
    const next = await lostAndTaken(bench)
    expect(await histories.load([heldOf(next)])).toMatchObject([{ signals: [second] }])
    expect(await histories.record([{ ...item(next), discards: [second!.id] }])).toEqual(['recorded'])
    expect(await inboxOf(next)).toEqual([])
  })

  it('is not taken by who may not write', async () => {
    const held = await running(bench)
    const { histories } = bench.store
    await histories.signal([signal(held.executionId)])
    const [first] = (await inboxOf(held)) ?? []
    const entry = settled(1, { kind: 'signal', signalId: first!.id })
    expect(await histories.record([item({ ...held, epoch: 2 }, entry)])).toEqual(['refused'])
    const early = settled(2, { kind: 'timer', isTimer: true, dueAt: bench.now + 1 })
    expect(await histories.record([item(held, entry, early)])).toEqual(['early'])
    expect(await inboxOf(held)).toHaveLength(1)
  })

  it('the same key for the same run means the same signal, also after it was taken', async () => {
    const held = await running(bench)
    const other = await running(bench)
    const { histories } = bench.store
    const keyed = signal(held.executionId, { idempotencyKey: 'k' })
    expect(await histories.signal([keyed, { ...keyed, payload: '2' }])).toEqual(['sent', 'sent'])
    expect(await histories.signal([keyed, { ...keyed, executionId: other.executionId }])).toEqual(['sent', 'sent'])
    const inbox = await inboxOf(held)
    expect(inbox).toMatchObject([{ payload: '{"by":"ana"}' }])
    expect(await inboxOf(other)).toHaveLength(1)
    await histories.record([item(held, settled(1, { kind: 'signal', signalId: inbox![0]!.id }))])
    expect(await histories.signal([keyed])).toEqual(['sent'])
    expect(await inboxOf(held)).toEqual([])
    expect(await histories.signal([{ ...keyed, idempotencyKey: 'other' }])).toEqual(['sent'])
    expect(await inboxOf(held)).toHaveLength(1)
  })

  it('a signal for nobody is refused, each in its place', async () => {
    const { histories, leases } = bench.store
    const plain = await bench.enqueue()
    const ended = await running(bench, { priority: 'HIGH' })
    await histories.signal([signal(ended.executionId, { idempotencyKey: 'k' })])
    await leases.finish([success(ended)])
    const waiting = run(bench)
    await bench.store.executions.enqueue([waiting])
    const answers = await histories.signal([
      signal(ABSENT),
      signal(plain),
      signal(ended.executionId),
      signal(waiting.body.id),
      // Whoever sends it again, since he does not know whether it was sent, is told that it was.
      signal(ended.executionId, { idempotencyKey: 'k' }),
    ])
    expect(answers).toEqual(['unknown', 'notDurable', 'final', 'sent', 'sent'])
    expect(await histories.signal([])).toEqual([])
  })

  it('takes 1,000 at once, for one run', async () => {
    const held = await running(bench)
    const signals = Array.from({ length: 1_000 }, (_, index) => signal(held.executionId, { payload: String(index) }))
    expect(await bench.store.histories.signal(signals)).toHaveLength(1_000)
    const payloads = (await inboxOf(held))?.map(({ payload }) => Number(payload))
    expect(payloads).toEqual(Array.from({ length: 1_000 }, (_, index) => index))
  })
}
