import { describe, expect, it } from 'vitest'
import { type FinalStatus, isFinal } from '../../../src/job/execution/execution.ts'
import type { Job } from '../../../src/job/job.ts'
import { JOB_STATUSES, type JobStatus } from '../../../src/job/job-status.ts'
import type { Held } from '../../../src/store/leases.ts'
import { type Bench, failure, HOUR, LEASE_MS, success } from './bench.ts'

const ABSENT = '00000000-0000-7000-8000-000000000000'

export function describeEndings(bench: Bench): void {
  const line = (held: Held) =>
    ({ ...held, sequence: 1, attempt: 1, at: bench.now, level: 'info', message: 'x', fields: null }) as const

  describe('finish', () => {
    it.each([
      ['SUCCESS', '{"rows":3}', null],
      ['SUCCESS', null, null],
      ['FAILED', null, { ...failure, code: 'month.unknown', stack: 'TypeError: …\n  at …' }],
      ['TIMEOUT', null, failure],
      ['CANCELLED', null, failure],
    ] as const)('records %s with output %s', async (status, output, error) => {
      const held = await bench.running()
      const startedAt = bench.now
      bench.advance(7)
      const ending = {
        executionId: held.executionId,
        epoch: 1,
        status,
        output,
        error,
        faultsJobId: null,
        healsJobId: null,
      }
      expect(await bench.store.leases.finish([ending])).toEqual([held.executionId])
      expect(await bench.find(held.executionId)).toMatchObject({
        status,
        output,
        error,
        startedAt,
        finishedAt: bench.now,
        attempt: 1,
        epoch: 1,
        nodeId: held.nodeId,
        attempts: [{ attempt: 1, status, nodeId: held.nodeId, startedAt, endedAt: bench.now, error }],
      })
      expect(await bench.store.leases.held(held.nodeId)).toEqual([])
      expect(await bench.store.leases.finish([ending])).toEqual([held.executionId])
    })

    it('what the same epoch recorded before counts as accepted, and stands', async () => {
      const held = await bench.running()
      await bench.store.leases.finish([success(held, { output: '1' })])
      const before = await bench.find(held.executionId)
      bench.advance(5)
      expect(await bench.store.leases.finish([success(held, { output: '2' })])).toEqual([held.executionId])
      expect(await bench.find(held.executionId)).toEqual(before)
      const other = success(held, { status: 'FAILED', output: null, error: failure })
      expect(await bench.store.leases.finish([other])).toEqual([held.executionId])
      expect(await bench.find(held.executionId)).toEqual(before)
    })

    const foreignEnds: [string, (held: Held, job: Job) => Promise<unknown>][] = [
      ['cancel', ({ executionId: id }) => bench.store.executions.cancel([{ id, reason: null }])],
      [
        'consolidate',
        ({ executionId, epoch }, { id: jobId }) => {
          const occurrence = { executionId, jobId, scheduledAt: bench.now, epoch }
          return bench.store.occurrences.consolidate([{ ...occurrence, decision: 'skipped', cause: 'overload' }])
        },
      ],
      [
        'recover',
        () => {
          bench.advance(LEASE_MS + 1)
          return bench.store.leases.recover({ silentForMs: null, limit: 9 })
        },
      ],
    ]
    it.each(foreignEnds)('an end by %s is not one that the holder recorded: his is refused', async (_verb, end) => {
      const job = bench.job({ nextFireAt: bench.now })
      await bench.put(job)
      await bench.store.occurrences.fire([
        bench.firing(job, { fired: [bench.fired(job, bench.now, { maxAttempts: 1 })] }),
      ])
      const held = await bench.claimOne(await bench.node())
      await end(held, job)
      const before = await bench.find(held.executionId)
      expect(isFinal(before.status)).toBe(true)
      for (const status of [before.status, 'SUCCESS'] as const) {
        const late = success(held, { status: status as FinalStatus, error: before.error })
        expect(await bench.store.leases.finish([late])).toEqual([])
      }
      expect(await bench.find(held.executionId)).toEqual(before)
    })

    it('what another epoch recorded before is refused', async () => {
      const held = await bench.running()
      await bench.store.leases.finish([success(held)])
      expect(await bench.store.leases.finish([success({ ...held, epoch: 2 })])).toEqual([])
    })

    it('keeps how far it was', async () => {
      const held = await bench.running()
      await bench.store.leases.progress([{ ...held, fraction: 0.5, note: 'half' }])
      await bench.store.leases.finish([success(held)])
      expect(await bench.find(held.executionId)).toMatchObject({ progress: 0.5, progressNote: 'half' })
    })

    it('accepts of several those that are held', async () => {
      await bench.store.executions.enqueue([1, 2, 3].map(() => bench.execution()))
      const claimed = await bench.claim(await bench.node())
      const [a, b, c] = claimed
      const endings = [
        success(a!),
        success({ ...b!, epoch: 9 }),
        success({ executionId: ABSENT, epoch: 1 }),
        success(c!),
      ]
      const accepted = await bench.store.leases.finish(endings)
      expect([...accepted].sort()).toEqual([a!.executionId, c!.executionId].sort())
      expect((await bench.find(b!.executionId)).status).toBe('RUNNING')
    })

    const faults: Partial<Record<JobStatus, JobStatus>> = { ACTIVE: 'FAULTED', APPROVED: 'FAULTED' }
    it.each(JOB_STATUSES)('faults a job that is %s only if it fires by itself', async (status) => {
      const job = bench.job({ status, resumeStatus: status === 'PAUSED' ? 'ACTIVE' : null })
      await bench.put(job)
      const held = await bench.running({ jobId: job.id })
      await bench.store.leases.finish([success(held, { status: 'FAILED', error: failure, faultsJobId: job.id })])
      const found = await bench.findJob(job.id)
      expect(found.status).toBe(faults[status] ?? status)
      if (faults[status]) expect(found).toMatchObject({ resumeStatus: status, version: 2, schedule: job.schedule })
      else expect(found).toEqual(job)
    })

    it.each(JOB_STATUSES)('heals a job that is %s only if it is faulted', async (status) => {
      const job = bench.job({ status, resumeStatus: status === 'FAULTED' ? 'APPROVED' : null })
      await bench.put(job)
      const held = await bench.running({ jobId: job.id })
      await bench.store.leases.finish([success(held, { healsJobId: job.id })])
      const found = await bench.findJob(job.id)
      if (status === 'FAULTED') expect(found).toMatchObject({ status: 'APPROVED', resumeStatus: null, version: 2 })
      else expect(found).toEqual(job)
    })

    it('a refused end neither faults nor heals', async () => {
      const [active, faulted] = [bench.job(), bench.job({ status: 'FAULTED', resumeStatus: 'ACTIVE' })]
      await bench.put(active, faulted)
      const held = await bench.running({ jobId: active.id })
      const late = { ...held, epoch: 9 }
      expect(
        await bench.store.leases.finish([success(late, { faultsJobId: active.id, healsJobId: faulted.id })]),
      ).toEqual([])
      expect(await bench.findJob(active.id)).toEqual(active)
      expect(await bench.findJob(faulted.id)).toEqual(faulted)
    })

    it.each(['stop', 'continue'] as const)('a faulted job fires as its rule says: %s', async (onFault) => {
      const job = bench.job({ onFault, status: 'APPROVED', nextFireAt: bench.now })
      await bench.put(job)
      const { jobs, occurrences } = bench.store
      const held = await bench.running({ jobId: job.id })
      await bench.store.leases.finish([success(held, { status: 'FAILED', error: failure, faultsJobId: job.id })])
      const faulted = await bench.findJob(job.id)
      expect(faulted).toMatchObject({ status: 'FAULTED', resumeStatus: 'APPROVED', version: 2 })
      const firing = bench.firing(faulted)
      const isFiring = onFault === 'continue'
      const expected = isFiring ? [job.id] : []
      expect((await jobs.due(9)).jobs.map(({ id }) => id)).toEqual(expected)
      expect((await bench.store.pulse()).nextFireAt).toBe(isFiring ? bench.now : null)
      expect((await jobs.schedules({ tenant: job.tenant, limit: 9 })).map(({ id }) => id)).toEqual(expected)
      expect((await occurrences.fire([firing])).jobIds).toEqual(expected)
      const again = await bench.running({ jobId: job.id })
      await bench.store.leases.finish([success(again, { status: 'FAILED', error: failure, faultsJobId: job.id })])
      expect(await bench.findJob(job.id)).toMatchObject({ statusReason: faulted.statusReason, version: 2 })
    })

    it('a faulted job that nobody can decide about does not fire', async () => {
      const change = { status: 'FAULTED', resumeStatus: 'ACTIVE', statusReason: 'Its calendar is gone.' } as const
      const job = bench.job({ onFault: 'continue', nextFireAt: bench.now, ...change })
      await bench.put(job)
      expect((await bench.store.jobs.due(9)).jobs).toEqual([])
      expect((await bench.store.pulse()).nextFireAt).toBeNull()
      expect((await bench.store.occurrences.fire([bench.firing(job)])).jobIds).toEqual([])
    })

    it('an end that is told again faults nothing a second time', async () => {
      const job = bench.job()
      await bench.put(job)
      const held = await bench.running({ jobId: job.id })
      const ending = success(held, { status: 'FAILED', error: failure, faultsJobId: job.id })
      await bench.store.leases.finish([ending])
      const resumed = { ...job, version: 3 }
      await bench.store.jobs.put([{ job: resumed, expectedVersion: 2, ledger: [] }])
      await bench.store.leases.finish([ending])
      expect((await bench.findJob(job.id)).status).toBe('ACTIVE')
    })

    it('several ends in one call fault one job once', async () => {
      const job = bench.job()
      await bench.put(job)
      await bench.store.executions.enqueue([1, 2, 3].map(() => bench.execution({ jobId: job.id })))
      const claimed = await bench.claim(await bench.node())
      await bench.store.leases.finish(
        claimed.map((each) => success(each, { status: 'FAILED', error: failure, faultsJobId: job.id })),
      )
      expect(await bench.findJob(job.id)).toMatchObject({ status: 'FAULTED', resumeStatus: 'ACTIVE', version: 2 })
    })
  })

  describe('retry', () => {
    it.each(['FAILED', 'TIMEOUT'] as const)('sends an attempt that ended as %s into its wait', async (status) => {
      const held = await bench.running()
      const startedAt = bench.now
      bench.advance(7)
      const endedAt = bench.now
      const retry = { executionId: held.executionId, epoch: 1, status, error: failure, delayMs: 1_000 }
      expect(await bench.store.leases.retry([retry])).toEqual([held.executionId])
      expect(await bench.find(held.executionId)).toMatchObject({
        status: 'QUEUED',
        attempt: 1,
        epoch: 1,
        dueAt: endedAt + 1_000,
        startedAt,
        finishedAt: null,
        output: null,
        attempts: [{ attempt: 1, status, nodeId: held.nodeId, startedAt, endedAt, error: failure }],
      })
      expect(await bench.store.leases.held(held.nodeId)).toEqual([])
      bench.advance(999)
      expect(await bench.store.leases.promote(9)).toBe(0)
      expect(await bench.claim(held.nodeId)).toEqual([])
      bench.advance(1)
      expect(await bench.store.leases.promote(9)).toBe(1)
      expect(await bench.claimOne(held.nodeId)).toMatchObject({ executionId: held.executionId, attempt: 2, epoch: 2 })
    })

    it('without a wait it may run at once', async () => {
      const held = await bench.running()
      await bench.store.leases.retry([{ ...held, status: 'FAILED', error: failure, delayMs: 0 }])
      await bench.store.leases.promote(9)
      expect(await bench.claimOne(held.nodeId)).toMatchObject({ attempt: 2, epoch: 2 })
    })

    it('accepts of several those that are held, each with its own wait', async () => {
      await bench.store.executions.enqueue([1, 2, 3].map(() => bench.execution()))
      const [a, b, c] = await bench.claim(await bench.node())
      const retry = (held: Held, delayMs: number) => ({ ...held, status: 'FAILED', error: failure, delayMs }) as const
      const accepted = await bench.store.leases.retry([retry(a!, 10), retry({ ...b!, epoch: 2 }, 20), retry(c!, 30)])
      expect([...accepted].sort()).toEqual([a!.executionId, c!.executionId].sort())
      expect((await bench.find(a!.executionId)).dueAt).toBe(bench.now + 10)
      expect((await bench.find(b!.executionId)).status).toBe('RUNNING')
      expect((await bench.find(c!.executionId)).dueAt).toBe(bench.now + 30)
    })
  })

  describe('release', () => {
    it('gives back unspent: the attempt does not count, the epoch does', async () => {
      const held = await bench.running({ priority: 'LOW', payload: '7' })
      expect(await bench.store.leases.release([held])).toEqual([held.executionId])
      expect(await bench.find(held.executionId)).toMatchObject({
        status: 'QUEUED',
        attempt: 0,
        dueAt: null,
        finishedAt: null,
        attempts: [],
      })
      const again = await bench.claimOne(held.nodeId)
      expect(again).toEqual({ executionId: held.executionId, epoch: 2, attempt: 1, body: held.body })
    })

    it('keeps the attempts that were spent before', async () => {
      const held = await bench.running()
      await bench.store.leases.retry([{ ...held, status: 'FAILED', error: failure, delayMs: 0 }])
      await bench.store.leases.promote(9)
      await bench.store.leases.release([await bench.claimOne(held.nodeId)])
      const found = await bench.find(held.executionId)
      expect(found).toMatchObject({ status: 'QUEUED', attempt: 1, attempts: [{ attempt: 1, status: 'FAILED' }] })
      expect(await bench.claimOne(held.nodeId)).toMatchObject({ attempt: 2, epoch: 3 })
    })

    it('any number of times', async () => {
      const held = await bench.running({ maxAttempts: 1 })
      await bench.store.leases.release([held])
      for (let epoch = 2; epoch < 8; epoch++) {
        const again = await bench.claimOne(held.nodeId)
        expect(again).toMatchObject({ attempt: 1, epoch })
        expect(await bench.store.leases.release([again])).toEqual([held.executionId])
      }
    })
  })

  describe('progress', () => {
    it('keeps how far an execution is', async () => {
      const held = await bench.running()
      expect(await bench.store.leases.progress([{ ...held, fraction: 0.25, note: 'a quarter' }])).toEqual([
        held.executionId,
      ])
      expect(await bench.find(held.executionId)).toMatchObject({ progress: 0.25, progressNote: 'a quarter' })
      expect(await bench.store.leases.progress([{ ...held, fraction: 1, note: null }])).toEqual([held.executionId])
      expect(await bench.find(held.executionId)).toMatchObject({ status: 'RUNNING', progress: 1, progressNote: null })
    })
  })

  describe('a fence', () => {
    const writes: [string, (held: Held) => Promise<boolean>][] = [
      ['finish', async (held) => (await bench.store.leases.finish([success(held)])).length > 0],
      [
        'finish with an output',
        async (held) => (await bench.store.leases.finish([success(held, { output: '1' })])).length > 0,
      ],
      [
        'retry',
        async (held) =>
          (await bench.store.leases.retry([{ ...held, status: 'FAILED', error: failure, delayMs: 0 }])).length > 0,
      ],
      ['release', async (held) => (await bench.store.leases.release([held])).length > 0],
      [
        'progress',
        async (held) => (await bench.store.leases.progress([{ ...held, fraction: 1, note: 'x' }])).length > 0,
      ],
      ['a log line', async (held) => (await bench.store.logs.append([line(held)])).length === 0],
      [
        'consolidate',
        async (held) => {
          const { jobId, scheduledAt } = (await bench.find(held.executionId)) as { jobId: string; scheduledAt: number }
          const change = { ...held, jobId, scheduledAt, decision: 'consolidated', cause: 'overload' } as const
          return (await bench.store.occurrences.consolidate([change])).length > 0
        },
      ],
    ]

    async function runningOccurrence(): Promise<Held & { readonly nodeId: string }> {
      const job = bench.job({ nextFireAt: bench.now })
      await bench.put(job)
      await bench.store.occurrences.fire([bench.firing(job)])
      const nodeId = await bench.node()
      return { ...(await bench.claimOne(nodeId)), nodeId }
    }

    const losses: [string, (held: Held & { readonly nodeId: string }) => Promise<Held>][] = [
      ['an epoch yet to come', (held) => Promise.resolve({ ...held, epoch: held.epoch + 1 })],
      ['an epoch before the first', (held) => Promise.resolve({ ...held, epoch: 0 })],
      [
        'one who gave it back',
        async (held) => {
          await bench.store.leases.release([held])
          return held
        },
      ],
      [
        'one who gave it back, and another has it',
        async (held) => {
          await bench.store.leases.release([held])
          await bench.claimOne(held.nodeId)
          return held
        },
      ],
      [
        'one whose lease was over, and it is ready again',
        async (held) => {
          bench.advance(LEASE_MS + 1)
          await bench.store.leases.recover({ silentForMs: null, limit: 9 })
          return held
        },
      ],
      [
        'one whose lease was over, and another has it',
        async (held) => {
          bench.advance(LEASE_MS + 1)
          await bench.store.leases.recover({ silentForMs: null, limit: 9 })
          await bench.claimOne(await bench.node())
          return held
        },
      ],
      [
        'one whose lease was over, and another has finished it',
        async (held) => {
          bench.advance(LEASE_MS + 1)
          await bench.store.leases.recover({ silentForMs: null, limit: 9 })
          await bench.store.leases.finish([success(await bench.claimOne(await bench.node()))])
          return held
        },
      ],
      [
        'one who sent it into a wait',
        async (held) => {
          await bench.store.leases.retry([{ ...held, status: 'FAILED', error: failure, delayMs: HOUR }])
          return held
        },
      ],
      [
        'one from whom it was cancelled',
        async (held) => {
          await bench.store.executions.cancel([{ id: held.executionId, reason: null }])
          return held
        },
      ],
    ]
    const cases = losses.flatMap(([who, lose]) => writes.map(([what, write]) => [what, who, lose, write] as const))
    it.each(cases)('refuses %s of %s', async (_what, _who, lose, write) => {
      const held = await lose(await runningOccurrence())
      const before = await bench.find(held.executionId)
      expect(await write(held)).toBe(false)
      expect(await bench.find(held.executionId)).toEqual(before)
      expect(await bench.store.logs.read({ executionId: held.executionId, limit: 9 })).toEqual([])
    })

    it.each(writes)('lets %s of who holds it pass', async (_what, write) => {
      expect(await write(await runningOccurrence())).toBe(true)
    })

    it.each(writes.filter(([what]) => what !== 'consolidate'))(
      'refuses %s of what does not exist',
      async (_what, write) => {
        expect(await write({ executionId: ABSENT, epoch: 1 })).toBe(false)
      },
    )
  })

  it('empty lists are answered with empty lists', async () => {
    const { leases } = bench.store
    expect(await leases.finish([])).toEqual([])
    expect(await leases.retry([])).toEqual([])
    expect(await leases.release([])).toEqual([])
    expect(await leases.progress([])).toEqual([])
  })
}
