import { describe, expect, it } from 'vitest'
import type { ExecutionStatus, Failure } from '../../../src/job/execution/execution.ts'
import type { ExecutionSearch, RanQuery } from '../../../src/store/executions.ts'
import { type Bench, failure, HOUR, MINUTE, success } from './bench.ts'
import { heldOf, MISMATCH } from './durable-entries.ts'

const NOBODY = '01999999-0000-7000-8000-00000000dead'

/** Executions as people look for them. */
export function describeExecutionSearch(bench: Bench): void {
  interface Made {
    readonly job?: string
    readonly jobType?: string
    readonly tenant?: string
    readonly error?: Failure
  }

  /** What a test has made, by the names it uses. */
  let ids: Map<string, string>
  let jobs: Map<string, string>

  async function jobOf(name: string | undefined, tenant = 'acme'): Promise<string | null> {
    if (name === undefined) return null
    const known = jobs.get(name)
    if (known !== undefined) return known
    const job = bench.job({ name, tenant })
    await bench.put(job)
    jobs.set(name, job.id)
    return job.id
  }

  /** One that has ended, or stands in the queue. */
  async function make(name: string, status: ExecutionStatus, made: Made = {}): Promise<void> {
    const { tenant = 'acme', jobType = 'import', error = failure } = made
    bench.advance(1_000)
    const change = { tenant, jobType, jobId: await jobOf(made.job, tenant) }
    if (status === 'QUEUED') {
      ids.set(name, await bench.enqueue({ ...change, runAt: bench.now + HOUR }))
      return
    }
    const options = status === 'DIVERGED' ? { durable: true } : null
    ids.set(name, await bench.enqueue({ ...change, options }))
    const [held] = await bench.claim(await bench.node({ jobTypes: [jobType] }), { jobTypes: [jobType], limit: 1 })
    if (!held) throw new Error('There was nothing to claim.')
    if (status === 'RUNNING') return
    if (status === 'DIVERGED') {
      await bench.store.histories.diverge([{ ...heldOf(held), divergence: MISMATCH }])
      return
    }
    await bench.store.leases.finish([
      success(held, { status: status as 'SUCCESS', error: status === 'SUCCESS' ? null : error }),
    ])
  }

  async function fill(): Promise<void> {
    ids = new Map()
    jobs = new Map()
    await make('good', 'SUCCESS', { job: 'a' })
    await make('bad', 'FAILED', { job: 'a', error: { name: 'Error', message: 'Connection REFUSED: 100% of "it"' } })
    await make('late', 'TIMEOUT', { job: 'b', jobType: 'close', error: { name: 'Error', message: 'Too slow\nby far' } })
    await make('alone', 'FAILED', { error: { name: 'Refused', message: 'No such é', stack: 'connection refused' } })
    await make('foreign', 'FAILED', { tenant: 'globex', job: 'theirs' })
    await make('strange', 'DIVERGED', { job: 'b' })
    await make('next', 'QUEUED', { job: 'b', jobType: 'close' })
    await make('now', 'RUNNING', { job: 'a' })
  }

  const namesOf = (found: readonly string[]) =>
    found.map((id) => [...ids].find(([, each]) => each === id)?.[0] ?? 'somebody else’s')

  const jobIds = (...names: readonly string[]) => names.map((name) => jobs.get(name) ?? NOBODY)
  const everyJob = () => [...jobIds('a', 'b'), ...Array.from({ length: 200 }, () => bench.uuid())]

  type Question = () => Partial<ExecutionSearch>
  const questions: [string, Question, string[]][] = [
    ['nothing: all', () => ({}), ['now', 'next', 'strange', 'alone', 'late', 'bad', 'good']],
    ['a limit', () => ({ limit: 2 }), ['now', 'next']],
    ['no limit to speak of', () => ({ limit: 0 }), []],
    ['a job type', () => ({ jobTypes: ['close'] }), ['next', 'late']],
    ['several job types', () => ({ jobTypes: ['close', 'none'] }), ['next', 'late']],
    ['no job type', () => ({ jobTypes: [] }), []],
    ['a job', () => ({ jobIds: jobIds('a') }), ['now', 'bad', 'good']],
    ['several jobs', () => ({ jobIds: jobIds('a', 'b') }), ['now', 'next', 'strange', 'late', 'bad', 'good']],
    ['a great many jobs', () => ({ jobIds: everyJob() }), ['now', 'next', 'strange', 'late', 'bad', 'good']],
    ['no job', () => ({ jobIds: [] }), []],
    ['a job of another tenant', () => ({ jobIds: jobIds('theirs') }), []],
    ['statuses', () => ({ statuses: ['QUEUED', 'SUCCESS'] }), ['next', 'good']],
    ['what failed', () => ({ statuses: ['FAILED', 'TIMEOUT'] }), ['alone', 'late', 'bad']],
    ['what failed of a job', () => ({ statuses: ['FAILED', 'TIMEOUT'], jobIds: jobIds('b') }), ['late']],
    ['what succeeded of a job', () => ({ statuses: ['SUCCESS'], jobIds: jobIds('a') }), ['good']],
    ['what succeeded of many', () => ({ statuses: ['SUCCESS', 'RUNNING'], jobIds: everyJob() }), ['now', 'good']],
    ['what goes on of a job', () => ({ statuses: ['RUNNING', 'DIVERGED'], jobIds: jobIds('b') }), ['strange']],
    ['no status', () => ({ statuses: [] }), []],
    ['part of a message, in either case', () => ({ errorText: 'connection refused' }), ['bad']],
    ['what stands in a stack: none', () => ({ errorText: 'refused', jobTypes: ['close'] }), []],
    ['what stands in a name: none', () => ({ errorText: 'refused', statuses: ['TIMEOUT'] }), []],
    ['a quote', () => ({ errorText: '"IT"' }), ['bad']],
    ['what a pattern would mean', () => ({ errorText: '0%' }), ['bad']],
    ['what a pattern would mean, once more', () => ({ errorText: '_' }), []],
    ['a backslash', () => ({ errorText: '\\' }), []],
    ['what is written in two lines', () => ({ errorText: 'slow\nby' }), ['late']],
    ['letters beyond A to Z as they are', () => ({ errorText: 'é' }), ['alone']],
    ['letters beyond A to Z in another case: none', () => ({ errorText: 'É' }), []],
    ['why one is DIVERGED', () => ({ errorText: MISMATCH.message.toUpperCase() }), ['strange']],
    ['a message of a job', () => ({ errorText: 'o', jobIds: jobIds('b') }), ['strange', 'late'].filter(isSaid)],
    ['a message of what cannot have one', () => ({ errorText: 'o', statuses: ['SUCCESS', 'QUEUED', 'RUNNING'] }), []],
    ['an empty message: whatever has one', () => ({ errorText: '' }), ['strange', 'alone', 'late', 'bad']],
    [
      'everything at once',
      () => ({ errorText: 'slow', statuses: ['TIMEOUT'], jobTypes: ['close'], jobIds: jobIds('b') }),
      ['late'],
    ],
  ]

  function isSaid(name: string): boolean {
    return name !== 'strange' || MISMATCH.message.toUpperCase().includes('O')
  }

  describe('search', () => {
    it.each(questions)('for %s', async (_case, question, expected) => {
      await fill()
      const found = await bench.store.executions.search({ tenant: 'acme', limit: 100, ...question() })
      expect(namesOf(found.map(({ id }) => id))).toEqual(expected)
    })

    it('gives whole executions', async () => {
      await fill()
      const [found] = await bench.store.executions.search({
        tenant: 'acme',
        errorText: 'refused',
        limit: 1,
        jobIds: jobIds('a'),
      })
      expect(found).toEqual(await bench.find(ids.get('bad') ?? ''))
    })

    it.each<[string, Question]>([
      ['all', () => ({})],
      ['those of jobs', () => ({ jobIds: jobIds('a', 'b') })],
      ['those of many jobs', () => ({ jobIds: everyJob() })],
      ['those with a message', () => ({ errorText: '' })],
    ])('goes on behind an id, and ends at an instant: %s', async (_case, question) => {
      await fill()
      const { executions } = bench.store
      const query = { tenant: 'acme', ...question() }
      const all = (await executions.search({ ...query, limit: 100 })).map(({ id }) => id)
      const paged: string[] = []
      for (;;) {
        const page = await executions.search({ ...query, limit: 2, before: paged.at(-1) })
        if (page.length === 0) break
        paged.push(...page.map(({ id }) => id))
      }
      expect(paged).toEqual(all)
      const { createdAt } = await bench.find(all[1] ?? '')
      expect((await executions.search({ ...query, limit: 100, since: createdAt })).map(({ id }) => id)).toEqual(
        all.slice(0, 2),
      )
    })
  })

  describe('ran', () => {
    const asked: [string, Partial<RanQuery>, string[]][] = [
      ['anything', {}, ['a', 'b']],
      ['what failed', { statuses: ['FAILED'] }, ['a']],
      ['what failed or timed out', { statuses: ['FAILED', 'TIMEOUT'] }, ['a', 'b']],
      ['what succeeded', { statuses: ['SUCCESS'] }, ['a']],
      ['what succeeded or waits', { statuses: ['SUCCESS', 'QUEUED'] }, ['a', 'b']],
      ['what runs', { statuses: ['RUNNING'] }, ['a']],
      ['what is DIVERGED', { statuses: ['DIVERGED'] }, ['b']],
      ['what was cancelled', { statuses: ['CANCELLED'] }, []],
      ['nothing', { statuses: [] }, []],
      ['of another tenant', { tenant: 'globex' }, ['theirs']],
      ['of nobody', { tenant: 'nobody' }, []],
    ]
    it.each(asked)('names the jobs of %s', async (_case, query, expected) => {
      await fill()
      const found = await bench.store.executions.ran({ tenant: 'acme', since: 0, ...query })
      expect(found.toSorted()).toEqual(jobIds(...expected).toSorted())
    })

    it('looks from an instant on, up to another one', async () => {
      await fill()
      const [good, late] = await Promise.all(['good', 'late'].map((name) => bench.find(ids.get(name) ?? '')))
      const ran = (since: number, until?: number) => bench.store.executions.ran({ tenant: 'acme', since, until })
      const [first, third] = [good?.createdAt ?? 0, late?.createdAt ?? 0]
      expect(await ran(0, first)).toEqual([])
      expect(await ran(first, third)).toEqual(jobIds('a'))
      expect(await ran(third, third + 1)).toEqual(jobIds('b'))
      expect(await ran(bench.now + MINUTE)).toEqual([])
    })
  })

  describe('recent', () => {
    it('gives the last of each job, in short', async () => {
      await fill()
      const query = { tenant: 'acme', jobIds: jobIds('a', 'b', 'theirs'), since: 0 }
      const found = await bench.store.executions.recent({ ...query, limit: 2 })
      expect(namesOf(found.map(({ id }) => id))).toEqual(['now', 'next', 'strange', 'bad'])
      for (const { jobId, id, status, createdAt, startedAt, finishedAt, error } of found) {
        expect(await bench.find(id)).toMatchObject({ jobId, id, status, createdAt, startedAt, finishedAt, error })
      }
      expect(await bench.store.executions.recent({ ...query, limit: 0 })).toEqual([])
      expect(await bench.store.executions.recent({ ...query, jobIds: [], limit: 9 })).toEqual([])
      expect(await bench.store.executions.recent({ ...query, since: bench.now + MINUTE, limit: 9 })).toEqual([])
    })
  })
}
