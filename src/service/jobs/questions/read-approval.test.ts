import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ana, bia, dev, fields, openStage, type Stage } from '../../../../test/http/service/stage.ts'
import { Vault } from '../../../../test/suites/encryption/vault.ts'
import type { ScheduleJobOptions } from '../../../engine/app/jobs.ts'
import { memory } from '../../../store/memory/memory.ts'
import { cron } from '../../../time/triggers/cron.ts'
import { httpRequest } from '../../job-types/http-request.ts'
import type { NewJobFields } from '../../job-view.ts'

let stage: Stage
beforeEach(async () => {
  stage = await openStage()
})
afterEach(async () => await stage[Symbol.asyncDispose]())

const sensitive = (change: Partial<NewJobFields> = {}) =>
  stage.service.jobs.create(ana, fields({ requiresTwoStepExecution: true, ...change }))
const approve = (id: string) => stage.service.jobs.approve(bia, id, { comment: null })
const approval = (id: string) => stage.service.jobs.approval(ana, id)

async function approved(change: Partial<NewJobFields> = {}): Promise<string> {
  const { id } = await sensitive(change)
  await approve(id)
  return id
}

describe('what a second person would say yes to', () => {
  it('is all of a job that nobody has approved before', async () => {
    const { id, name } = await sensitive({ payload: { month: '01' } })
    const view = await approval(id)
    expect(view).toMatchObject({ isPending: true, isFirst: true, requestedBy: 'ana' })
    expect(view.requestedAt).toBe('2026-01-01T00:00:00.000Z')
    expect(view.changes).toContainEqual({ field: 'name', approved: null, current: name, isApprovedKnown: true })
    expect(view.changes).toContainEqual({
      field: 'payload',
      approved: null,
      current: { month: '01' },
      isApprovedKnown: true,
    })
    expect(view.changes.map(({ field }) => field)).not.toContain('calendar')
  })

  it('is nothing where it was said, and where nobody is asked', async () => {
    const said = { isPending: false, isFirst: false, requestedBy: null, requestedAt: null, changes: [] }
    expect(await approval(await approved())).toEqual(said)
    const { id } = await stage.service.jobs.create(ana, fields())
    expect(await approval(id)).toEqual({ ...said, isFirst: true })
  })

  it('is what differs from what was approved, however often it was changed since', async () => {
    const id = await approved({ retryCount: 1 })
    await stage.test.advance('1h')
    await stage.service.jobs.update(dev, id, { cronExpression: '0 3 * * *', retryCount: 5 })
    await stage.test.advance('1h')
    await stage.service.jobs.update(ana, id, { cronExpression: '0 4 * * *', retryCount: 1 })
    await stage.test.advance('1h')
    await stage.service.jobs.update(bia, id, { tags: ['words'] })
    expect(await approval(id)).toEqual({
      isPending: true,
      isFirst: false,
      requestedBy: 'ana',
      requestedAt: '2026-01-01T02:00:00.000Z',
      changes: [{ field: 'cronExpression', approved: '0 2 * * *', current: '0 4 * * *', isApprovedKnown: true }],
    })
  })

  it('shows another kind of trigger beside the expression it takes the place of', async () => {
    const id = await approved()
    const trigger = { type: 'once', at: '2026-05-01T00:00:00.000Z' }
    await stage.service.jobs.update(ana, id, { trigger })
    const { changes } = await approval(id)
    expect(changes.map(({ field, current }) => [field, current])).toEqual([
      ['cronExpression', null],
      ['timeZone', null],
      ['trigger', trigger],
    ])
  })

  it('has the payload that was approved where the job has run with it', async () => {
    const id = await approved({ payload: { month: '01' } })
    await stage.test.advance('1d')
    await stage.service.jobs.update(ana, id, { payload: { month: '02' } })
    const change = { field: 'payload', approved: { month: '01' }, current: { month: '02' }, isApprovedKnown: true }
    expect((await approval(id)).changes).toEqual([change])
  })

  it('says so where nobody knows any more which payload was approved', async () => {
    const id = await approved({ payload: { month: '01' } })
    await stage.test.advance('1m')
    await stage.service.jobs.update(ana, id, { payload: { month: '02' } })
    const change = { field: 'payload', approved: null, current: { month: '02' }, isApprovedKnown: false }
    expect((await approval(id)).changes).toEqual([change])
    await stage.service.jobs.update(ana, id, { payload: { month: '01' } })
    expect(await approval(id)).toMatchObject({ isPending: true, changes: [] })
  })

  it('is who enables it again', async () => {
    const id = await approved()
    await stage.service.jobs.update(ana, id, { status: 'DISABLED' })
    await stage.service.jobs.update(dev, id, { status: 'ACTIVE' })
    expect(await approval(id)).toMatchObject({ isPending: true, requestedBy: 'davi', changes: [] })
  })
})

