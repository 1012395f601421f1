import { describe, expect, it } from 'vitest'
import { type JobDetails, NO_DETAILS } from '../../../src/job/job.ts'
import { DETAIL_NAMES, type DetailFields, type DetailName, JOB_FIELDS } from '../../../src/job/job-fields.ts'
import { JOB_STATUSES, type JobStatus } from '../../../src/job/job-status.ts'
import { type Bench, HOUR, MINUTE } from './bench.ts'

/** A value other than the default for each field that is stored as it is sent. */
function samples(): DetailFields {
  const sample = (name: DetailName) => (JOB_FIELDS[name].accepts.kind === 'list' ? ['x'] : 'x')
  return Object.fromEntries(DETAIL_NAMES.map((name) => [name, sample(name)])) as unknown as DetailFields
}

/** What people say about jobs, and pauses that end by themselves. */
export function describeJobDetails(bench: Bench): void {
  /** All that can be told. */
  function full(): JobDetails {
    return {
      ...samples(),
      description: 'Fecha o mês.\n"Sempre" às 3h. \ud83d\udcc5',
      tags: ['contábil', 'Mês', "d'água"],
      isSensitive: true,
      createdBy: 'ana',
      updatedBy: 'key:7',
      scheduledBy: 'rui',
      authors: ['ana', 'rui', 'code:billing'],
      approval: { by: 'eva', at: bench.now - HOUR, hash: 'ab'.repeat(32), comment: 'Certo.' },
      deletedAt: bench.now,
      deletedBy: 'eva',
      override: { source: 'PONTUAL_JOBS__X__CRON', expression: '0 1 * * *', codeExpression: '0 3 * * *' },
      declared: { ...bench.job().definition, payload: '{"b":1,"a":[null]}', queue: 'payments' },
    }
  }

  describe('details', () => {
    it('are kept to the letter', async () => {
      const job = bench.job({ details: full() })
      await bench.put(job)
      expect((await bench.findJob(job.id)).details).toEqual(full())
    })

    it('are what the last change says', async () => {
      const job = bench.job({ details: full() })
      await bench.put(job)
      const changed = { ...job, details: NO_DETAILS, version: 2 }
      await bench.store.jobs.put([{ job: changed, expectedVersion: 1, ledger: [] }])
      expect((await bench.findJob(job.id)).details).toEqual(NO_DETAILS)
    })

    it('outlive a fault and its end', async () => {
      const job = bench.job({ details: full() })
      await bench.put(job)
      const held = await bench.running({ jobId: job.id })
      const end = { executionId: held.executionId, epoch: held.epoch, output: null, error: null }
      await bench.store.leases.finish([{ ...end, status: 'FAILED', faultsJobId: job.id, healsJobId: null }])
      expect(await bench.findJob(job.id)).toMatchObject({ status: 'FAULTED', details: full() })
    })

    it('text that a database cannot hold costs a letter, not the job', async () => {
      const job = bench.job({ details: { ...NO_DETAILS, description: 'a\0b\ud800c', tags: ['\udfff'] } })
      await bench.put(job)
      const { description, tags } = (await bench.findJob(job.id)).details
      expect([description?.length, description?.[0], description?.[2], tags.length]).toEqual([5, 'a', 'b', 1])
    })
  })

  describe('a pause that ends by itself', () => {
    it('is kept to the millisecond, and gone with the pause', async () => {
      const job = bench.job({ status: 'PAUSED', resumeStatus: 'ACTIVE', pausedUntil: bench.now + 1 })
      await bench.put(job)
      expect((await bench.findJob(job.id)).pausedUntil).toBe(bench.now + 1)
      const resumed = { ...job, status: 'ACTIVE' as const, resumeStatus: null, pausedUntil: null, version: 2 }
      await bench.store.jobs.put([{ job: resumed, expectedVersion: 1, ledger: [] }])
      expect((await bench.findJob(job.id)).pausedUntil).toBeNull()
    })

    it('is due with those that fire, the longest due first', async () => {
      const paused = { status: 'PAUSED', resumeStatus: 'ACTIVE', nextFireAt: bench.now - HOUR } as const
      const [first, second, third, fourth] = [
        bench.job({ ...paused, pausedUntil: bench.now - 4 * MINUTE }),
        bench.job({ nextFireAt: bench.now - 3 * MINUTE }),
        bench.job({ ...paused, pausedUntil: bench.now - 2 * MINUTE, nextFireAt: null }),
        bench.job({ nextFireAt: bench.now, status: 'APPROVED' }),
      ] as const
      await bench.put(
        third,
        second,
        fourth,
        first,
        bench.job({ ...paused, pausedUntil: bench.now + 1 }),
        bench.job({ ...paused, pausedUntil: null }),
      )
      const { now, jobs } = await bench.store.jobs.due(9)
      expect(now).toBe(bench.now)
      expect(jobs.map(({ id }) => id)).toEqual([first.id, second.id, third.id, fourth.id])
      expect((await bench.store.jobs.due(3)).jobs.map(({ id }) => id)).toEqual([first.id, second.id, third.id])
      expect((await bench.store.jobs.due(0)).jobs).toEqual([])
    })

    it('is what the pulse tells where nothing fires before', async () => {
      await bench.put(bench.job({ nextFireAt: bench.now + 5 * MINUTE }))
      const paused = { status: 'PAUSED', resumeStatus: 'ACTIVE' } as const
      await bench.put(bench.job({ ...paused, pausedUntil: bench.now + 7 * MINUTE, nextFireAt: bench.now }))
      expect((await bench.store.pulse()).nextFireAt).toBe(bench.now + 5 * MINUTE)
      await bench.put(bench.job({ ...paused, pausedUntil: bench.now + 3 * MINUTE, nextFireAt: null }))
      expect((await bench.store.pulse()).nextFireAt).toBe(bench.now + 3 * MINUTE)
      bench.advance(10 * MINUTE)
      expect((await bench.store.pulse()).nextFireAt).toBe(bench.now - 7 * MINUTE)
    })

    const others: JobStatus[] = JOB_STATUSES.filter((status) => status !== 'PAUSED')
    it.each(others)('does not count for a job that is %s', async (status) => {
      await bench.put(bench.job({ status, pausedUntil: bench.now - HOUR, nextFireAt: null }))
      expect((await bench.store.jobs.due(9)).jobs).toEqual([])
      expect((await bench.store.pulse()).nextFireAt).toBeNull()
    })
  })
}
