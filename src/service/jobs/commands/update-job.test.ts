import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ana, bia, dev, fields, openStage, refusalOf, type Stage } from '../../../../test/http/service/stage.ts'
import { job } from '../../../job/type/job-type.ts'
import { cron } from '../../../time/triggers/cron.ts'
import type { JobView, NewJobFields } from '../../job-view.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(async () => await stage[Symbol.asyncDispose]())

const create = (change: Partial<NewJobFields> = {}) => stage.service.jobs.create(ana, fields(change))
const update = (id: string, change: object) => stage.service.jobs.update(bia, id, change)

describe('an update', () => {
  it('changes what is sent, and leaves the rest', async () => {
    const before = await create({ description: 'one', payload: { month: '01' }, tags: ['a'] })
    const after = await update(before.id, { timeoutMinutes: 60, tags: ['b'] })
    expect(after).toEqual({
      ...before,
      timeoutMinutes: 60,
      tags: ['b'],
      updatedAt: expect.any(String) as unknown,
      updatedBy: 'bia',
      scheduledByUserId: 'bia',
      version: 2,
    })
  })

  it('takes back all that was read, and changes nothing', async () => {
    const triggers = [
      { cronExpression: '0 9 * * 1-5', timeZone: 'America/Sao_Paulo' },
      { cronExpression: null, trigger: { type: 'once', at: '2030-01-01T00:00:00Z' } },
      {
        cronExpression: null,
        trigger: { type: 'simple', startAt: '2026-02-01T00:00:00Z', intervalMs: 90_000, repeatCount: 4 },
      },
      {
        cronExpression: null,
        trigger: {
          type: 'dailyTimeInterval',
          every: 2,
          unit: 'hour',
          from: '08:00:00',
          to: '18:00:00',
          weekdays: [1, 2],
          timeZone: 'Asia/Tokyo',
          repeatCount: -1,
        },
      },
      {
        cronExpression: null,
        trigger: {
          type: 'jittered',
          withinMs: 1_000,
          identity: 'x',
          trigger: { type: 'cron', expression: '0 0 * * *', timeZone: 'UTC' },
        },
      },
    ]
    for (const trigger of triggers) {
      const { id } = await create({ ...trigger, payload: { month: 'é' }, overlap: { atMost: 2 }, description: 'd' })
      const read = await stage.service.jobs.get(ana, id)
      const sent = JSON.parse(JSON.stringify(read)) as object
      expect(await update(id, sent)).toMatchObject({ version: 1, updatedBy: null })
    }
  })

  it('of the cron computes the next execution anew, and keeps the other options of the trigger', async () => {
    const { id } = await create({
      cronExpression: null,
      trigger: { type: 'cron', expression: '0 2 * * *', timeZone: 'America/Sao_Paulo', dayRule: 'and' },
    })
    const read = await stage.service.jobs.get(ana, id)
    const after = await update(id, { ...read, cronExpression: '0 3 * * *' })
    expect(after).toMatchObject({ cronExpression: '0 3 * * *', nextExecution: '2026-01-01T06:00:00.000Z' })
    expect(after.trigger).toMatchObject({ dayRule: 'and', timeZone: 'America/Sao_Paulo' })
    expect(await update(id, { timeZone: 'UTC' })).toMatchObject({ nextExecution: '2026-01-01T03:00:00.000Z' })
  })

  it('gives a trigger of another kind, though cron and zone are sent as they were read', async () => {
    const before = await create()
    const trigger = { type: 'once', at: '2026-05-01T00:00:00.000Z' }
    expect(await update(before.id, { ...before, trigger })).toMatchObject({ cronExpression: null, trigger })
  })

  it.each<[string, object, unknown]>([
    ['another job type', { jobType: 'Falhar' }, { '/jobType': 'read_only_field' }],
    ['another id', { id: 'x' }, { '/id': 'read_only_field' }],
    ['another tenant', { clienteId: 'globex' }, { '/clienteId': 'read_only_field' }],
    ['another creator', { createdBy: 'me' }, { '/createdBy': 'read_only_field' }],
    [
      'an approval',
      { approvedByUserId: 'me', approvedAt: '2026-01-01T00:00:00.000Z' },
      { '/approvedByUserId': 'read_only_field', '/approvedAt': 'read_only_field' },
    ],
    ['another origin', { origin: 'code' }, { '/origin': 'read_only_field' }],
    ['a status that has a verb', { status: 'PAUSED' }, { '/status': 'read_only_field' }],
    ['a status that is an approval', { status: 'APPROVED' }, { '/status': 'read_only_field' }],
    ['a status and more', { status: 'DISABLED', priority: 'HIGH' }, { '/status': 'status_not_alone' }],
    [
      'a field nobody knows',
      { epoch: 1, constructor: 2 },
      { '/epoch': 'unknown_field', '/constructor': 'unknown_field' },
    ],
    ['no trigger any more', { cronExpression: null }, { '/cronExpression': 'required' }],
    [
      'an invalid field',
      { timeoutMinutes: 1, cronExpression: 'x' },
      { '/timeoutMinutes': 'out_of_range', '/cronExpression': 'cron_invalid' },
    ],
    ['no timeout', { timeoutMinutes: null }, { '/timeoutMinutes': 'type_invalid' }],
    ['an old version', { version: 7, priority: 'HIGH' }, 'StaleVersionError stale_version'],
  ])('to %s is refused', async (_, change, expected) => {
    const { id } = await create()
    expect(await refusalOf(update(id, change))).toEqual(expected)
    expect((await stage.service.jobs.get(ana, id)).version).toBe(1)
  })

  it('leaves alone what changes by itself', async () => {
    const { id } = await create()
    const change = { statistics: {}, lastExecutions: [1], nextExecution: 'x', updatedAt: 'y', priority: 'LOW' }
    expect(await update(id, change)).toMatchObject({ priority: 'LOW', version: 2 })
  })

  it('of a version that somebody else has changed is stale, whoever was told of it', async () => {
    const { id } = await create()
    await update(id, { priority: 'HIGH' })
    const { service } = stage
    const stale = 'StaleVersionError stale_version'
    const options = { expectedVersion: 1 }
    expect(await refusalOf(service.jobs.update(ana, id, { priority: 'LOW' }, options))).toBe(stale)
    expect(await refusalOf(service.jobs.remove(ana, id, options))).toBe(stale)
    expect(await refusalOf(service.jobs.approve(ana, id, { comment: null, ...options }))).toBe(stale)
    expect(await service.jobs.update(ana, id, { priority: 'LOW' }, { expectedVersion: 2 })).toMatchObject({
      version: 3,
    })
  })

  it('to a name that is taken is a conflict, and the name of a deleted job is free', async () => {
    const [first, second] = [await create(), await create()]
    const taken = 'JobConflictError job.name_taken'
    expect(await refusalOf(update(second.id, { name: first.name }))).toBe(taken)
    expect(await refusalOf(create({ name: first.name }))).toBe(taken)
    await stage.service.jobs.remove(ana, first.id)
    expect(await update(second.id, { name: first.name })).toMatchObject({ name: first.name })
    expect(await stage.service.jobs.get(ana, first.id)).toMatchObject({ status: 'DELETED', deletedBy: 'ana' })
    expect(await refusalOf(update(first.id, { priority: 'LOW' }))).toBe('JobConflictError job.status_conflict')
  })

  it('disables a job and enables it again', async () => {
    const { id } = await create()
    expect(await update(id, { status: 'DISABLED' })).toMatchObject({ status: 'DISABLED', nextExecution: null })
    expect(await update(id, { status: 'DISABLED' })).toMatchObject({ version: 2 })
    expect(await update(id, { status: 'ACTIVE' })).toMatchObject({
      status: 'ACTIVE',
      nextExecution: expect.any(String) as unknown,
    })
  })

  it('of many at once loses none', async () => {
    const { id } = await create()
    const changes = [
      { priority: 'HIGH' },
      { timeoutMinutes: 60 },
      { retryCount: 1 },
      { tags: ['x'] },
      { description: 'd' },
    ]
    await Promise.all(changes.map((change) => update(id, change)))
    expect(await stage.service.jobs.get(ana, id)).toMatchObject({
      priority: 'HIGH',
      timeoutMinutes: 60,
      retryCount: 1,
      tags: ['x'],
      description: 'd',
      version: 6,
    })
  })
})

