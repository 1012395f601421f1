import { afterAll, describe, expect, it } from 'vitest'
import { batchJob } from '../../../src/job/type/batch.ts'
import { job } from '../../../src/job/type/job-type.ts'
import { pglite } from '../../../src/pglite.ts'
import { testPontual } from '../../../src/testing.ts'

const store = pglite()

afterAll(() => store.dispose())

describe('the same with PGlite', { timeout: 60_000 }, () => {
  it('an equal input is given the stored result until its time is over, also after a purge', async () => {
    let runs = 0
    const type = job('rates', { cache: '1h', run: (_input: { from: string; to: string }) => ++runs })
    await using t = await testPontual({ store, jobs: [type] })
    const { id: first } = await t.app.enqueue(type, { from: 'BRL', to: 'USD' })
    await t.advance('30m')
    expect(await t.app.purgeExecutions(0)).toBe(1)
    const { id: hit } = await t.app.enqueue(type, { to: 'USD', from: 'BRL' })
    await t.advance(1_800_000 - 1)
    const { id: last } = await t.app.enqueue(type, { from: 'BRL', to: 'USD' })
    await t.advance(1)
    const { id: miss } = await t.app.enqueue(type, { from: 'BRL', to: 'USD' })
    await t.settle()
    expect(await t.app.execution(hit)).toMatchObject({ status: 'SUCCESS', output: 1, cachedFrom: first })
    expect(await t.app.execution(last)).toMatchObject({ status: 'SUCCESS', output: 1, cachedFrom: first })
    expect(await t.app.execution(miss)).toMatchObject({ status: 'SUCCESS', output: 2, cachedFrom: null })
    const { id: forced } = await t.app.enqueue(type, { from: 'BRL', to: 'USD' }, { fresh: true })
    await t.settle()
    expect(await t.app.execution(forced)).toMatchObject({ output: 3, cachedFrom: null, options: { fresh: true } })
    expect(await t.app.clearCache(type)).toBe(1)
  })

  it('a batch answers each execution by itself', async () => {
    const calls: (readonly number[])[] = []
    const type = batchJob('index', {
      size: 2,
      cache: '1h',
      retry: { retries: 0 },
      run: (inputs: readonly number[]) => {
        calls.push(inputs)
        return inputs.map((input) => (input === 2 ? new Error('not 2') : input))
      },
    })
    await using t = await testPontual({ store, jobs: [type], startAt: '2026-02-01T00:00:00Z' })
    const enqueued = await t.app.enqueueMany(type, [1, 2, 3])
    await t.settle()
    const statuses = await Promise.all(enqueued.map(async ({ id }) => (await t.app.execution(id))?.status))
    expect(statuses).toEqual(['SUCCESS', 'FAILED', 'SUCCESS'])
    expect(calls).toEqual([[1, 2], [3]])
    await t.app.enqueueMany(type, [1, 2, 3])
    await t.settle()
    expect(calls.slice(2)).toEqual([[2]])
  })
})
