import { describe, expect, it } from 'vitest'
import { type JobTypeOptions, job } from '../../../src/job/type/job-type.ts'
import { memory } from '../../../src/store/memory/memory.ts'
import { type TestPontual, testPontual } from '../../../src/testing.ts'
import { cron } from '../../../src/time/triggers/cron.ts'
import { Processes } from './processes.ts'

/** What ran, with what. */
type Calls = [string, unknown][]

function step(id: string, calls: Calls, more: Partial<JobTypeOptions<unknown, unknown>> = {}) {
  return job<unknown>(id, {
    ...more,
    run: (input) => {
      calls.push([id, input])
      return id.toUpperCase()
    },
  })
}

async function all({ app }: TestPontual): Promise<string[]> {
  return (await app.executions({ limit: 1_000 })).map(({ jobType, status }) => `${jobType} ${status}`).sort()
}

describe('what a job type starts when it succeeds', () => {
  it('runs with its output, and what it starts itself after that', async () => {
    const calls: Calls = []
    const publish = step('publish', calls)
    const resize = step('resize', calls, { onSuccess: publish })
    const importing = step('import', calls, { onSuccess: [resize, 'index'], onFailure: 'alert' })
    await using t = await testPontual({
      jobs: [importing, resize, publish, step('index', calls), step('alert', calls)],
    })
    const { id } = await t.app.enqueue(importing, 1, { tenant: 'acme' })
    await t.settle()
    expect(calls.toSorted(([a], [b]) => (a < b ? -1 : 1))).toEqual([
      ['import', 1],
      ['index', 'IMPORT'],
      ['publish', 'RESIZE'],
      ['resize', 'IMPORT'],
    ])
    // The branch that was not taken leaves no trace.
    expect(await all(t)).toEqual(['import SUCCESS', 'index SUCCESS', 'publish SUCCESS', 'resize SUCCESS'])
    expect((await t.app.chain(id))?.links.map(({ on }) => on)).toEqual(['success', 'success', 'success'])
    expect((await t.app.executions()).map(({ tenant }) => tenant)).toEqual(Array(4).fill('acme'))
    expect(await t.app.counts()).toEqual({ QUEUED: 0, WAITING: 0, RUNNING: 0, DIVERGED: 0 })
  })

  it('is seen while it runs, and starts once, however many attempts that takes', async () => {
    const calls: Calls = []
    const importing = job('import', {
      retry: { retries: 2, initial: '1m' },
      onSuccess: 'report',
      run: (_input, { attempt }) => {
        if (attempt < 3) throw new Error('Not yet.')
      },
    })
    await using t = await testPontual({ jobs: [importing, step('report', calls)] })
    const { id } = await t.app.enqueue(importing)
    await t.settle()
    expect(await all(t)).toEqual(['import QUEUED', 'report WAITING'])
    expect((await t.app.chain(id))?.executions).toHaveLength(2)
    await t.advance('3m')
    expect(await all(t)).toEqual(['import SUCCESS', 'report SUCCESS'])
    expect(calls).toEqual([['report', undefined]])
  })

  it('runs after each occurrence of a schedule', async () => {
    const calls: Calls = []
    const nightly = step('import', calls, {
      schedule: { trigger: cron('0 2 * * *', { timeZone: 'UTC' }), input: 'all' },
      onSuccess: 'report',
    })
    await using t = await testPontual({ jobs: [nightly, step('report', calls)] })
    await t.advance('3 days')
    expect(calls).toEqual(
      Array.from({ length: 3 }, () => [
        ['import', 'all'],
        ['report', 'IMPORT'],
      ]).flat(),
    )
    const reports = await t.app.executions({ jobType: 'report' })
    expect(reports).toMatchObject(Array(3).fill({ jobId: null, scheduledAt: null, status: 'SUCCESS' }))
  })

  it('waits for a node that knows it, also over a restart', async () => {
    const store = memory()
    const calls: Calls = []
    const first = await testPontual({ store, jobs: [step('import', calls, { onSuccess: 'report' })] })
    await first.app.enqueue('import')
    await first.settle()
    await first.stop()
    await using second = await testPontual({ store, jobs: [step('report', calls)] })
    await second.settle()
    expect(calls).toEqual([
      ['import', undefined],
      ['report', 'IMPORT'],
    ])
  })

  it('has the queue, priority and retries that are said, else its own', async () => {
    const report = job('report', { queue: 'slow', priority: 'LOW', retry: { retries: 7 }, run: () => 1 })
    const importing = step('import', [], {
      onSuccess: [report, { type: 'index', queue: 'fast', priority: 'HIGH' }, 'other'],
    })
    await using t = await testPontual({ jobs: [importing] })
    await t.app.enqueue(importing)
    await t.settle()
    const found = await t.app.executions({ statuses: ['QUEUED'] })
    const facts = found.map(
      ({ jobType, queue, priority, maxAttempts }) => `${jobType} ${queue} ${priority} ${maxAttempts}`,
    )
    expect(facts.sort()).toEqual(['index fast HIGH 4', 'other default MEDIUM 4', 'report slow LOW 8'])
  })
})

