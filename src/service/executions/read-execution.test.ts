import { describe, expect, it } from 'vitest'
import { ana, fields, openStage, refusalOf, type Stage, somebody } from '../../../test/http/service/stage.ts'

async function executed({ service, test: clock }: Stage, jobType: string): Promise<string> {
  const { id } = await service.jobs.create(ana, fields({ jobType }))
  const { executionId } = await service.jobs.execute(ana, id, {})
  await clock.advance('1m')
  return executionId
}

describe('one execution', () => {
  it.each([
    ['Falhar', 'en', 'Look at the logs of the execution, remove the cause, and retry the execution.'],
    ['Falhar', 'pt-BR', 'Consulte os logs da execução, corrija a causa e repita a execução.'],
    ['ImportarFaturas', 'en', null],
  ] as const)('of %s says in %s what to do about its error', async (jobType, language, expected) => {
    await using stage = await openStage()
    const id = await executed(stage, jobType)
    expect((await stage.service.executions.get(ana, id, { language })).recommendedAction).toBe(expected)
  })

  it('says nothing of an error that was erased', async () => {
    await using stage = await openStage()
    const id = await executed(stage, 'Falhar')
    await stage.service.executions.erase(ana, id)
    expect(await stage.service.executions.get(ana, id)).toMatchObject({ recommendedAction: null, logOutput: null })
  })

  it('says that no active node knows its job type, as long as it waits', async () => {
    await using stage = await openStage()
    const { id } = await stage.test.app.enqueue('ImportarFatura', undefined, { tenant: ana.tenant })
    expect(await stage.service.executions.get(ana, id)).toMatchObject({ status: 'QUEUED', isTypeUnknown: true })
    const done = await executed(stage, 'ImportarFaturas')
    expect(await stage.service.executions.get(ana, done)).toMatchObject({ isTypeUnknown: false })
  })

  it('of the 90th day on is in the archive, moved or not', async () => {
    await using stage = await openStage()
    const id = await executed(stage, 'ImportarFaturas')
    const { executions } = stage.service
    await stage.test.advance('89d')
    expect(await refusalOf(executions.get(ana, id))).toBe('accepted')
    await stage.test.advance('1d')
    expect(await refusalOf(executions.get(ana, id))).toBe('NotFoundError not_found')
    expect(await refusalOf(executions.activities(ana, id))).toBe('NotFoundError not_found')
    expect(await refusalOf(executions.chain(ana, id))).toBe('NotFoundError not_found')
    expect(await executions.chain(ana, id, { archived: true })).toMatchObject({ executions: [{ id }] })
    expect(await executions.get(ana, id, { archived: true })).toMatchObject({ id, status: 'SUCCESS' })
  })

  it('that has failed is not the last failure of its job from the 90th day on', async () => {
    await using stage = await openStage()
    const { service, test: clock } = stage
    const { id } = await service.jobs.create(
      ana,
      fields({ jobType: 'Falhar', retryCount: 0, cronExpression: '0 0 29 2 *' }),
    )
    await service.jobs.execute(ana, id, {})
    await clock.settle()
    await clock.advance('89d')
    expect(await refusalOf(service.jobs.retry(ana, id, null))).toBe('accepted')
    await clock.settle()
    await clock.advance('90d')
    expect(await refusalOf(service.jobs.retry(ana, id, null))).toBe('ConflictError job.nothing_to_retry')
  })

  it('has its log for those who may see it, unless it is not asked for', async () => {
    await using stage = await openStage()
    const id = await executed(stage, 'ImportarFaturas')
    const logOf = async (who = ana, log?: boolean) =>
      (await stage.service.executions.get(who, id, { log })).logOutput !== null
    const without = somebody('nina', 'Admin', { permissions: new Set(['jobs:viewHistory']) })
    expect([await logOf(), await logOf(ana, false), await logOf(without)]).toEqual([true, false, false])
  })
})
