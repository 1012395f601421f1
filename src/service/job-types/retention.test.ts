import { describe, expect, it } from 'vitest'
import { ana, fields, openStage, refusalOf, somebody } from '../../../test/http/service/stage.ts'
import { isFinal } from '../../job/execution/execution.ts'
import { job } from '../../job/type/job-type.ts'
import type { Pontual } from '../../pontual.ts'
import { memory } from '../../store/memory/memory.ts'
import type { TestOptions } from '../../testing/test-pontual.ts'
import { builtInTypes } from './built-in.ts'

const quick = job('quick', {
  run: (_input: unknown, { logger }) => {
    logger.info('said')
    return 'done'
  },
})
const order = job('order', { durable: true, run: async (_input: unknown, ctx) => await ctx.signal('go') })

async function start(options: Partial<TestOptions> = {}) {
  const stage = await openStage({ ...options, jobs: [quick, order, ...builtInTypes((): Pontual => stage.test.app)] })
  const { app } = stage.test
  return Object.assign(stage, {
    run: async (type: string, tenant?: string) => {
      const { id } = await app.enqueue(type, undefined, { tenant })
      await stage.test.settle()
      const execution = await app.execution(id)
      if (!execution || !isFinal(execution.status)) throw new Error(`${type} has not ended.`)
      return execution
    },
  })
}

const operator = somebody('olga', 'Admin', { tenant: 'default' })

describe('retention', () => {
  it('runs as jobs of Pontual’s own, which the operator sees', async () => {
    await using stage = await start()
    const { items } = await stage.service.jobs.list(operator, { limit: 50, sort: 'name', isDescending: false })
    expect(items.map(({ name, cronExpression }) => [name, cronExpression])).toEqual([
      ['pontual.archive', '15 3 * * *'],
      ['pontual.purge', '45 3 * * *'],
    ])
    await stage.test.advance('1 day')
    const [archive] = items
    const { items: ran } = await stage.service.jobs.history(operator, archive?.id ?? '', { limit: 5, archived: false })
    expect(ran).toMatchObject([{ status: 'SUCCESS', progress: 1 }])
  })

  it.each(['pontual.archive', 'pontual.purge'])('%s is not for another tenant', async (type) => {
    await using stage = await start()
    expect(await stage.run(type, 'acme')).toMatchObject({ status: 'FAILED', attempt: 1 })
  })

  it.each(['pontual.archive', 'pontual.purge'])('%s cannot be the type of a job of another tenant', async (type) => {
    await using stage = await start()
    const create = (who: typeof ana) => stage.service.jobs.create(who, fields({ jobType: type }))
    expect(await refusalOf(create(ana))).toEqual({ '/jobType': 'job_type_unknown' })
    const { items } = await stage.service.jobs.types(ana)
    expect(items.map(({ id }) => id)).not.toContain(type)
    expect(await refusalOf(create(operator))).toBe('accepted')
  })

  it('moves what is 90 days old, and reads it where that is asked for', async () => {
    await using stage = await start()
    const { service, test } = stage
    const { id } = await service.jobs.create(ana, fields({ jobType: 'quick', cronExpression: '0 0 1 1 *' }))
    const { executionId } = await service.jobs.execute(ana, id, {})
    await test.settle()
    const before = await service.executions.get(ana, executionId)
    await test.advance('130 days')
    const history = { limit: 10, archived: false }
    const everything = { limit: 10, archived: true }
    expect((await service.jobs.history(ana, id, history)).items).toEqual([])
    expect((await service.jobs.history(ana, id, everything)).items).toMatchObject([{ id: executionId }])
    expect((await service.executions.list(ana, history)).items).toEqual([])
    expect((await service.executions.list(ana, everything)).items).toMatchObject([{ id: executionId }])
    expect(await refusalOf(service.executions.get(ana, executionId))).toBe('NotFoundError not_found')
    expect(await service.executions.get(ana, executionId, { archived: true })).toEqual(before)
    expect(await service.executions.activities(ana, executionId, { archived: true })).toEqual([])
    const logs = { limit: 10, executionId }
    expect(await refusalOf(service.jobs.logs(ana, id, logs))).toBe('NotFoundError not_found')
    expect((await service.jobs.logs(ana, id, { ...logs, archived: true })).items).toMatchObject([{ message: 'said' }])
    const other = somebody('sam', 'Admin', { tenant: 'globex' })
    const foreign = service.executions.get(other, executionId, { archived: true })
    expect(await refusalOf(foreign)).toBe('ForbiddenError forbidden')

    expect((await service.audit.list(ana, { limit: 10 })).items).toEqual([])
    expect((await service.audit.list(ana, everything)).items).toHaveLength(2)
    expect(await service.audit.verify(ana)).toMatchObject({ isIntact: true, entries: 2 })
    expect(await service.audit.eventsAfter(ana, 0, 10)).toMatchObject([{ sequence: 1 }, { sequence: 2 }])
  })

  it('leaves what has not ended where it is found', async () => {
    await using stage = await start()
    const { service, test } = stage
    const { id } = await service.jobs.create(ana, fields({ jobType: 'order', cronExpression: '0 0 1 1 *' }))
    const { executionId } = await service.jobs.execute(ana, id, {})
    await test.advance('130 days')
    const page = await service.jobs.history(ana, id, { limit: 10, archived: false })
    expect(page.items).toMatchObject([{ id: executionId, status: 'WAITING' }])
    await service.executions.signal(ana, executionId, { name: 'go', payload: 1 })
    await test.settle()
    expect(await service.executions.get(ana, executionId)).toMatchObject({ status: 'SUCCESS', output: 1 })
  })

  it('drops what is five years old, and no chain breaks', async () => {
    const shared = memory()
    let executionId: string
    {
      await using stage = await start({ store: shared, startAt: '2026-01-15T00:00:00Z' })
      const { service, test } = stage
      const { id } = await service.jobs.create(ana, fields({ jobType: 'quick', cronExpression: '0 0 1 1 *' }))
      executionId = (await service.jobs.execute(ana, id, {})).executionId
      await test.advance('130 days')
      await service.jobs.pause(ana, id, { reason: 'over', until: null })
    }
    await using stage = await start({ store: shared, startAt: '2031-01-31T00:00:00Z' })
    const { service, test } = stage
    const { store } = await test.app.opened()
    expect(await stage.run('pontual.purge')).toMatchObject({ status: 'SUCCESS', output: { parts: [], removed: 0 } })
    expect(await store.executions.find([executionId], { archived: true })).toHaveLength(1)
    await test.advance('2 days')
    const purge = await stage.run('pontual.purge')
    expect(purge).toMatchObject({ status: 'SUCCESS', progress: 1 })
    expect(await store.executions.find([executionId], { archived: true })).toEqual([])
    expect(await service.audit.verify(ana)).toMatchObject({ isIntact: true, entries: 3 })
  })
})
