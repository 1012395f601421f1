import { describe, expect, it } from 'vitest'
import { ana, fields, openStage, somebody } from '../../../../test/http/service/stage.ts'

describe('the occurrences of a job', () => {
  it('are listed page by page, with decision and execution', async () => {
    await using stage = await openStage()
    const { service, test: clock } = stage
    const { id } = await service.jobs.create(ana, fields({ cronExpression: '* * * * *' }))
    await clock.advance('5m')
    const first = await service.jobs.occurrences(ana, id, { limit: 3 })
    expect(first.items.map(({ decision, count }) => [decision, count])).toEqual(Array(3).fill(['fired', 1]))
    const rest = await service.jobs.occurrences(ana, id, { limit: 3, cursor: first.nextCursor ?? '' })
    expect(rest).toMatchObject({ items: [{}, {}], nextCursor: null })
    const all = [...first.items, ...rest.items]
    expect(new Set(all.map(({ from }) => from)).size).toBe(5)
    const { items } = await service.jobs.history(ana, id, { limit: 10, archived: false })
    expect(new Set(all.map(({ executionId }) => executionId))).toEqual(new Set(items.map((each) => each.id)))
    const range = { from: all[1]?.from, to: all[3]?.from, limit: 10 }
    expect((await service.jobs.occurrences(ana, id, range)).items).toEqual(all.slice(1, 3))
  })

  it('are not for another tenant', async () => {
    await using stage = await openStage()
    const { id } = await stage.service.jobs.create(ana, fields())
    const foreign = somebody('eve', 'Admin', { tenant: 'other' })
    await expect(stage.service.jobs.occurrences(foreign, id, { limit: 3 })).rejects.toMatchObject({ code: 'forbidden' })
  })
})

describe('the chain of an execution', () => {
  it('holds what runs after it, and is not for another tenant', async () => {
    await using stage = await openStage()
    const { service, test: clock } = stage
    const options = { tenant: ana.tenant }
    const first = await clock.app.enqueue('ImportarFaturas', undefined, options)
    const second = await clock.app.enqueue('ImportarFaturas', undefined, { ...options, after: first })
    const chain = await service.executions.chain(ana, second.id)
    expect(chain.executions.map(({ id }) => id).sort()).toEqual([first.id, second.id].sort())
    expect(chain.links).toEqual([{ from: first.id, to: second.id, on: 'success' }])
    const foreign = somebody('eve', 'Admin', { tenant: 'other' })
    await expect(service.executions.chain(foreign, second.id)).rejects.toMatchObject({ code: 'forbidden' })
  })
})
