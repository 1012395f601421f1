import { expect, it } from 'vitest'
import type { Job } from '../../../src/job/job.ts'
import { STANDING_LIMIT } from '../../../src/store/occurrences.ts'
import { type Bench, failure, HOUR, LEASE_MS, MINUTE, success } from './bench.ts'

export function describeStanding(bench: Bench): void {
  /** A job with so many fired occurrences, a minute apart, the oldest first; and their executions. */
  async function firedJob(count: number): Promise<{ job: Job; at: number[]; ids: string[] }> {
    const job = bench.job({ nextFireAt: bench.now })
    await bench.put(job)
    const at = Array.from({ length: count }, (_, index) => bench.now - (count - index) * MINUTE)
    const fired = at.map((scheduledAt) => bench.fired(job, scheduledAt))
    await bench.store.occurrences.fire([bench.firing(job, { fired })])
    return { job, at, ids: fired.map(({ body }) => body.id) }
  }

  it('tells what has not ended, the oldest occurrence first, and what was never claimed', async () => {
    const { job, at, ids } = await firedJob(6)
    const [running, retried, released, done, lost] = await bench.claim(await bench.node(), { limit: 5 })
    await bench.store.leases.retry([{ ...retried!, status: 'FAILED', error: failure, delayMs: HOUR }])
    await bench.store.leases.release([released!])
    await bench.store.leases.finish([success(done!)])
    expect([running, retried, released, done, lost].map((each) => each?.executionId)).toEqual(ids.slice(0, 5))
    const standing = (isFresh: boolean, index: number) => ({
      executionId: ids[index],
      scheduledAt: at[index],
      misfire: null,
      isFresh,
    })
    expect(await bench.store.occurrences.standing([job.id])).toEqual([
      {
        jobId: job.id,
        isBusy: true,
        occurrences: [
          standing(false, 0),
          standing(false, 1),
          standing(false, 2),
          standing(false, 4),
          standing(true, 5),
        ],
      },
    ])
    bench.advance(LEASE_MS + 1)
    await bench.store.leases.recover({ silentForMs: null, limit: 9 })
    const [after] = await bench.store.occurrences.standing([job.id])
    expect(after?.occurrences.map(({ isFresh }) => isFresh)).toEqual([false, false, false, false, true])
  })

  it('tells that a job is busy where only others than its occurrences are', async () => {
    const job = bench.job()
    await bench.put(job)
    const id = await bench.enqueue({ jobId: job.id, origin: 'manual' })
    const busy = [{ jobId: job.id, isBusy: true, occurrences: [] }]
    expect(await bench.store.occurrences.standing([job.id])).toEqual(busy)
    const held = await bench.claimOne(await bench.node())
    expect(await bench.store.occurrences.standing([job.id])).toEqual(busy)
    await bench.store.leases.retry([{ ...held, status: 'FAILED', error: failure, delayMs: HOUR }])
    expect(await bench.store.occurrences.standing([job.id])).toEqual(busy)
    await bench.store.executions.cancel([{ id, reason: null }])
    expect(await bench.store.occurrences.standing([job.id])).toEqual([])
  })

  it('an execution that repeats an occurrence is none itself', async () => {
    const { job, at, ids } = await firedJob(1)
    await bench.store.leases.finish([success(await bench.claimOne(await bench.node()))])
    await bench.enqueue({ jobId: job.id, origin: 'retry', scheduledAt: at[0]!, options: { retryOf: ids[0]! } })
    expect(await bench.store.occurrences.standing([job.id])).toEqual([{ jobId: job.id, isBusy: true, occurrences: [] }])
  })

  it('one that waits for its time is not fresh, and one that stands for others tells so', async () => {
    const job = bench.job({ nextFireAt: bench.now })
    await bench.put(job)
    const misfire = {
      scheduledAt: bench.now,
      detectedAt: bench.now,
      delayMs: 0,
      policy: 'fireOnce',
      missedCount: 5,
      cause: 'overlap',
    } as const
    const fired = [
      bench.fired(job, bench.now - MINUTE, { runAt: bench.now + HOUR }),
      bench.fired(job, bench.now, { options: { misfire } }),
    ]
    await bench.store.occurrences.fire([bench.firing(job, { fired })])
    const [standing] = await bench.store.occurrences.standing([job.id])
    expect(standing?.occurrences).toEqual([
      { executionId: fired[0]!.body.id, scheduledAt: bench.now - MINUTE, misfire: null, isFresh: false },
      { executionId: fired[1]!.body.id, scheduledAt: bench.now, misfire, isFresh: true },
    ])
  })

  it('answers for many jobs, in the order of their ids, each once, without those of which all has ended', async () => {
    const [a, b, c] = [await firedJob(2), await firedJob(1), await firedJob(1)]
    await bench.store.executions.cancel([{ id: b.ids[0]!, reason: null }])
    const jobIds = [c.job.id, a.job.id, b.job.id, a.job.id, bench.uuid()]
    const standing = await bench.store.occurrences.standing(jobIds)
    expect(standing.map(({ jobId, occurrences }) => [jobId, occurrences.length])).toEqual(
      [
        [a.job.id, 2],
        [c.job.id, 1],
      ].toSorted(([x], [y]) => (String(x) < String(y) ? -1 : 1)),
    )
    expect(await bench.store.occurrences.standing([])).toEqual([])
  })

  it('tells so many occurrences of one job and no more, the newest of them', async () => {
    const { job, at } = await firedJob(STANDING_LIMIT + 5)
    const [standing] = await bench.store.occurrences.standing([job.id])
    expect(standing?.occurrences.map(({ scheduledAt }) => scheduledAt)).toEqual(at.slice(-STANDING_LIMIT))
  })
}
