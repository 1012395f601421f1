import { describe, expect, it } from 'vitest'
import type { Job } from '../../../src/job/job.ts'
import { JOB_STATUSES } from '../../../src/job/job-status.ts'
import type { WaitingChange } from '../../../src/store/occurrences.ts'
import type { LedgerEntry, MisfireInfo } from '../../../src/time/misfire/resolve.ts'
import { uuidInPlaceOf } from '../../../src/uuid.ts'
import { type Bench, failure, HOUR, LEASE_MS, MINUTE, success } from './bench.ts'

export function describeOccurrences(bench: Bench): void {
  const ledgerOf = (jobId: string, from = 0, to = bench.now + HOUR, limit = 99) =>
    bench.store.occurrences.ledger({ jobId, from, to, limit })
  const executionsOf = (jobId: string) => bench.store.executions.list({ jobId, limit: 99 })

  /** A job that is due now. */
  async function dueJob(change: Parameters<Bench['job']>[0] = {}): Promise<Job> {
    const job = bench.job({ nextFireAt: bench.now, ...change })
    await bench.put(job)
    return bench.findJob(job.id)
  }

  function misfire(scheduledAt: number, change: Partial<MisfireInfo> = {}): MisfireInfo {
    const delayMs = bench.now - scheduledAt
    return {
      scheduledAt,
      detectedAt: bench.now,
      delayMs,
      policy: 'fireOnce',
      missedCount: 3,
      cause: 'outage',
      ...change,
    }
  }

  describe('fire', () => {
    it('writes occurrence, execution and next fire time together', async () => {
      const job = await dueJob({ payload: '{"a":1}' })
      const firing = bench.firing(job)
      expect(await bench.fire([firing])).toEqual([job.id])
      const { body } = firing.fired[0]!
      expect(await executionsOf(job.id)).toMatchObject([
        { ...body, status: 'QUEUED', dueAt: null, attempt: 0, epoch: 0 },
      ])
      expect(await ledgerOf(job.id)).toEqual([
        {
          from: bench.now,
          to: bench.now,
          count: 1,
          decision: 'fired',
          cause: null,
          executionId: body.id,
          misfire: null,
          recordedAt: bench.now,
        },
      ])
      expect(await bench.findJob(job.id)).toMatchObject({
        schedule: firing.schedule,
        version: job.version,
        status: 'ACTIVE',
      })
      expect((await bench.claimOne(await bench.node())).body).toEqual(body)
    })

    it('an execution may run later', async () => {
      const job = await dueJob()
      const runAt = bench.now + 500
      const firing = bench.firing(job, { fired: [bench.fired(job, bench.now, { runAt })] })
      await bench.store.occurrences.fire([firing])
      expect(await executionsOf(job.id)).toMatchObject([{ status: 'QUEUED', dueAt: runAt }])
      bench.advance(499)
      expect(await bench.store.leases.promote(9)).toBe(0)
      bench.advance(1)
      expect(await bench.store.leases.promote(9)).toBe(1)
    })

    it('moves a trigger on that has another rule now, or is done', async () => {
      const job = await dueJob()
      const currentTrigger = { type: 'simple', startAt: '2026-03-11T12:00:00Z', intervalMs: 5, repeatCount: 2 } as const
      const schedule = { currentTrigger, nextFireAt: null, previousFireAt: bench.now, timesTriggered: 3 }
      expect(await bench.fire([bench.firing(job, { schedule })])).toEqual([job.id])
      const found = await bench.findJob(job.id)
      expect(found.schedule).toEqual(schedule)
      expect(found.definition).toEqual(job.definition)
      expect((await bench.store.jobs.due(9)).jobs).toEqual([])
    })

    it('tells what fired late by its misfire, and does not store it again', async () => {
      const job = await dueJob()
      const scheduledAt = bench.now - HOUR
      const info = misfire(scheduledAt)
      const late: LedgerEntry = { from: scheduledAt, to: scheduledAt, count: 1, decision: 'firedLate', cause: 'outage' }
      const rest: LedgerEntry = {
        from: scheduledAt + MINUTE,
        to: bench.now - MINUTE,
        count: 59,
        decision: 'consolidated',
        cause: 'outage',
      }
      const fired = [bench.fired(job, scheduledAt, { options: { misfire: info } })]
      await bench.store.occurrences.fire([bench.firing(job, { fired, ledger: [late, rest] })])
      expect(await ledgerOf(job.id)).toEqual([
        { ...late, executionId: fired[0]!.body.id, misfire: info, recordedAt: bench.now },
        { ...rest, executionId: null, misfire: null, recordedAt: bench.now },
      ])
    })

    it('fires several occurrences of a job', async () => {
      const job = await dueJob()
      const at = [3, 2, 1, 0].map((minutes) => bench.now - minutes * MINUTE)
      const fired = at.map((scheduledAt) =>
        bench.fired(job, scheduledAt, { options: { misfire: misfire(scheduledAt) } }),
      )
      await bench.store.occurrences.fire([bench.firing(job, { fired })])
      expect((await ledgerOf(job.id)).map(({ from }) => from)).toEqual(at)
      expect(await executionsOf(job.id)).toHaveLength(4)
    })

    it('may fire nothing, and move on', async () => {
      const job = await dueJob()
      const entry: LedgerEntry = { from: bench.now, to: bench.now, count: 1, decision: 'skipped', cause: 'flag' }
      expect(await bench.fire([bench.firing(job, { fired: [], ledger: [entry] })])).toEqual([job.id])
      expect(await ledgerOf(job.id)).toMatchObject([{ ...entry, executionId: null }])
      expect(await executionsOf(job.id)).toEqual([])
      expect((await bench.findJob(job.id)).schedule.nextFireAt).toBe(bench.now + MINUTE)
    })

    it('of two schedulers with the same view, one fires', async () => {
      const job = await dueJob()
      const [first, second] = [bench.firing(job), bench.firing(job)]
      expect(await bench.fire([first])).toEqual([job.id])
      expect(await bench.fire([second])).toEqual([])
      expect((await executionsOf(job.id)).map(({ id }) => id)).toEqual([first.fired[0]!.body.id])
      expect(await ledgerOf(job.id)).toHaveLength(1)
    })

    it('of many schedulers with the same view at once, one fires', async () => {
      const job = await dueJob()
      const fired = await Promise.all(Array.from({ length: 8 }, () => bench.fire([bench.firing(job)])))
      expect(fired.flat()).toEqual([job.id])
      expect(await executionsOf(job.id)).toHaveLength(1)
    })

    const refusals: [string, (job: Job) => Promise<void>][] = [
      [
        'was edited',
        async (job) => {
          await bench.store.jobs.put([{ job: { ...job, version: 2 }, expectedVersion: 1, ledger: [] }])
        },
      ],
      [
        'was rescheduled and edited back',
        async (job) => {
          const moved = { ...job, schedule: { ...job.schedule, nextFireAt: bench.now + 1 } }
          const { nextFireAt } = job.schedule
          await bench.store.jobs.put([
            { job: { ...moved, version: 2 }, expectedVersion: 1, expectedNextFireAt: nextFireAt, ledger: [] },
          ])
          await bench.store.jobs.put([
            { job: { ...job, version: 3 }, expectedVersion: 2, expectedNextFireAt: bench.now + 1, ledger: [] },
          ])
        },
      ],
      [
        'was removed',
        async (job) => {
          await bench.store.jobs.remove([job.id])
        },
      ],
    ]
    it.each(refusals)('leaves alone a job that %s', async (_case, change) => {
      const job = await dueJob()
      const entry: LedgerEntry = { from: 0, to: 0, count: 1, decision: 'skipped', cause: 'outage' }
      const firing = bench.firing(job, { ledger: [entry] })
      await change(job)
      const [before] = await bench.store.jobs.find([job.id])
      expect(await bench.fire([firing])).toEqual([])
      expect(await bench.store.jobs.find([job.id])).toEqual(before ? [before] : [])
      expect(await executionsOf(job.id)).toEqual([])
      expect(await ledgerOf(job.id)).toEqual([])
    })

    it.each(JOB_STATUSES)('knows whether a job that is %s fires', async (status) => {
      const job = await dueJob({ status })
      const fires = status === 'ACTIVE' || status === 'APPROVED'
      expect(await bench.fire([bench.firing(job)])).toEqual(fires ? [job.id] : [])
      expect(await executionsOf(job.id)).toHaveLength(fires ? 1 : 0)
    })

    const seen = ['PAUSED', 'FAULTED', 'ACTIVE'] as const
    it.each(seen.flatMap((was) => seen.map((is) => [is, was] as const)))(
      'fires a job that is %s for one who saw it %s, and says so, only if that is the same',
      async (is, was) => {
        const job = await dueJob({ status: is })
        const entry: LedgerEntry = { from: bench.now, to: bench.now, count: 1, decision: 'skipped', cause: 'paused' }
        const firing = bench.firing(job, { status: was, fired: [], ledger: [entry] })
        expect(await bench.fire([firing])).toEqual(is === was ? [job.id] : [])
        expect(await ledgerOf(job.id)).toHaveLength(is === was ? 1 : 0)
        const { nextFireAt } = (await bench.findJob(job.id)).schedule
        expect(nextFireAt).toBe(is === was ? bench.now + MINUTE : bench.now)
      },
    )

    it('an occurrence that exists is left as it is and brings no second execution', async () => {
      const job = await dueJob()
      const scheduledAt = bench.now
      const first = bench.firing(job)
      await bench.store.occurrences.fire([first])
      // As after an edit that reopened the past.
      const reopened = { ...job, version: 2, schedule: job.schedule }
      await bench.store.jobs.put([
        { job: reopened, expectedVersion: 1, expectedNextFireAt: first.schedule.nextFireAt, ledger: [] },
      ])
      bench.advance(5)
      const fired = [bench.fired(job, scheduledAt), bench.fired(job, scheduledAt + 1)]
      expect(await bench.fire([{ ...bench.firing(reopened), fired }])).toEqual([job.id])
      expect(await ledgerOf(job.id)).toMatchObject([
        { from: scheduledAt, executionId: first.fired[0]!.body.id, recordedAt: scheduledAt },
        { from: scheduledAt + 1, executionId: fired[1]!.body.id, recordedAt: bench.now },
      ])
      const ids = (await executionsOf(job.id)).map(({ id }) => id)
      expect(ids.sort()).toEqual([first.fired[0]!.body.id, fired[1]!.body.id].sort())
      expect(await bench.store.executions.find([fired[0]!.body.id])).toEqual([])
      expect(await bench.claim(await bench.node())).toHaveLength(2)
    })

    it('fires of several jobs those that still stand where they were seen', async () => {
      const [a, b, c] = [await dueJob(), await dueJob(), await dueJob()]
      await bench.store.occurrences.fire([bench.firing(b)])
      const fired = await bench.fire([bench.firing(a), bench.firing(b), bench.firing(c)])
      expect([...fired].sort()).toEqual([a.id, c.id].sort())
      expect(await executionsOf(b.id)).toHaveLength(1)
    })

    it('fires a thousand jobs at once', async () => {
      const jobs = Array.from({ length: 1_000 }, () => bench.job({ nextFireAt: bench.now }))
      await bench.put(...jobs)
      const { jobs: due } = await bench.store.jobs.due(2_000)
      expect(due).toHaveLength(1_000)
      const fired = await bench.fire(due.map((job) => bench.firing(job)))
      expect(new Set(fired)).toEqual(new Set(jobs.map(({ id }) => id)))
      expect(await bench.claim(await bench.node(), { limit: 2_000 })).toHaveLength(1_000)
      expect((await bench.store.jobs.due(9)).jobs).toEqual([])
    })

    it('a clock that is set back fires nothing twice', async () => {
      const job = await dueJob()
      await bench.store.occurrences.fire([bench.firing(job)])
      const moved = await bench.findJob(job.id)
      bench.advance(-10 * MINUTE)
      try {
        expect((await bench.store.jobs.due(9)).jobs).toEqual([])
        expect(await bench.fire([bench.firing(job)])).toEqual([])
        expect(await bench.findJob(job.id)).toEqual(moved)
      } finally {
        bench.advance(10 * MINUTE)
      }
    })
  })

  describe('ledger', () => {
    it('gives a stretch of time, its start included and its end not, in order', async () => {
      const job = await dueJob()
      const at = [5, 4, 3, 2, 1].map((minutes) => bench.now - minutes * MINUTE)
      const fired = [at[4], at[0], at[2]].map((scheduledAt) => bench.fired(job, scheduledAt!))
      const skipped = [at[3], at[1]].map(
        (from) => ({ from: from!, to: from!, count: 1, decision: 'skipped', cause: 'outage' }) as const,
      )
      await bench.store.occurrences.fire([bench.firing(job, { fired, ledger: skipped })])
      const fromOf = async (from: number, to: number, limit?: number) =>
        (await ledgerOf(job.id, from, to, limit)).map((record) => record.from)
      expect(await fromOf(at[0]!, at[4]! + 1)).toEqual(at)
      expect(await fromOf(at[1]!, at[3]!)).toEqual([at[1], at[2]])
      expect(await fromOf(at[0]! + 1, at[4]!)).toEqual([at[1], at[2], at[3]])
      expect(await fromOf(0, at[0]!)).toEqual([])
      expect(await fromOf(0, bench.now, 2)).toEqual([at[0], at[1]])
      expect(await fromOf(0, bench.now, 0)).toEqual([])
    })

    it.each(['consolidated', 'skipped', 'dropped'] as const)('keeps what was %s', async (decision) => {
      const job = await dueJob()
      const entry: LedgerEntry = { from: 0, to: bench.now, count: 5_000_000_000, decision, cause: 'overlap' }
      await bench.store.occurrences.fire([bench.firing(job, { fired: [], ledger: [entry] })])
      expect(await ledgerOf(job.id)).toEqual([{ ...entry, executionId: null, misfire: null, recordedAt: bench.now }])
    })

    it('knows nothing of a job that has none', async () => {
      expect(await ledgerOf((await dueJob()).id)).toEqual([])
    })
  })

  /** A job with so many fired occurrences, a minute apart, the oldest first; and their executions. */
  async function firedJob(count: number): Promise<{ job: Job; at: number[]; ids: string[] }> {
    const job = await dueJob()
    const at = Array.from({ length: count }, (_, index) => bench.now - (count - index) * MINUTE)
    const fired = at.map((scheduledAt) => bench.fired(job, scheduledAt))
    await bench.store.occurrences.fire([bench.firing(job, { fired })])
    return { job, at, ids: fired.map(({ body }) => body.id) }
  }

  describe('waiting', () => {
    it('gives what waits for its first attempt, or is in it, the oldest first', async () => {
      const { job, at, ids } = await firedJob(4)
      const expected = ids.map((executionId, index) => ({
        executionId,
        scheduledAt: at[index],
        misfire: null,
        isHeld: false,
      }))
      expect(await bench.store.occurrences.waiting(job.id, 9)).toEqual(expected)
      await bench.claimOne(await bench.node())
      expected[0]!.isHeld = true
      expect(await bench.store.occurrences.waiting(job.id, 9)).toEqual(expected)
      expect(await bench.store.occurrences.waiting(job.id, 2)).toEqual(expected.slice(0, 2))
      expect(await bench.store.occurrences.waiting(job.id, 0)).toEqual([])
    })

    it('tells for what a waiting one stands already', async () => {
      const job = await dueJob()
      const info = misfire(bench.now)
      await bench.store.occurrences.fire([
        bench.firing(job, {
          fired: [bench.fired(job, bench.now, { options: { misfire: info } })],
        }),
      ])
      expect(await bench.store.occurrences.waiting(job.id, 9)).toMatchObject([
        { scheduledAt: bench.now, misfire: info },
      ])
    })

    it('leaves out what was begun before, what ended, other jobs, and what was not scheduled', async () => {
      const { job, ids } = await firedJob(5)
      await firedJob(1)
      await bench.enqueue({ jobId: job.id, origin: 'manual' })
      const node = await bench.node()
      const [done, retried, released, lost] = await bench.claim(node, { limit: 4 })
      await bench.store.leases.finish([success(done!)])
      await bench.store.leases.retry([{ ...retried!, status: 'FAILED', error: failure, delayMs: HOUR }])
      await bench.store.leases.release([released!])
      bench.advance(LEASE_MS + 1)
      await bench.store.leases.recover({ silentForMs: null, limit: 9 })
      expect([done, retried, released, lost].map((each) => each?.executionId)).toEqual(ids.slice(0, 4))
      const waiting = (await bench.store.occurrences.waiting(job.id, 9)).map(({ executionId }) => executionId)
      expect(waiting).toEqual([ids[4]])
      await bench.store.executions.cancel([{ id: ids[4]!, reason: null }])
      expect(await bench.store.occurrences.waiting(job.id, 9)).toEqual([])
    })
  })

  const ended = (job: Job, executionId: string, scheduledAt: number, change: object = {}): WaitingChange => ({
    executionId,
    jobId: job.id,
    scheduledAt,
    epoch: null,
    decision: 'consolidated',
    cause: 'overload',
    ...change,
  })

  describe('what is displaced', () => {
    /** A job of which two wait, and which is due again. */
    async function queueing() {
      const { job, at, ids } = await firedJob(2)
      bench.advance(MINUTE)
      return { job: await bench.findJob(job.id), at, ids }
    }

    it('ends with the firing', async () => {
      const { job, at, ids } = await queueing()
      const displaced = [
        ended(job, ids[0]!, at[0]!, { cause: 'overlap' }),
        ended(job, ids[1]!, at[1]!, { cause: 'overlap' }),
      ]
      const firing = bench.firing(job, { displaced })
      const answer = await bench.store.occurrences.fire([firing])
      expect({ ...answer, ended: answer.ended.toSorted() }).toEqual({ jobIds: [job.id], ended: ids })
      const waiting = await bench.store.occurrences.waiting(job.id, 9)
      expect(waiting.map(({ executionId }) => executionId)).toEqual([firing.fired[0]!.body.id])
      expect(await ledgerOf(job.id)).toMatchObject([
        { decision: 'consolidated', cause: 'overlap', executionId: ids[0] },
        { decision: 'consolidated', cause: 'overlap', executionId: ids[1] },
        { decision: 'fired' },
      ])
    })

    it('carries what fires no run of its own', async () => {
      const { job, at, ids } = await queueing()
      const info = misfire(at[0]!, { cause: 'overlap' })
      const carrier = { executionId: ids[0]!, jobId: job.id, scheduledAt: at[0]!, misfire: info }
      const displaced = [carrier, ended(job, ids[1]!, at[1]!)]
      const answer = await bench.store.occurrences.fire([bench.firing(job, { fired: [], displaced })])
      expect(answer).toEqual({ jobIds: [job.id], ended: [ids[1]] })
      expect(await bench.store.occurrences.waiting(job.id, 9)).toEqual([
        { executionId: ids[0], scheduledAt: at[0], misfire: info, isHeld: false },
      ])
    })

    it('leaves its position to the occurrence that supersedes it', async () => {
      const { job, at, ids } = await queueing()
      const other = bench.execution({ id: bench.uuid() })
      await bench.store.executions.enqueue([other])
      const id = uuidInPlaceOf(ids[0]!, bench.uuid())
      const displaced = ids.map((each, index) => ended(job, each, at[index]!, { cause: 'overlap' }))
      const fired = [bench.fired(job, job.schedule.nextFireAt!, { id })]
      await bench.store.occurrences.fire([bench.firing(job, { fired, displaced })])
      const node = await bench.node()
      const claimed = [...(await bench.claim(node, { limit: 1 })), ...(await bench.claim(node, { limit: 1 }))]
      expect(claimed.map(({ executionId }) => executionId)).toEqual([id, other.body.id])
    })

    it('stays where somebody else has fired the job, and ends of the others', async () => {
      const [lost, won] = [await queueing(), await queueing()]
      await bench.fire([bench.firing(lost.job)])
      const firings = [lost, won].map(({ job, at, ids }) =>
        bench.firing(job, { displaced: [ended(job, ids[0]!, at[0]!)] }),
      )
      expect(await bench.store.occurrences.fire(firings)).toEqual({ jobIds: [won.job.id], ended: [won.ids[0]] })
      expect((await bench.find(lost.ids[0]!)).status).toBe('QUEUED')
    })

    it('stays where it has been claimed', async () => {
      const { job, at, ids } = await queueing()
      await bench.claim(await bench.node(), { limit: 1 })
      const displaced = ids.map((id, index) => ended(job, id, at[index]!))
      expect((await bench.store.occurrences.fire([bench.firing(job, { displaced })])).ended).toEqual([ids[1]])
      expect((await bench.find(ids[0]!)).status).toBe('RUNNING')
    })

    it('of many schedulers with the same view at once, one displaces, and one waits', async () => {
      const { job, at, ids } = await queueing()
      const displaced = ids.map((id, index) => ended(job, id, at[index]!))
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => bench.store.occurrences.fire([bench.firing(job, { displaced })])),
      )
      expect(answers.flatMap(({ jobIds }) => jobIds)).toEqual([job.id])
      expect(answers.flatMap((answer) => answer.ended).toSorted()).toEqual(ids)
      expect(await bench.store.occurrences.waiting(job.id, 9)).toHaveLength(1)
    })
  })

  describe('consolidate', () => {
    it('ends what waits, tells why, and lets one carry the rest', async () => {
      const { job, at, ids } = await firedJob(3)
      const info = misfire(at[2]!, { cause: 'overload' })
      bench.advance(9)
      const changes = [
        ended(job, ids[0]!, at[0]!),
        ended(job, ids[1]!, at[1]!, { decision: 'skipped', cause: 'overlap' }),
        { executionId: ids[2]!, jobId: job.id, scheduledAt: at[2]!, misfire: info },
      ]
      const answer = await bench.store.occurrences.consolidate(changes)
      expect(new Set(answer)).toEqual(new Set([ids[0], ids[1]]))
      for (const id of [ids[0]!, ids[1]!]) {
        expect(await bench.find(id)).toMatchObject({
          status: 'CANCELLED',
          attempt: 0,
          finishedAt: bench.now,
          dueAt: null,
        })
      }
      expect(await ledgerOf(job.id)).toMatchObject([
        { from: at[0], decision: 'consolidated', cause: 'overload', executionId: ids[0] },
        { from: at[1], decision: 'skipped', cause: 'overlap', executionId: ids[1] },
        { from: at[2], decision: 'firedLate', cause: 'overload', executionId: ids[2], misfire: info },
      ])
      expect((await bench.find(ids[2]!)).options?.misfire).toEqual(info)
      expect(await bench.store.occurrences.waiting(job.id, 9)).toEqual([
        { executionId: ids[2], scheduledAt: at[2], misfire: info, isHeld: false },
      ])
      const claimed = await bench.claim(await bench.node())
      expect(claimed).toHaveLength(1)
      expect(claimed[0]?.body.options?.misfire).toEqual(info)
    })

    it('lets one carry the rest that its caller holds', async () => {
      const { job, at, ids } = await firedJob(2)
      const held = await bench.claimOne(await bench.node())
      const info = misfire(at[0]!, { cause: 'overload' })
      const carrier = { executionId: ids[0]!, jobId: job.id, scheduledAt: at[0]!, misfire: info }
      expect(await bench.store.occurrences.consolidate([carrier, ended(job, ids[1]!, at[1]!)])).toEqual([ids[1]])
      expect(await bench.find(held.executionId)).toMatchObject({ status: 'RUNNING', options: { misfire: info } })
    })

    it('ends one that its caller holds', async () => {
      const { job, at, ids } = await firedJob(1)
      const node = await bench.node()
      await bench.claimOne(node)
      expect(await bench.store.occurrences.consolidate([ended(job, ids[0]!, at[0]!, { epoch: 1 })])).toEqual(ids)
      expect((await bench.find(ids[0]!)).status).toBe('CANCELLED')
      expect(await bench.store.leases.held(node)).toEqual([])
      expect(await ledgerOf(job.id)).toMatchObject([{ decision: 'consolidated' }])
    })

    it('leaves alone what somebody holds, what was begun before, and what has ended', async () => {
      const { job, at, ids } = await firedJob(5)
      const node = await bench.node()
      const [retried, done, stolen, released] = await bench.claim(node, { limit: 4 })
      await bench.store.leases.release([released!])
      await bench.store.leases.retry([{ ...retried!, status: 'FAILED', error: failure, delayMs: HOUR }])
      await bench.store.leases.finish([success(done!)])
      const before = await bench.store.executions.find(ids)
      const ledger = await ledgerOf(job.id)
      const changes = [
        ended(job, ids[0]!, at[0]!),
        ended(job, ids[1]!, at[1]!),
        ended(job, stolen!.executionId, at[2]!),
        ended(job, stolen!.executionId, at[2]!, { epoch: 2 }),
        ended(job, released!.executionId, at[3]!),
        ended(job, ids[4]!, at[4]!, { epoch: 1 }),
      ]
      for (const change of changes) expect(await bench.store.occurrences.consolidate([change])).toEqual([])
      expect(await bench.store.executions.find(ids)).toEqual(before)
      expect(await ledgerOf(job.id)).toEqual(ledger)
    })

    it('leaves alone what is of another job', async () => {
      const { at, ids } = await firedJob(2)
      const held = await bench.claimOne(await bench.node())
      const other = await dueJob()
      const changes = [ended(other, ids[1]!, at[1]!), ended(other, held.executionId, at[0]!, { epoch: held.epoch })]
      for (const change of changes) expect(await bench.store.occurrences.consolidate([change])).toEqual([])
      expect((await bench.store.executions.find(ids)).map(({ status }) => status).toSorted()).toEqual([
        'QUEUED',
        'RUNNING',
      ])
    })

    it('lets none carry the rest that has ended, and leaves its record alone', async () => {
      const { job, at, ids } = await firedJob(3)
      const claimed = await bench.claim(await bench.node(), { limit: 1 })
      await bench.store.leases.finish([success(claimed[0]!)])
      await bench.store.occurrences.consolidate([ended(job, ids[1]!, at[1]!)])
      const before = await bench.store.executions.find(ids)
      const ledger = await ledgerOf(job.id)
      const carriers = [0, 1].map((index) => ({
        executionId: ids[index]!,
        jobId: job.id,
        scheduledAt: at[index]!,
        misfire: misfire(at[index]!, { cause: 'overload' }),
      }))
      expect(await bench.store.occurrences.consolidate(carriers)).toEqual([])
      expect(await bench.store.executions.find(ids)).toEqual(before)
      expect(await ledgerOf(job.id)).toEqual(ledger)
    })

    it('neither shows nor ends what waits for its time', async () => {
      const job = await dueJob()
      const fired = bench.fired(job, bench.now, { runAt: bench.now + HOUR })
      await bench.store.occurrences.fire([bench.firing(job, { fired: [fired] })])
      expect(await bench.store.occurrences.waiting(job.id, 9)).toEqual([])
      expect(await bench.store.occurrences.consolidate([ended(job, fired.body.id, bench.now)])).toEqual([])
      bench.advance(HOUR)
      await bench.store.leases.promote(9)
      expect(await bench.store.occurrences.waiting(job.id, 9)).toHaveLength(1)
    })
  })

  it('empty lists are answered with empty lists', async () => {
    expect(await bench.store.occurrences.fire([])).toEqual({ jobIds: [], ended: [] })
    expect(await bench.store.occurrences.consolidate([])).toEqual([])
  })
}
