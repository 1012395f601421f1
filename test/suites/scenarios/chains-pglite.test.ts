import { afterAll, describe, expect, it } from 'vitest'
import { chain } from '../../../src/job/execution/chain.ts'
import { job } from '../../../src/job/type/job-type.ts'
import { pglite } from '../../../src/pglite.ts'
import { testPontual } from '../../../src/testing.ts'

const store = pglite()
afterAll(() => store.dispose())

/** Job types that remember what they were given. */
function recorded() {
  const calls: [string, unknown][] = []
  const call = (id: string, input: unknown) => {
    calls.push([id, input])
    return id.toUpperCase()
  }
  const publish = job<unknown>('publish', { run: (input) => call('publish', input) })
  const extract = job<unknown>('extract', { onSuccess: 'audit', run: (input) => call('extract', input) })
  const resize = job<unknown>('resize', { run: (input) => call('resize', input) })
  const audit = job<unknown>('audit', { run: (input) => call('audit', input) })
  const broken = job<unknown>('broken', {
    retry: { retries: 0 },
    onSuccess: audit,
    onFailure: publish,
    run: () => {
      throw new RangeError('Too much.')
    },
  })
  return { calls, extract, resize, publish, audit, broken }
}

describe('the same with PGlite', { timeout: 120_000 }, () => {
  it('a chain runs step by step, with what its job types declare beside it, over a restart', async () => {
    const { calls, extract, resize, publish, audit } = recorded()
    const first = await testPontual({ store, jobs: [extract] })
    const steps = await first.app.enqueueChain(chain(extract, { page: 1 }).next(resize, 'index').next(publish))
    await first.settle()
    await first.stop()
    expect(calls).toEqual([['extract', { page: 1 }]])
    const index = job<unknown>('index', { run: () => 'INDEX' })
    await using second = await testPontual({ store, seed: 2, jobs: [resize, publish, audit, index] })
    await second.advance('2s')
    expect(calls.slice(1).toSorted(([a], [b]) => (a < b ? -1 : 1))).toEqual([
      ['audit', 'EXTRACT'],
      ['publish', ['RESIZE', 'INDEX']],
      ['resize', 'EXTRACT'],
    ])
    const seen = await second.app.chain(steps[3]!.id)
    expect(seen?.executions.map(({ status }) => status)).toEqual(Array(5).fill('SUCCESS'))
    expect(seen?.links).toHaveLength(5)
  })

  it('a failure takes its branch, and the other leaves no trace', async () => {
    const { calls, publish, audit, broken } = recorded()
    await using t = await testPontual({ store, seed: 3, jobs: [publish, audit, broken] })
    const { id } = await t.app.enqueue(broken)
    await t.advance('1s')
    expect(calls).toMatchObject([['publish', { executionId: id, status: 'FAILED', error: { message: 'Too much.' } }]])
    const seen = await t.app.chain(id)
    expect(seen?.executions.map(({ jobType, status }) => `${jobType} ${status}`).sort()).toEqual([
      'broken FAILED',
      'publish SUCCESS',
    ])
    expect(await t.app.counts()).toEqual({ QUEUED: 0, WAITING: 0, RUNNING: 0, DIVERGED: 0 })
  })
})