describe('a job that the code declares', () => {
  const nightly = job('noturno', { timeout: '90s', schedule: { trigger: cron('0 1 * * *') }, run: () => null })

  it('shows in what an operator’s edit differs, until it is reset', async () => {
    await using own = await openStage({ jobs: [nightly], tenant: 'acme' })
    const { service } = own
    const { items } = await service.jobs.list(ana, { limit: 10, sort: 'name', isDescending: false })
    const [declared] = items as [JobView]
    expect(declared).toMatchObject({ origin: 'code', differsFromCode: null, timeoutMinutes: 1.5 })
    const edited = await service.jobs.update(dev, declared.id, { ...declared, cronExpression: '0 5 * * *' })
    expect(edited).toMatchObject({ cronExpression: '0 5 * * *', timeoutMinutes: 1.5 })
    expect(edited.differsFromCode).toMatchObject({ cronExpression: '0 1 * * *' })
    expect(await service.jobs.reset(dev, declared.id)).toMatchObject({
      cronExpression: '0 1 * * *',
      differsFromCode: null,
    })
  })
})

it('the same id makes the same job', async () => {
  const id = '01999999-0000-7000-8000-000000000001'
  const asked = fields()
  const first = await stage.service.jobs.create(ana, asked, { id })
  expect(first.id).toBe(id)
  expect(await stage.service.jobs.create(ana, asked, { id })).toEqual(first)
})

it('a tenant has as many jobs as it may have', async () => {
  await using small = await openStage({}, { jobsPerTenant: 1 })
  const { id } = await small.service.jobs.create(ana, fields())
  expect(await refusalOf(small.service.jobs.create(ana, fields()))).toBe('QuotaError quota_exceeded')
  await small.service.jobs.remove(ana, id)
  expect(await refusalOf(small.service.jobs.create(ana, fields()))).toBe('accepted')
})