describe('a change that only code or a whole trigger can tell', () => {
  const usual = { tenant: 'acme', name: 'purge', trigger: cron('0 2 * * *') }
  it.each<[string, Partial<ScheduleJobOptions<unknown>>, string, unknown]>([
    ['of the days a cron counts', { trigger: cron('0 2 1 * 1', { dayRule: 'and' }) }, 'trigger', { dayRule: 'and' }],
    ['of the end of a cron', { trigger: cron('0 2 * * *', { endAt: '2027-01-01T00:00:00Z' }) }, 'trigger', {}],
    ['of the waits between retries', { retry: { retries: 3, initial: '1s' } }, 'retry', { jitter: 'none' }],
    [
      'of the policy for a cause',
      { misfire: { causes: { paused: 'fireAll' } } },
      'misfireCauses',
      { paused: 'fireAll' },
    ],
    ['of what is caught up with', { misfire: { catchUp: { limit: 5 } } }, 'misfireCatchUp', { limit: 5 }],
    ['to the letter of Quartz', { quartz: true }, 'quartz', true],
  ])('%s is shown', async (_what, change, field, current) => {
    const { app } = stage.test
    const { id } = await app.schedule('DeletarDadosObsoletos', usual)
    await approve(id)
    await app.schedule('DeletarDadosObsoletos', { ...usual, ...change })
    const view = await approval(id)
    expect(view).toMatchObject({ isPending: true, isFirst: false })
    const told = view.changes.find((each) => each.field === field)
    expect(told).toMatchObject({ approved: null, isApprovedKnown: true })
    if (typeof current === 'object') expect(told?.current).toMatchObject(current as object)
    else expect(told?.current).toBe(current)
  })
})

it('what is hidden elsewhere is hidden, and that it has changed is told', async () => {
  await using world = await openStage({ jobs: [httpRequest()] })
  const { jobs } = world.service
  const payload = (token: string) => ({ url: 'https://example.com/x?key=1', headers: { authorization: token } })
  const { id } = await jobs.create(
    ana,
    fields({ jobType: 'http.request', requiresTwoStepExecution: true, payload: payload('one') }),
  )
  await jobs.approve(bia, id, { comment: null })
  await jobs.update(ana, id, { payload: payload('two') })
  const { changes } = await jobs.approval(ana, id)
  const current = { url: 'https://example.com/x?***', headers: { authorization: '***' } }
  expect(changes).toMatchObject([{ field: 'payload', current }])
  expect(JSON.stringify(changes)).not.toMatch(/one|two|key=1/)
})

it('what is encrypted is told as well: hashes in the log are held against each other alone', async () => {
  const vault = new Vault(memory())
  await using world = await openStage({ store: vault.source })
  const { jobs } = world.service
  const { id } = await jobs.create(ana, fields({ requiresTwoStepExecution: true, payload: { month: '01' } }))
  await jobs.approve(bia, id, { comment: null })
  await jobs.update(ana, id, { retryCount: 5 })
  expect((await jobs.approval(ana, id)).changes.map(({ field }) => field)).toEqual(['retryCount'])
  await jobs.approve(bia, id, { comment: null })
  await jobs.execute(ana, id, {})
  await world.test.advance('1m')
  await jobs.update(ana, id, { payload: { month: '02' } })
  expect((await jobs.approval(ana, id)).changes).toEqual([
    { field: 'payload', approved: { month: '01' }, current: { month: '02' }, isApprovedKnown: true },
  ])
  await vault.close()
})
