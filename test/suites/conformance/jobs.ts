import { describe, expect, it } from 'vitest'
import type { Job } from '../../../src/job/job.ts'
import { NO_DETAILS } from '../../../src/job/job.ts'
import { JOB_STATUSES, type JobStatus } from '../../../src/job/job-status.ts'
import type { JobChange } from '../../../src/store/jobs.ts'
import type { LedgerEntry } from '../../../src/time/misfire/resolve.ts'
import { type Bench, failure, HOUR, MINUTE, success } from './bench.ts'

const ABSENT = '00000000-0000-7000-8000-000000000000'

export function describeJobs(bench: Bench): void {
  const put = (...changes: readonly (Partial<JobChange> & { readonly job: Job })[]) =>
    bench.store.jobs.put(changes.map((change) => ({ expectedVersion: null, ledger: [], ...change })))

  describe('put', () => {
    it('a new job is found as it was written, dated by the store', async () => {
      const job = bench.job({
        payload: '{"month":"current"}',
        statusReason: 'because',
        resumeStatus: 'ACTIVE',
        status: 'PAUSED',
      })
      expect(await put({ job: { ...job, createdAt: 1, updatedAt: 2 } })).toEqual(['stored'])
      expect(await bench.store.jobs.find([job.id])).toEqual([{ ...job, createdAt: bench.now, updatedAt: bench.now }])
    })

    it('keeps every trigger, rule and instant to the letter', async () => {
      const job = bench.job({ nextFireAt: 1_773_230_400_001 })
      const definition = {
        ...job.definition,
        trigger: { type: 'simple', startAt: '2026-03-11T12:00:00.123Z', intervalMs: 1_500, repeatCount: -1 },
        calendar: 'br-holidays',
        quartz: true,
        timeoutMs: 30_000,
        retry: { retries: 2, intervalsMs: [1, 2], jitter: 'full', nonRetryable: ['CardDeclined'] },
        maxAttempts: 7,
        onFault: 'continue',
        priority: 'LOW',
        queue: 'payments',
      } as const
      const schedule = { ...job.schedule, previousFireAt: 1_773_230_399_999, timesTriggered: 5_000_000_000 }
      await bench.put({ ...job, definition, schedule })
      const found = await bench.findJob(job.id)
      expect(found.definition).toEqual(definition)
      expect(found.schedule).toEqual(schedule)
    })

    it('a change replaces what the writer saw; only the update is dated anew', async () => {
      const job = bench.job({ name: 'before' })
      await bench.put(job)
      const createdAt = bench.now
      bench.advance(MINUTE)
      const changed = { ...job, name: 'after', status: 'PAUSED', resumeStatus: 'ACTIVE', version: 2 } as const
      expect(await put({ job: changed, expectedVersion: 1 })).toEqual(['stored'])
      expect(await bench.findJob(job.id)).toEqual({ ...changed, createdAt, updatedAt: bench.now })
    })

    const conflicts: [string, (job: Job) => Partial<JobChange>][] = [
      ['it exists where it must not', () => ({ expectedVersion: null })],
      ['its version is an older one', () => ({ expectedVersion: 1 })],
      ['its version is a newer one', () => ({ expectedVersion: 3 })],
      [
        'it fired meanwhile',
        ({ schedule }) => ({ expectedVersion: 2, expectedNextFireAt: schedule.nextFireAt! - MINUTE }),
      ],
      ['it has a next fire time where the writer saw none', () => ({ expectedVersion: 2, expectedNextFireAt: null })],
    ]
    it.each(conflicts)('conflicts, and changes nothing, where %s', async (_case, change) => {
      const job = bench.job({ version: 2 })
      await bench.put(job)
      const before = await bench.findJob(job.id)
      const ledger: LedgerEntry[] = [{ from: bench.now, to: bench.now, count: 1, decision: 'skipped', cause: 'edited' }]
      const answer = await put({ job: { ...job, name: 'other', version: 3 }, ledger, ...change(job) })
      expect(answer).toEqual(['conflict'])
      expect(await bench.findJob(job.id)).toEqual(before)
      expect(await bench.store.occurrences.ledger({ jobId: job.id, from: 0, to: bench.now + HOUR, limit: 9 })).toEqual(
        [],
      )
    })

    it('conflicts where the job is gone', async () => {
      const job = bench.job()
      expect(await put({ job, expectedVersion: 1 })).toEqual(['conflict'])
      expect(await put({ job, expectedVersion: 1, expectedNextFireAt: job.schedule.nextFireAt })).toEqual(['conflict'])
      expect(await bench.store.jobs.find([job.id])).toEqual([])
    })

    it('writes the schedule where its writer saw the next fire time', async () => {
      const job = bench.job()
      await bench.put(job)
      const moved = { ...job, version: 2, schedule: { ...job.schedule, nextFireAt: null, timesTriggered: 4 } }
      expect(await put({ job: moved, expectedVersion: 1, expectedNextFireAt: job.schedule.nextFireAt })).toEqual([
        'stored',
      ])
      expect((await bench.findJob(job.id)).schedule).toEqual(moved.schedule)
      const again = { ...moved, version: 3, schedule: job.schedule }
      expect(await put({ job: again, expectedVersion: 2, expectedNextFireAt: null })).toEqual(['stored'])
      expect((await bench.findJob(job.id)).schedule).toEqual(job.schedule)
    })

    it('keeps the stored schedule where firing does not matter', async () => {
      const job = bench.job({ nextFireAt: bench.now })
      await bench.put(job)
      const firing = bench.firing(job)
      await bench.store.occurrences.fire([firing])
      expect(await put({ job: { ...job, name: 'renamed', version: 2 }, expectedVersion: 1 })).toEqual(['stored'])
      expect(await bench.findJob(job.id)).toMatchObject({ name: 'renamed', version: 2, schedule: firing.schedule })
    })

    it('records missed occurrences together with the change', async () => {
      const job = bench.job()
      await bench.put(job)
      const entry = {
        from: bench.now - HOUR,
        to: bench.now - MINUTE,
        count: 60,
        decision: 'skipped',
        cause: 'paused',
      } as const
      await put({ job: { ...job, version: 2 }, expectedVersion: 1, ledger: [entry] })
      expect(await bench.store.occurrences.ledger({ jobId: job.id, from: 0, to: bench.now, limit: 9 })).toEqual([
        { ...entry, executionId: null, misfire: null, recordedAt: bench.now },
      ])
    })

    it('a name belongs to one job of a tenant', async () => {
      const job = bench.job({ name: 'closing' })
      await bench.put(job)
      expect(await put({ job: bench.job({ name: 'closing' }) })).toEqual(['nameTaken'])
      expect(await put({ job: bench.job({ name: 'closing', tenant: 'other' }) })).toEqual(['stored'])
      expect(await put({ job: bench.job({ name: 'Closing' }) })).toEqual(['stored'])
      const renamed = bench.job({ name: 'opening' })
      await bench.put(renamed)
      expect(await put({ job: { ...renamed, name: 'closing', version: 2 }, expectedVersion: 1 })).toEqual(['nameTaken'])
      expect((await bench.findJob(renamed.id)).name).toBe('opening')
    })

    it('the name of a deleted job is free, and cannot be taken back while another has it', async () => {
      const job = bench.job({ name: 'closing' })
      await bench.put(job)
      expect(await put({ job: { ...job, status: 'DELETED', version: 2 }, expectedVersion: 1 })).toEqual(['stored'])
      expect(await put({ job: bench.job({ name: 'closing' }) })).toEqual(['stored'])
      expect(await put({ job: { ...job, version: 3 }, expectedVersion: 2 })).toEqual(['nameTaken'])
      expect((await bench.findJob(job.id)).status).toBe('DELETED')
    })

    it.each(JOB_STATUSES.filter((status) => status !== 'DELETED'))(
      'a job that is %s holds its name',
      async (status) => {
        await bench.put(bench.job({ name: 'closing', status }))
        expect(await put({ job: bench.job({ name: 'closing' }) })).toEqual(['nameTaken'])
      },
    )

    it('answers in the order of the changes, and stores those that can be', async () => {
      const known = bench.job({ name: 'known' })
      await bench.put(known)
      const [a, b, c] = [bench.job({ name: 'a' }), bench.job({ name: 'b' }), bench.job({ name: 'c' })]
      const answers = await put(
        { job: c },
        { job: { ...known, version: 9 }, expectedVersion: 8 },
        { job: a },
        { job: bench.job({ name: 'known' }) },
        { job: { ...known, version: 2, status: 'PAUSED' }, expectedVersion: 1 },
        { job: b },
      )
      expect(answers).toEqual(['stored', 'conflict', 'stored', 'nameTaken', 'stored', 'stored'])
      expect((await bench.store.jobs.list({ limit: 9 })).map(({ name, status }) => [name, status])).toEqual([
        ['a', 'ACTIVE'],
        ['b', 'ACTIVE'],
        ['c', 'ACTIVE'],
        ['known', 'PAUSED'],
      ])
    })

    it('of two new jobs with one name in one call, one is stored', async () => {
      const jobs = [bench.job({ name: 'twin' }), bench.job({ name: 'twin' })]
      const answers = await put(...jobs.map((job) => ({ job })))
      expect([...answers].sort()).toEqual(['nameTaken', 'stored'])
      expect(await bench.store.jobs.findByName('acme', ['twin'])).toHaveLength(1)
    })

    it('of two writers with the same view, one wins', async () => {
      const job = bench.job()
      await bench.put(job)
      const answers = await Promise.all(
        ['one', 'two', 'three', 'four'].map((name) => put({ job: { ...job, name, version: 2 }, expectedVersion: 1 })),
      )
      expect(answers.flat().sort()).toEqual(['conflict', 'conflict', 'conflict', 'stored'])
      expect((await bench.findJob(job.id)).version).toBe(2)
    })

    it('of several that create the same name at once, one wins', async () => {
      const answers = await Promise.all([1, 2, 3, 4].map(() => put({ job: bench.job({ name: 'contested' }) })))
      expect(answers.flat().sort()).toEqual(['nameTaken', 'nameTaken', 'nameTaken', 'stored'])
    })
  })

  describe('find', () => {
    it.each(JOB_STATUSES)('finds a job that is %s', async (status) => {
      const job = bench.job({ status })
      await bench.put(job)
      expect((await bench.findJob(job.id)).status).toBe(status)
    })

    it('leaves unknown ids out', async () => {
      const job = bench.job()
      await bench.put(job)
      expect((await bench.store.jobs.find([ABSENT, job.id])).map(({ id }) => id)).toEqual([job.id])
    })

    it('finds by name within the tenant, but not what is deleted', async () => {
      const [mine, theirs, gone] = [
        bench.job({ name: 'closing' }),
        bench.job({ name: 'closing', tenant: 'other' }),
        bench.job({ name: 'gone', status: 'DELETED' }),
      ]
      await bench.put(mine, theirs, gone)
      const found = await bench.store.jobs.findByName('acme', ['closing', 'gone', 'unknown'])
      expect(found.map(({ id }) => id)).toEqual([mine.id])
    })
  })

  describe('list', () => {
    it('goes by tenant and name in the order of their characters, whatever the language of the server', async () => {
      const names = ['ä', 'a', 'B', 'Z', 'b', '1', 'a b', 'a-b', 'A', '～', '😀', 'é', 'e', "o'clock"]
      await bench.put(...names.map((name) => bench.job({ name })), bench.job({ tenant: 'Zeta', name: 'a' }))
      const expected = ['Zeta/a', ...names.sort(byCodePoint).map((name) => `acme/${name}`)]
      const listed = await bench.store.jobs.list({ limit: 100 })
      expect(listed.map(({ tenant, name }) => `${tenant}/${name}`)).toEqual(expected)
    })

    it('goes on after a job, without a gap and without doubling', async () => {
      const names = ['b', 'B', 'a', 'ç', 'c', 'd', '😀', '～']
      await bench.put(...names.flatMap((name) => [bench.job({ name }), bench.job({ name, tenant: 'Other' })]))
      const seen: string[] = []
      let after: { tenant: string; name: string } | undefined
      for (let pages = 0; pages < 10; pages++) {
        const page = await bench.store.jobs.list({ limit: 3, after })
        seen.push(...page.map(({ tenant, name }) => `${tenant}/${name}`))
        after = page.at(-1)
        if (page.length < 3) break
      }
      expect(seen).toHaveLength(16)
      expect(new Set(seen).size).toBe(16)
    })

    const filters: [string, Parameters<typeof bench.store.jobs.list>[0], string[]][] = [
      ['everything but what is deleted', { limit: 9 }, ['a', 'b', 'c', 'd']],
      ['those of a tenant', { limit: 9, tenant: 'other' }, ['d']],
      ['those of a job type', { limit: 9, jobType: 'export' }, ['c']],
      ['those in a status', { limit: 9, statuses: ['PAUSED'] }, ['b']],
      ['those in one of several statuses', { limit: 9, statuses: ['PAUSED', 'DELETED'] }, ['b', 'e']],
      ['deleted ones if asked for', { limit: 9, statuses: ['DELETED'] }, ['e']],
      [
        'those that fit all that is asked',
        { limit: 9, tenant: 'acme', statuses: ['ACTIVE'], jobType: 'export' },
        ['c'],
      ],
      ['none of an unknown tenant', { limit: 9, tenant: 'nobody' }, []],
      ['sensitive ones', { limit: 9, isSensitive: true }, ['c']],
      ['those that are not sensitive', { limit: 9, isSensitive: false }, ['a', 'b', 'd']],
      ['no more than the limit', { limit: 2 }, ['a', 'b']],
      ['those after a job', { limit: 2, after: { tenant: 'acme', name: 'b' } }, ['c', 'd']],
      ['those after a name that is gone', { limit: 9, after: { tenant: 'acme', name: 'bb' } }, ['c', 'd']],
    ]
    it.each(filters)('gives %s', async (_case, filter, expected) => {
      await bench.put(
        bench.job({ name: 'a' }),
        bench.job({ name: 'b', status: 'PAUSED' }),
        bench.job({ name: 'c', jobType: 'export', details: { ...NO_DETAILS, isSensitive: true } }),
        bench.job({ name: 'd', tenant: 'other' }),
        bench.job({ name: 'e', status: 'DELETED' }),
      )
      expect((await bench.store.jobs.list(filter)).map(({ name }) => name)).toEqual(expected)
    })
  })

  describe('due', () => {
    it('is due at its very millisecond, and not one before', async () => {
      const job = bench.job({ nextFireAt: bench.now + 1 })
      await bench.put(job)
      expect(await bench.store.jobs.due(9)).toEqual({ now: bench.now, jobs: [], suspended: [] })
      bench.advance(1)
      expect(await bench.store.jobs.due(9)).toEqual({
        now: bench.now,
        jobs: [await bench.findJob(job.id)],
        suspended: [],
      })
    })

    const firing: JobStatus[] = ['ACTIVE', 'APPROVED']
    it.each(JOB_STATUSES)('knows whether a job that is %s fires by itself', async (status) => {
      await bench.put(bench.job({ status, nextFireAt: bench.now - 1 }))
      expect((await bench.store.jobs.due(9)).jobs).toHaveLength(firing.includes(status) ? 1 : 0)
    })

    it('leaves out what has no next fire time', async () => {
      await bench.put(bench.job({ nextFireAt: null }))
      expect((await bench.store.jobs.due(9)).jobs).toEqual([])
    })

    it('gives the longest due first, no more than the limit, and changes nothing', async () => {
      const jobs = [3, 1, 4, 2].map((late) => bench.job({ name: String(late), nextFireAt: bench.now - late * MINUTE }))
      await bench.put(...jobs)
      for (const _ of [1, 2]) {
        expect((await bench.store.jobs.due(3)).jobs.map(({ name }) => name)).toEqual(['4', '3', '2'])
      }
    })
  })

  describe('remove', () => {
    it('counts the jobs there were', async () => {
      const [a, b] = [bench.job(), bench.job({ status: 'DELETED' })]
      await bench.put(a, b)
      expect(await bench.store.jobs.remove([a.id, ABSENT, b.id])).toBe(2)
      expect(await bench.store.jobs.remove([a.id])).toBe(0)
      expect(await bench.store.jobs.find([a.id, b.id])).toEqual([])
    })

    it('takes away all that hangs on a job, and nothing else', async () => {
      const { executions, leases, logs, occurrences, jobs } = bench.store
      const job = bench.job({ nextFireAt: bench.now })
      const spared = bench.job({ nextFireAt: bench.now })
      await bench.put(job, spared)
      const entry = {
        from: bench.now - HOUR,
        to: bench.now - MINUTE,
        count: 60,
        decision: 'skipped',
        cause: 'outage',
      } as const
      await occurrences.fire([bench.firing(job, { ledger: [entry] }), bench.firing(spared, { ledger: [entry] })])
      const node = await bench.node()
      const own = (change: object = {}) => bench.execution({ jobId: job.id, origin: 'manual', ...change })
      const bodies = [own(), own(), own({ idempotencyKey: 'once' }), own({ runAt: bench.now + HOUR }), own()]
      await executions.enqueue(bodies)
      const claimed = await bench.claim(node)
      const held = (index: number) => claimed.find(({ executionId }) => executionId === bodies[index]?.body.id)!
      await logs.append([
        { ...held(0), sequence: 1, attempt: 1, at: bench.now, level: 'info', message: 'a', fields: null },
      ])
      await leases.finish([success(held(0))])
      await leases.retry([{ ...held(1), status: 'FAILED', error: failure, delayMs: HOUR }])
      await executions.cancel([{ id: bodies[4]!.body.id, reason: null }])

      expect(await jobs.remove([job.id])).toBe(1)
      expect(await executions.list({ jobId: job.id, limit: 99 })).toEqual([])
      expect(await executions.find(bodies.map(({ body }) => body.id))).toEqual([])
      expect(await occurrences.ledger({ jobId: job.id, from: 0, to: bench.now + HOUR, limit: 9 })).toEqual([])
      expect(await logs.read({ executionId: bodies[0]!.body.id, limit: 9 })).toEqual([])
      expect(await logs.size(bodies[0]!.body.id)).toBe(0)
      expect(await leases.finish([success(held(2))])).toEqual([])
      expect((await executions.enqueue([own({ jobId: null, idempotencyKey: 'once' })]))[0]).toMatchObject({
        isNew: true,
      })
      expect(await executions.list({ jobId: spared.id, limit: 99 })).toHaveLength(1)
      expect(await occurrences.ledger({ jobId: spared.id, from: 0, to: bench.now + HOUR, limit: 9 })).toHaveLength(2)
      bench.advance(2 * HOUR)
      expect(await leases.promote(99)).toBe(0)
    })
  })

  it('empty lists are answered with empty lists', async () => {
    const { jobs } = bench.store
    expect(await jobs.put([])).toEqual([])
    expect(await jobs.find([])).toEqual([])
    expect(await jobs.findByName('acme', [])).toEqual([])
    expect(await jobs.remove([])).toBe(0)
    expect((await jobs.due(0)).jobs).toEqual([])
  })
}

function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
