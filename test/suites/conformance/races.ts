import { describe, expect, it } from 'vitest'
import { isFinal } from '../../../src/job/execution/execution.ts'
import type { EngineStore } from '../../../src/store/store.ts'
import { type Bench, failure, LEASE_MS, MINUTE, success } from './bench.ts'

export interface RaceSizes {
  readonly claimers: number
  readonly executions: number
  readonly occurrences: number
  readonly rounds: number
}

/** What holds when several processes act at once, each with connections of its own. */
export function describeRaces(bench: Bench, sizes: RaceSizes): void {
  const others: EngineStore[] = []
  async function stores(count: number): Promise<readonly EngineStore[]> {
    while (others.length < count) others.push(await bench.openAnother())
    return others.slice(0, count)
  }

  it(`${sizes.claimers} claimers drain ${sizes.executions} executions, each exactly once`, async () => {
    const claimers = await stores(sizes.claimers)
    const priorities = ['HIGH', 'MEDIUM', 'LOW'] as const
    const bodies = Array.from({ length: sizes.executions }, (_, index) =>
      bench.execution({ priority: priorities[index % 3]!, tenant: `tenant-${index % 5}` }),
    )
    await bench.store.executions.enqueue(bodies)
    const taken: string[] = []
    const accepted: string[] = []
    await Promise.all(
      claimers.map(async (store, index) => {
        const nodeId = await bench.node()
        // One that finds nothing may have met others' locks: only an empty store ends it.
        for (let idle = 0; idle < 3; ) {
          const request = { nodeId, limit: 5 + index, queues: ['default'], jobTypes: ['import'], aged: index % 3 }
          const { executions } = await store.leases.claim(request)
          taken.push(...executions.map(({ executionId }) => executionId))
          accepted.push(...(await store.leases.finish(executions.map((each) => success(each)))))
          if (executions.length === 0 && !(await store.pulse()).hasReady) idle++
        }
      }),
    )
    const ids = bodies.map(({ body }) => body.id).sort()
    expect(taken.sort()).toEqual(ids)
    expect(accepted.sort()).toEqual(ids)
    const found = await bench.store.executions.find(ids)
    expect(found.every(({ status, attempt, epoch }) => status === 'SUCCESS' && attempt === 1 && epoch === 1)).toBe(true)
  })

  it(`8 schedulers fire ${sizes.occurrences} occurrences of the same jobs, each exactly once`, async () => {
    const schedulers = await stores(8)
    const jobs = [1, 2, 3].map(() => bench.job({ nextFireAt: bench.now }))
    await bench.put(...jobs)
    const end = bench.now + Math.ceil(sizes.occurrences / jobs.length) * MINUTE
    const startedAt = bench.now
    bench.advance(end - bench.now - 1)
    let wins = 0
    await Promise.all(
      schedulers.map(async (store) => {
        for (;;) {
          const { jobs: due } = await store.jobs.due(9)
          if (due.length === 0) return
          const { jobIds: fired } = await store.occurrences.fire(due.map((job) => bench.firing(job)))
          wins += fired.length
        }
      }),
    )
    const expected = Math.ceil(sizes.occurrences / jobs.length)
    expect(wins).toBe(expected * jobs.length)
    for (const job of jobs) {
      const ledger = await bench.store.occurrences.ledger({ jobId: job.id, from: 0, to: end, limit: 100_000 })
      expect(ledger.map(({ from }) => from)).toEqual(Array.from({ length: expected }, (_, n) => startedAt + n * MINUTE))
      const executions = await bench.store.executions.list({ jobId: job.id, limit: 100_000 })
      expect(executions).toHaveLength(ledger.length)
      expect(new Set(executions.map(({ id }) => id))).toEqual(new Set(ledger.map(({ executionId }) => executionId)))
    }
  })

  describe('an end', () => {
    it(`comes exactly once, whoever races for it, in ${sizes.rounds} rounds`, async () => {
      const racers = await stores(4)
      for (let round = 0; round < sizes.rounds; round++) {
        const held = await bench.running({ maxAttempts: 1 + (round % 2) })
        bench.advance(LEASE_MS + 1)
        const acts: (() => Promise<'ended' | 'moved' | 'lost'>)[] = [
          async () => ((await racers[0]!.leases.finish([success(held, { output: '1' })])).length ? 'ended' : 'lost'),
          async () => {
            const [answer] = await racers[1]!.executions.cancel([{ id: held.executionId, reason: 'race' }])
            return answer === 'cancelled' ? 'ended' : 'lost'
          },
          async () => {
            const [recovered] = await racers[2]!.leases.recover({ silentForMs: null, limit: 9 })
            return recovered ? (recovered.hasEnded ? 'ended' : 'moved') : 'lost'
          },
          async () => {
            const retry = { ...held, status: 'FAILED', error: failure, delayMs: 10 * MINUTE } as const
            return (await racers[3]!.leases.retry([retry])).length ? 'moved' : 'lost'
          },
          async () => ((await racers[0]!.leases.release([held])).length ? 'moved' : 'lost'),
        ]
        const order = round % acts.length
        const results = await Promise.all([...acts.slice(order), ...acts.slice(0, order)].map((act) => act()))
        const ends = results.filter((result) => result === 'ended').length
        const moves = results.filter((result) => result === 'moved').length
        const found = await bench.find(held.executionId)
        // Cancel may end what another has just moved; nothing else can follow.
        expect(moves, results.join()).toBeLessThanOrEqual(1)
        expect(ends, results.join()).toBe(isFinal(found.status) ? 1 : 0)
        expect(ends + moves, results.join()).toBeGreaterThanOrEqual(1)
        expect(found.epoch).toBe(1)
        await bench.empty()
      }
    })

    it('is not lost to a claim: what is cancelled while it is claimed is not run to success', async () => {
      const [claimer, canceller] = await stores(2)
      for (let round = 0; round < sizes.rounds; round++) {
        const id = await bench.enqueue()
        const nodeId = await bench.node()
        const request = { nodeId, limit: 1, queues: ['default'], jobTypes: ['import'], aged: 0 }
        const [{ executions }, [answer]] = await Promise.all([
          claimer!.leases.claim(request),
          canceller!.executions.cancel([{ id, reason: null }]),
        ])
        expect(answer).toBe('cancelled')
        expect(await claimer!.leases.finish(executions.map((each) => success(each)))).toEqual([])
        expect((await bench.find(id)).status).toBe('CANCELLED')
        await bench.empty()
      }
    })
  })

  it('epochs grow with every claim, whoever claims', async () => {
    const claimers = await stores(6)
    const id = await bench.enqueue()
    const epochs: number[] = []
    const nodes = await Promise.all(claimers.map(() => bench.node()))
    await Promise.all(
      claimers.map(async (store, index) => {
        for (let turn = 0; turn < 30; turn++) {
          const request = { nodeId: nodes[index]!, limit: 1, queues: ['default'], jobTypes: ['import'], aged: 0 }
          const { executions } = await store.leases.claim(request)
          epochs.push(...executions.map(({ epoch }) => epoch))
          await store.leases.release(executions)
        }
      }),
    )
    expect(epochs.length).toBeGreaterThan(0)
    expect([...epochs].sort((a, b) => a - b)).toEqual(epochs.map((_, index) => index + 1))
    expect(await bench.find(id)).toMatchObject({ status: 'QUEUED', attempt: 0 })
  })

  it('the same key from many processes at once makes one execution', async () => {
    const enqueuers = await stores(8)
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all(
        enqueuers.map((store) =>
          store.executions.enqueue(
            ['a', 'b', 'c', 'd'].map((key) => bench.execution({ idempotencyKey: `${key}${round}`, payload: key })),
          ),
        ),
      )
      for (const [index, key] of ['a', 'b', 'c', 'd'].entries()) {
        const ofKey = answers.map((each) => each[index]!)
        expect(ofKey.filter(({ isNew }) => isNew)).toHaveLength(1)
        expect(new Set(ofKey.map(({ id }) => id)).size).toBe(1)
        expect(ofKey.every(({ isNew, payload }) => payload === (isNew ? null : key))).toBe(true)
      }
    }
    expect(await bench.store.executions.list({ limit: 999 })).toHaveLength(40)
  })

  it('batches of the same things in opposite orders do not block each other', async () => {
    const [one, other] = await stores(2)
    await bench.store.executions.enqueue(Array.from({ length: 200 }, () => bench.execution()))
    const nodeId = await bench.node()
    const claimed = [...(await bench.claim(nodeId, { limit: 200 }))]
    const jobs = Array.from({ length: 50 }, () => bench.job())
    await bench.put(...jobs)
    const changes = jobs.map((job) => ({ job: { ...job, version: 2 }, expectedVersion: 1, ledger: [] }))
    const [finished, cancelled, ...puts] = await Promise.all([
      one!.leases.finish(claimed.map((each) => success(each))),
      other!.executions.cancel(claimed.map(({ executionId: id }) => ({ id, reason: null })).reverse()),
      one!.jobs.put(changes),
      other!.jobs.put([...changes].reverse()),
    ])
    expect(finished.length + cancelled.filter((answer) => answer === 'cancelled').length).toBe(200)
    const stored = puts.flat().filter((answer) => answer === 'stored')
    expect(stored).toHaveLength(50)
  })

  it('one lane is found among thousands of others, also where nobody hurries', async () => {
    const foreign = Array.from({ length: 3_000 }, (_, n) => bench.execution({ tenant: `t${n}`, jobType: 'foreign' }))
    await bench.store.executions.enqueue(foreign)
    const own = bench.execution({ tenant: 'the youngest' })
    await bench.store.executions.enqueue([own])
    const nodeId = await bench.node({ leaseMs: 60 * MINUTE })
    for (let claims = 0; claims < 5; claims += 1) {
      bench.advance(1_100)
      const [claimed] = await bench.claim(nodeId, { limit: 1 })
      if (claimed) return expect(claimed.executionId).toBe(own.body.id)
    }
    expect.fail('It was not found.')
  })
}
