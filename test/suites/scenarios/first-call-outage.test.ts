import { describe, expect, it } from 'vitest'
import { job } from '../../../src/job/type/job-type.ts'
import { StoreUnavailableError } from '../../../src/store/unavailable.ts'
import { Processes } from './processes.ts'

const work = job('work', { run: () => 'done' })

describe('the first call of an application while the store is unavailable', () => {
  it('waits until the store can be opened', async () => {
    await using all = new Processes()
    const { app, link } = all.process({ jobs: [work] })
    link.isAway = true
    const calls = [app.enqueue(work), app.enqueueMany(work, [undefined]), app.jobs()]
    await all.pass('10s')
    link.isAway = false
    await all.pass('2s')
    expect(await Promise.all(calls)).toMatchObject([{ isNew: true }, [{ isNew: true }], []])
    expect(await app.executions()).toHaveLength(2)
  })

  it.each([
    ['the patience of its application', { patience: '5s' }, {}, 5],
    ['its own patience', {}, { patience: '2s' }, 2],
    ['15 seconds', {}, {}, 15],
  ] as const)('fails after %s', async (_what, options, own, seconds) => {
    await using all = new Processes()
    const { app, link } = all.process({ jobs: [work], ...options })
    link.isAway = true
    const from = all.now()
    await expect(all.until(app.enqueue(work, undefined, own))).rejects.toBeInstanceOf(StoreUnavailableError)
    expect((all.now() - from) / 1_000).toBe(seconds)
  })

  it('fails at once within a transaction, at a start, and where the server refuses', async () => {
    await using all = new Processes()
    const { app, link } = all.process({ jobs: [work] })
    link.isAway = true
    const from = all.now()
    const transaction = { query: () => Promise.resolve([]) }
    await expect(app.enqueue(work, undefined, { transaction })).rejects.toBeInstanceOf(StoreUnavailableError)
    await expect(app.start()).rejects.toBeInstanceOf(StoreUnavailableError)
    link.isAway = false
    link.intercept = () => Promise.reject(new StoreUnavailableError('store.refused', 'Wrong password.'))
    await expect(app.jobs()).rejects.toMatchObject({ code: 'store.refused' })
    link.intercept = null
    expect(all.now()).toBe(from)
  })

  it('ends when the application stops', async () => {
    await using all = new Processes()
    const { app, link } = all.process({ jobs: [work] })
    link.isAway = true
    const refused = expect(app.enqueue(work)).rejects.toBeInstanceOf(StoreUnavailableError)
    await all.settle()
    await app.stop()
    await refused
    link.isAway = false
    await app.start()
    expect(await app.enqueue(work)).toMatchObject({ isNew: true })
  })
})
