import { describe, expect, it } from 'vitest'
import { type Bench, HOUR, LEASE_MS, success } from './bench.ts'
import { ABSENT, begun, heldOf, item, lostAndTaken, running, settled, taken } from './durable-entries.ts'

/** What is recorded of durable executions. */
export function describeHistories(bench: Bench): void {
  const sequencesOf = async (executionId: string) =>
    (await bench.store.histories.read(executionId)).map(({ sequence }) => sequence)

  describe('record', () => {
    it('keeps every field of an entry, and gives them in the order of sequence', async () => {
      const held = await running(bench)
      const full = settled(2, {
        kind: 'compensation',
        name: 'refund "ü" 💶',
        status: 'FAILED',
        position: 7,
        calls: 9,
        attempt: 4,
        input: '{"a":1}',
        output: 'T{"t":"Date"}',
        error: '{"name":"Error"}',
        details: '"half"',
        childId: bench.uuid(),
        startedAt: bench.now - 5,
        dueAt: bench.now + HOUR,
        endedAt: bench.now,
      })
      const bare = begun(1)
      expect(await bench.store.histories.record([item(held, full, bare)])).toEqual(['recorded'])
      expect(await bench.store.histories.read(held.executionId)).toEqual([
        { ...bare, replayed: 0 },
        { ...full, replayed: 0 },
      ])
    })

    it('an entry takes the place of the one with its sequence, also of one in the same item or call', async () => {
      const held = await running(bench)
      const { histories } = bench.store
      await histories.record([item(held, begun(1))])
      expect(await histories.record([item(held, settled(1))])).toEqual(['recorded'])
      expect(await histories.read(held.executionId)).toMatchObject([{ sequence: 1, status: 'COMPLETED' }])
      const twice = [
        item(held, begun(2), settled(2, { output: '"first"' })),
        item(held, settled(2, { output: '"last"' }), begun(3)),
      ]
      expect(await histories.record(twice)).toEqual(['recorded', 'recorded'])
      expect(await histories.read(held.executionId)).toMatchObject([
        { sequence: 1 },
        { sequence: 2, output: '"last"' },
        { sequence: 3, status: 'RUNNING' },
      ])
    })

    it.each(['COMPLETED', 'FAILED'] as const)('one that is %s is never RUNNING again', async (status) => {
      const held = await running(bench)
      const { histories } = bench.store
      await histories.record([item(held, settled(1, { status }))])
      const late = [
        item(held, begun(1), begun(2)),
        item(held, settled(3, { status }), begun(3)),
        item(held, begun(3), settled(4)),
      ]
      expect(await histories.record(late)).toEqual(['recorded', 'recorded', 'recorded'])
      expect(await histories.read(held.executionId)).toEqual([
        { ...settled(1, { status }), replayed: 0 },
        { ...begun(2), replayed: 0 },
        { ...settled(3, { status }), replayed: 0 },
        { ...settled(4), replayed: 0 },
      ])
      expect(await histories.record([item(held, settled(1, { output: '"anew"' }))])).toEqual(['recorded'])
      expect(await histories.read(held.executionId)).toMatchObject([{ output: '"anew"' }, {}, {}, {}])
    })

    it('refuses whoever does not hold the run, and writes what the others bring', async () => {
      const { histories } = bench.store
      const nodeId = await bench.node()
      for (let index = 0; index < 3; index++) await bench.enqueue({ options: { durable: true } })
      const [one, two, three] = await bench.claim(nodeId)
      await bench.store.leases.release([heldOf(two!)])
      const answers = await histories.record([
        item({ ...one!, epoch: 2 }, settled(1)),
        item(two!, settled(1)),
        item(three!, settled(1)),
        item({ executionId: ABSENT, epoch: 1 }, settled(1)),
        item(one!, settled(2)),
      ])
      expect(answers).toEqual(['refused', 'refused', 'recorded', 'refused', 'recorded'])
      expect(await sequencesOf(one!.executionId)).toEqual([2])
      expect(await sequencesOf(two!.executionId)).toEqual([])
      expect(await sequencesOf(three!.executionId)).toEqual([1])
    })

    it('refuses who lost the run, also while another holds it', async () => {
      const held = await running(bench)
      const next = await lostAndTaken(bench)
      expect(next).toMatchObject({ executionId: held.executionId, epoch: 2, attempt: 2 })
      expect(await bench.store.histories.record([item(held, settled(1)), item(next, settled(2))])).toEqual([
        'refused',
        'recorded',
      ])
      await bench.store.leases.finish([success(next)])
      expect(await bench.store.histories.record([item(next, settled(3))])).toEqual(['refused'])
      expect(await sequencesOf(held.executionId)).toEqual([2])
    })

    it('a timer is written once its instant has come, and nothing of its item before', async () => {
      const held = await running(bench)
      const { histories } = bench.store
      const timer = settled(2, { kind: 'timer', dueAt: bench.now + 1_000, isTimer: true })
      const items = [item(held, settled(1), timer), item(held, settled(3))]
      bench.advance(999)
      expect(await histories.record(items)).toEqual(['early', 'recorded'])
      expect(await sequencesOf(held.executionId)).toEqual([3])
      bench.advance(1)
      expect(await histories.record(items)).toEqual(['recorded', 'recorded'])
      expect(await sequencesOf(held.executionId)).toEqual([1, 2, 3])
    })

    it('an instant is no obstacle for what is not settled by it', async () => {
      const held = await running(bench)
      const dueAt = bench.now + HOUR
      const entries = [begun(1, { kind: 'timer', dueAt }), settled(2, { kind: 'timer', dueAt, output: '"cancelled"' })]
      expect(await bench.store.histories.record([item(held, ...entries)])).toEqual(['recorded'])
    })

    it('an item may hold no entries, and a call no items', async () => {
      const held = await running(bench)
      const { histories } = bench.store
      expect(await histories.record([])).toEqual([])
      expect(await histories.record([item(held), item({ ...held, epoch: 5 })])).toEqual(['recorded', 'refused'])
    })

    it('takes 500 runs at once', async () => {
      await bench.store.executions.enqueue(
        Array.from({ length: 500 }, () => bench.execution({ options: { durable: true } })),
      )
      const held = await bench.claim(await bench.node(), { limit: 500 })
      const items = held.map((each) => item(each, begun(1), settled(2)))
      expect(await bench.store.histories.record(items)).toEqual(held.map(() => 'recorded'))
      expect(await sequencesOf(held[499]!.executionId)).toEqual([1, 2])
    })

    it('keeps a large text as it is', async () => {
      const held = await running(bench)
      const output = JSON.stringify('ä"\\\u2028'.repeat(60_000))
      await bench.store.histories.record([item(held, settled(1, { output }))])
      const [entry] = await bench.store.histories.read(held.executionId)
      expect(entry?.output).toBe(output)
    })
  })

  describe('load', () => {
    it('gives the history, in the order of sequence, and what has come', async () => {
      const held = await running(bench)
      const { histories } = bench.store
      const entries = [settled(2, { position: 1 }), begun(1), settled(-2, { kind: 'patch', name: 'v2', calls: 0 })]
      await histories.record([item(held, ...entries)])
      await histories.signal([{ executionId: held.executionId, name: 'go', payload: '1', idempotencyKey: null }])
      const next = await lostAndTaken(bench)
      const [loaded, ...others] = await histories.load([heldOf(next), { executionId: ABSENT, epoch: 1 }, heldOf(held)])
      expect(others).toEqual([])
      expect(loaded).toMatchObject({
        ...heldOf(next),
        children: [],
        cancellation: null,
        lostSinceProgress: 0,
      })
      expect(loaded?.entries.map(({ sequence }) => sequence)).toEqual([-2, 1, 2])
      expect(loaded?.entries[2]).toEqual(entries[0])
      expect(loaded?.signals).toMatchObject([{ name: 'go', payload: '1' }])
    })

    it('clears the mark', async () => {
      const held = await running(bench)
      const { histories, leases } = bench.store
      await histories.wake([held.executionId])
      expect(await leases.held(held.nodeId)).toEqual([{ ...heldOf(held), hasNews: true }])
      await histories.load([heldOf(held)])
      expect(await leases.held(held.nodeId)).toEqual([{ ...heldOf(held), hasNews: false }])
    })

    it('is noted as a replay of what others have written', async () => {
      const held = await running(bench)
      const { histories } = bench.store
      const replayed = async () => (await histories.read(held.executionId)).map((entry) => entry.replayed)
      await histories.record([item(held, settled(1))])
      const second = await lostAndTaken(bench)
      await histories.load([heldOf(second)])
      await histories.load([heldOf(second)])
      await histories.record([item(second, settled(2))])
      expect(await replayed()).toEqual([1, 0])
      const third = await lostAndTaken(bench)
      await histories.load([heldOf(third)])
      expect(await replayed()).toEqual([2, 1])
    })

    it('to begin anew is to get on', async () => {
      const { histories } = bench.store
      await running(bench)
      await lostAndTaken(bench)
      const third = await lostAndTaken(bench)
      const entry = begun(0, { kind: 'input', status: 'COMPLETED' })
      await histories.continueAs([{ ...heldOf(third), entry }])
      const fourth = await lostAndTaken(bench)
      expect(await histories.load([heldOf(fourth)])).toMatchObject([{ lostSinceProgress: 0 }])
      const fifth = await lostAndTaken(bench)
      expect(await histories.load([heldOf(fifth)])).toMatchObject([{ lostSinceProgress: 1 }])
    })

    it('tells how many attempts were lost one after the other since anything was settled', async () => {
      const { histories, leases } = bench.store
      const lost = async (held: { executionId: string; epoch: number }) =>
        (await histories.load([heldOf(held)]))[0]?.lostSinceProgress
      const first = await running(bench, { maxAttempts: 1 })
      expect(await lost(first)).toBe(0)
      const second = await lostAndTaken(bench)
      expect(await lost(second)).toBe(1)
      // That something was begun is no progress: it may be what the node dies of.
      await histories.record([item(second, begun(1))])
      const third = await lostAndTaken(bench)
      expect(await lost(third)).toBe(2)
      await histories.record([item(third, settled(1))])
      expect(await lost(await lostAndTaken(bench))).toBe(0)
      const fifth = await lostAndTaken(bench)
      expect(await lost(fifth)).toBe(1)
      // One that was given back has not been lost.
      await leases.release([heldOf(fifth)])
      expect(await lost(await taken(bench))).toBe(0)
    })
  })

  describe('news', () => {
    it('gives what has come, clears the mark, and gives it again until it is taken', async () => {
      const held = await running(bench)
      const { histories, leases } = bench.store
      const signal = { executionId: held.executionId, name: 'go', payload: null, idempotencyKey: null }
      await histories.signal([signal, signal])
      expect(await leases.held(held.nodeId)).toEqual([{ ...heldOf(held), hasNews: true }])
      const [news] = await histories.news([heldOf(held)])
      expect(news).toMatchObject({ ...heldOf(held), children: [], cancellation: null })
      expect(news?.signals).toHaveLength(2)
      expect(await leases.held(held.nodeId)).toEqual([{ ...heldOf(held), hasNews: false }])
      expect(await histories.news([heldOf(held)])).toEqual([news])
    })

    it('leaves out what is not held', async () => {
      const held = await running(bench)
      const { histories } = bench.store
      expect(
        await histories.news([
          { ...heldOf(held), epoch: 2 },
          { executionId: ABSENT, epoch: 1 },
        ]),
      ).toEqual([])
      expect(await histories.news([])).toEqual([])
    })
  })

  describe('transact', () => {
    it('runs nothing where the run is not held', async () => {
      const held = await running(bench)
      let isRun = false
      const work = () => {
        isRun = true
        return Promise.resolve(item(held, settled(1)))
      }
      expect(await bench.store.histories.transact({ ...heldOf(held), epoch: 2 }, work)).toBeNull()
      expect(isRun).toBe(false)
    })

    it('writes the item that the work returns', async () => {
      const held = await running(bench)
      const written = item(held, begun(1), settled(2, { kind: 'transaction' }))
      expect(await bench.store.histories.transact(heldOf(held), () => Promise.resolve(written))).toEqual(written)
      expect(await sequencesOf(held.executionId)).toEqual([1, 2])
    })

    it('writes nothing where the work throws', async () => {
      const held = await running(bench)
      const work = () => Promise.reject(new Error('Out of stock.'))
      await expect(bench.store.histories.transact(heldOf(held), work)).rejects.toThrow('Out of stock.')
      expect(await sequencesOf(held.executionId)).toEqual([])
      expect(await bench.store.histories.record([item(held, settled(1))])).toEqual(['recorded'])
    })
  })

  describe('continueAs', () => {
    const input = begun(0, { kind: 'input', name: 'input', status: 'COMPLETED', input: '{"page":2}', attempt: 0 })

    it('begins anew: the history is the input it goes on with', async () => {
      const held = await running(bench)
      const { histories } = bench.store
      await histories.record([item(held, settled(1), begun(2), settled(-2, { kind: 'patch' }))])
      expect(await histories.continueAs([{ ...heldOf(held), entry: input }])).toEqual([held.executionId])
      expect(await histories.read(held.executionId)).toEqual([{ ...input, replayed: 0 }])
      expect((await bench.find(held.executionId)).status).toBe('RUNNING')
      await histories.record([item(held, settled(1))])
      const [loaded] = await histories.load([heldOf(await lostAndTaken(bench))])
      expect(loaded?.entries.map(({ sequence }) => sequence)).toEqual([0, 1])
    })

    it('keeps signals that nobody has taken, and marks the run for them', async () => {
      const held = await running(bench)
      const { histories, leases } = bench.store
      const signal = { executionId: held.executionId, name: 'go', payload: null, idempotencyKey: null }
      await histories.signal([signal])
      await histories.news([heldOf(held)])
      await histories.continueAs([{ ...heldOf(held), entry: input }])
      expect(await leases.held(held.nodeId)).toMatchObject([{ hasNews: true }])
      expect(await histories.news([heldOf(held)])).toMatchObject([{ signals: [{ name: 'go' }] }])
      await histories.continueAs([{ ...heldOf(held), entry: input }])
    })

    it('marks nothing where nothing has come', async () => {
      const held = await running(bench)
      await bench.store.histories.continueAs([{ ...heldOf(held), entry: input }])
      expect(await bench.store.leases.held(held.nodeId)).toMatchObject([{ hasNews: false }])
    })

    it('refuses who does not hold the run', async () => {
      const held = await running(bench)
      const { histories } = bench.store
      await histories.record([item(held, settled(1))])
      expect(await histories.continueAs([{ ...heldOf(held), epoch: 2, entry: input }])).toEqual([])
      expect(await sequencesOf(held.executionId)).toEqual([1])
    })
  })

  describe('read', () => {
    it('gives nothing of what is unknown, or not durable', async () => {
      const id = await bench.enqueue()
      expect(await sequencesOf(ABSENT)).toEqual([])
      expect(await sequencesOf(id)).toEqual([])
    })

    it('gives it after the end, until the run is removed', async () => {
      const held = await running(bench)
      const { histories, leases, executions } = bench.store
      await histories.record([item(held, settled(1))])
      await histories.checkpoint([{ ...heldOf(held), state: '1' }])
      await histories.signal([{ executionId: held.executionId, name: 'go', payload: null, idempotencyKey: 'k' }])
      await leases.finish([success(held)])
      expect(await sequencesOf(held.executionId)).toEqual([1])
      expect(await executions.purge(bench.now + 1, 9)).toBe(1)
      expect(await sequencesOf(held.executionId)).toEqual([])
      expect(await histories.lastCheckpoint(held.executionId)).toBeNull()
    })

    it('gives nothing more once the job of the run is removed', async () => {
      const job = bench.job()
      await bench.put(job)
      const held = await running(bench, { jobId: job.id })
      const { histories, jobs } = bench.store
      await histories.record([item(held, settled(1))])
      await jobs.remove([job.id])
      expect(await sequencesOf(held.executionId)).toEqual([])
      expect(await histories.record([item(held, settled(2))])).toEqual(['refused'])
    })
  })

  describe('checkpoint', () => {
    it.each([
      ['durable', { durable: true }],
      ['plain', null],
    ] as const)('keeps the last state of a %s execution, over its attempts', async (_kind, options) => {
      const held = await bench.running({ options })
      const { histories } = bench.store
      expect(await histories.lastCheckpoint(held.executionId)).toBeNull()
      expect(await histories.checkpoint([{ ...heldOf(held), state: '{"row":1}' }])).toEqual([held.executionId])
      await histories.checkpoint([{ ...heldOf(held), state: '{"row":2}' }])
      const next = await lostAndTaken(bench)
      expect(await histories.lastCheckpoint(held.executionId)).toBe('{"row":2}')
      expect(await histories.checkpoint([{ ...heldOf(held), state: '{"row":9}' }])).toEqual([])
      expect(await histories.lastCheckpoint(held.executionId)).toBe('{"row":2}')
      expect(await histories.checkpoint([{ ...heldOf(next), state: '{"row":3}' }])).toEqual([held.executionId])
      expect(await histories.lastCheckpoint(held.executionId)).toBe('{"row":3}')
    })

    it('knows none of what is unknown', async () => {
      expect(await bench.store.histories.lastCheckpoint(ABSENT)).toBeNull()
      expect(await bench.store.histories.checkpoint([])).toEqual([])
    })
  })

  it('a durable execution never ends by lost attempts', async () => {
    const held = await running(bench, { maxAttempts: 1 })
    for (let round = 1; round <= 3; round++) {
      bench.advance(LEASE_MS + 1)
      expect(await bench.store.leases.recover({ silentForMs: null, limit: 9 })).toMatchObject([
        { executionId: held.executionId, attempt: round, hasEnded: false },
      ])
      expect(await taken(bench)).toMatchObject({ attempt: round + 1, epoch: round + 1 })
    }
    const found = await bench.find(held.executionId)
    expect(found.attempts.map(({ status }) => status)).toEqual(['LOST', 'LOST', 'LOST', 'RUNNING'])
  })
}