describe('what a job type starts when it fails', () => {
  it('runs after the last try, with what went wrong', async () => {
    const calls: Calls = []
    const importing = job('import', {
      retry: { retries: 1, initial: '1m' },
      onSuccess: 'report',
      onFailure: 'alert',
      run: () => {
        throw new RangeError('Too much.')
      },
    })
    await using t = await testPontual({ jobs: [importing, step('report', calls), step('alert', calls)] })
    const { id } = await t.app.enqueue(importing)
    await t.settle()
    expect(calls).toEqual([])
    await t.advance('1m')
    const error = { name: 'RangeError', message: 'Too much.' }
    expect(calls).toMatchObject([['alert', { executionId: id, jobType: 'import', status: 'FAILED', error }]])
    expect(await all(t)).toEqual(['alert SUCCESS', 'import FAILED'])
  })

  it('does not run when it is cancelled', async () => {
    const calls: Calls = []
    const hung = job('hung', { onFailure: 'alert', onSuccess: 'report', run: () => new Promise(() => {}) })
    await using all = new Processes()
    const node = await all.node({ jobs: [hung, step('alert', calls), step('report', calls)] })
    const { id } = await node.app.enqueue(hung)
    await all.settle()
    expect(await node.app.cancel(id)).toBe('cancelled')
    await all.pass('10s')
    expect(calls).toEqual([])
    expect((await node.app.executions()).map(({ jobType }) => jobType)).toEqual(['hung'])
  })

  it('runs where the node is lost, also where that died before it could say what comes after', async () => {
    await using all = new Processes()
    const calls: Calls = []
    const hung = job('hung', { retry: { retries: 0 }, onFailure: 'alert', run: () => new Promise(() => {}) })
    // The same job type, of a process that dies before it knows what it starts.
    const early = job('hung', { retry: { retries: 0 }, run: () => new Promise(() => {}) })
    const [dead, gone] = [await all.node({ jobs: [hung] }), await all.node({ jobs: [early] })]
    await dead.app.enqueue(hung)
    await all.settle()
    dead.freeze()
    await gone.app.enqueue(early)
    await all.settle()
    expect(await gone.app.counts()).toMatchObject({ RUNNING: 2 })
    gone.freeze()
    const alive = await all.node({ jobs: [hung, step('alert', calls)] })
    await all.pass('40s')
    expect(calls).toMatchObject([
      ['alert', { jobType: 'hung', error: { code: 'execution.node_lost' } }],
      ['alert', { jobType: 'hung', error: { code: 'execution.node_lost' } }],
    ])
    expect((await alive.app.executions({ jobType: 'alert' })).map(({ status }) => status)).toEqual([
      'SUCCESS',
      'SUCCESS',
    ])
  })
})

describe('a declaration', () => {
  it.each<[string, unknown, string]>([
    ['what is no job type', 7, 'onSuccess must hold what job(…) gives'],
    ['an empty id', '', 'onSuccess: job type id must be text'],
    ['one twice', ['a', { type: 'a' }], 'onSuccess names job type "a" twice.'],
    ['a misspelt field', { type: 'a', quee: 'x' }, 'Did you mean "queue"?'],
    ['a priority that is none', { type: 'a', priority: 'URGENT' }, 'priority must be one of HIGH, MEDIUM, LOW'],
  ])('is refused with %s', (_what, onSuccess, message) => {
    expect(() => job('import', { run: () => 1, onSuccess: onSuccess as never })).toThrow(message)
  })
})
