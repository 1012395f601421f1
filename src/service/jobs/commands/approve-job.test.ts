import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  ana,
  bia,
  dev,
  fields,
  openStage,
  refusalOf,
  type Stage,
  somebody,
} from '../../../../test/http/service/stage.ts'
import type { Principal } from '../../../access/principal.ts'
import type { NewJobFields } from '../../job-view.ts'

let stage: Stage
beforeEach(async () => {
  stage = await openStage()
})
afterEach(async () => await stage[Symbol.asyncDispose]())

const caio = somebody('caio')
const keyOf = (owner: Principal) => somebody('key:1', 'Admin', { ownerId: owner.userId, source: 'apiKey' })
const sensitive = (who = ana, change: Partial<NewJobFields> = {}) =>
  stage.service.jobs.create(who, fields({ requiresTwoStepExecution: true, payload: { month: '01' }, ...change }))
const approve = (who: Principal, id: string) => stage.service.jobs.approve(who, id, { comment: null })

describe('a sensitive job', () => {
  it('neither fires nor runs before a second person has said yes', async () => {
    const { id, status } = await sensitive()
    expect(status).toBe('PENDING_APPROVAL')
    expect(await refusalOf(stage.service.jobs.execute(ana, id, {}))).toBe('JobConflictError job.status_conflict')
    await stage.test.advance('3h')
    expect((await stage.service.jobs.get(ana, id)).lastExecutions).toEqual([])
    expect(await stage.service.jobs.approve(bia, id, { comment: 'fine' })).toMatchObject({
      status: 'APPROVED',
      approvedByUserId: 'bia',
      approvedAt: '2026-01-01T03:00:00.000Z',
      nextExecution: '2026-01-02T02:00:00.000Z',
    })
    expect(await refusalOf(stage.service.jobs.execute(dev, id, {}))).toBe('accepted')
    await stage.test.advance('1d')
    expect((await stage.service.jobs.get(ana, id)).statistics.succeeded).toBe(2)
  })

  it('is one where its job type is', async () => {
    const job = await stage.service.jobs.create(ana, fields({ jobType: 'DeletarDadosObsoletos' }))
    expect(job).toMatchObject({ status: 'PENDING_APPROVAL', requiresTwoStepExecution: true })
    const off = stage.service.jobs.update(bia, job.id, { requiresTwoStepExecution: false })
    expect(await refusalOf(off)).toEqual({ '/requiresTwoStepExecution': 'sensitive_type' })
  })

  it('runs only with the payload that was approved', async () => {
    const { id } = await sensitive()
    await approve(bia, id)
    const other = stage.service.jobs.execute(ana, id, { payload: { month: '02' } })
    expect(await refusalOf(other)).toBe('JobConflictError job.payload_not_approved')
    expect(await refusalOf(stage.service.jobs.enqueue(ana, { jobId: id, payload: { month: '02' } }))).toBe(
      'JobConflictError job.payload_not_approved',
    )
    expect(await refusalOf(stage.service.jobs.execute(ana, id, { payload: { month: '01' } }))).toBe('accepted')
  })

  it('does not repeat an execution with a payload that is not approved any more', async () => {
    const { id } = await sensitive(ana, { jobType: 'Falhar', payload: 'old', retryCount: 0 })
    await approve(bia, id)
    const { executionId } = await stage.service.jobs.execute(ana, id, {})
    await stage.test.settle()
    await stage.service.jobs.update(ana, id, { payload: 'new' })
    await approve(bia, id)
    expect(await refusalOf(stage.service.jobs.retry(ana, id, executionId))).toBe(
      'JobConflictError job.payload_not_approved',
    )
  })
})

describe('the yes is not given by', () => {
  const self = 'ForbiddenError self_approval_forbidden'

  it('whoever made it, nor by a key of his', async () => {
    const { id } = await sensitive()
    expect(await refusalOf(approve(ana, id))).toBe(self)
    expect(await refusalOf(approve(keyOf(ana), id))).toBe(self)
    expect(await refusalOf(approve(keyOf(bia), id))).toBe('accepted')
  })

  it('the owner of the key that made it', async () => {
    const { id } = await sensitive(keyOf(ana))
    expect(await refusalOf(approve(ana, id))).toBe(self)
    expect(await refusalOf(approve(somebody('key:2', 'Admin', { ownerId: 'ana' }), id))).toBe(self)
    expect(await refusalOf(approve(bia, id))).toBe('accepted')
  })

  it('whoever edited it last, nor whoever edited it before', async () => {
    const { id } = await sensitive()
    await stage.service.jobs.update(bia, id, { timeoutMinutes: 60 })
    await stage.service.jobs.update(dev, id, { timeoutMinutes: 90 })
    for (const who of [ana, bia]) expect(await refusalOf(approve(who, id))).toBe(self)
    expect(await refusalOf(approve(caio, id))).toBe('accepted')
  })

  it('whoever made it the first time, also once it was approved and edited again', async () => {
    const { id } = await sensitive()
    await approve(bia, id)
    await stage.service.jobs.update(bia, id, { cronExpression: '0 4 * * *' })
    for (const who of [ana, bia]) expect(await refusalOf(approve(who, id))).toBe(self)
    expect(await refusalOf(approve(caio, id))).toBe('accepted')
  })

  it('the same person, unless the tenant allows it', async () => {
    const { id } = await sensitive()
    await stage.service.administration.updateSettings(ana, { allowsSelfApproval: true }, null)
    await stage.service.administration.approveSettings(bia, { comment: null })
    expect(await refusalOf(approve(ana, id))).toBe('accepted')
  })
})

describe('a change of the calendar of an approved job', () => {
  const weekend = { type: 'weekly', weekdays: [0, 6] } as const
  const put = (who: Principal, definition: object, name = 'business') =>
    stage.service.administration.putCalendar(who, name, definition)
  const approved = async () => {
    await put(ana, weekend)
    const { id } = await sensitive(ana, { calendar: 'business' })
    await approve(bia, id)
    return id
  }
  const get = (id: string) => stage.service.jobs.get(ana, id)

  it('voids the approval, and its author cannot renew it', async () => {
    const id = await approved()
    await put(bia, { ...weekend, includes: ['2026-01-03'] })
    expect(await get(id)).toMatchObject({ status: 'PENDING_APPROVAL', approvedByUserId: null })
    expect(await refusalOf(stage.service.jobs.execute(ana, id, {}))).toBe('JobConflictError job.status_conflict')
    for (const who of [ana, bia, keyOf(bia)]) {
      expect(await refusalOf(approve(who, id))).toBe('ForbiddenError self_approval_forbidden')
    }
    const { changes } = await stage.service.jobs.approval(caio, id)
    expect(changes).toMatchObject([
      { field: 'calendarDefinition', approved: weekend, current: { includes: ['2026-01-03'] } },
    ])
    expect(await refusalOf(approve(caio, id))).toBe('accepted')
  })

  it('does so also for a base of the calendar', async () => {
    await put(ana, { ...weekend, base: { type: 'holiday', dates: ['2026-01-01'] } })
    const { id } = await sensitive(ana, { calendar: 'business' })
    await approve(bia, id)
    await put(caio, { ...weekend, base: { type: 'holiday', dates: ['2026-01-02'] } })
    expect(await get(id)).toMatchObject({ status: 'PENDING_APPROVAL' })
  })

  it('is preceded by a first approval that shows the content', async () => {
    await put(ana, weekend)
    const { id } = await sensitive(ana, { calendar: 'business' })
    const { isFirst, changes } = await stage.service.jobs.approval(bia, id)
    expect(isFirst).toBe(true)
    expect(changes.filter(({ field }) => field.startsWith('calendar'))).toMatchObject([
      { field: 'calendar', approved: null, current: 'business' },
      { field: 'calendarDefinition', approved: null, current: weekend },
    ])
  })

  it('leaves jobs alone that are not sensitive, use another calendar, or whose calendar stays the same', async () => {
    const id = await approved()
    await put(ana, weekend, 'other')
    const plain = await stage.service.jobs.create(ana, fields({ calendar: 'business' }))
    await put(caio, weekend)
    await put(caio, { type: 'weekly', weekdays: [6] }, 'other')
    expect(await get(id)).toMatchObject({ status: 'APPROVED' })
    await put(caio, { type: 'weekly', weekdays: [0] })
    expect(await get(id)).toMatchObject({ status: 'PENDING_APPROVAL' })
    expect(await get(plain.id)).toMatchObject({ status: 'ACTIVE' })
  })

  it('makes stale what is about to be approved', async () => {
    await put(ana, weekend)
    const { id, version } = await sensitive(ana, { calendar: 'business' })
    await put(caio, { type: 'weekly', weekdays: [0] })
    const seen = stage.service.jobs.approve(bia, id, { comment: null, expectedVersion: version })
    expect(await refusalOf(seen)).toBe('StaleVersionError stale_version')
  })

  it('keeps a disabled job disabled until it is enabled and approved', async () => {
    const id = await approved()
    await stage.service.jobs.update(ana, id, { status: 'DISABLED' })
    await put(caio, { type: 'weekly', weekdays: [0] })
    expect(await get(id)).toMatchObject({ status: 'DISABLED' })
    expect(await stage.service.jobs.update(ana, id, { status: 'ACTIVE' })).toMatchObject({ status: 'PENDING_APPROVAL' })
  })

  it('is announced by the preview', async () => {
    const id = await approved()
    const preview = (definition: object) =>
      stage.service.administration.previewCalendar(ana, 'business', { definition })
    expect(await preview(weekend)).toMatchObject({ approvals: [] })
    expect(await preview({ type: 'weekly', weekdays: [0] })).toMatchObject({ approvals: [{ jobId: id }] })
  })
})

describe('an edit of an approved job', () => {
  it.each<[string, object]>([
    ['the payload', { payload: { month: '02' } }],
    ['the cron', { cronExpression: '0 3 * * *' }],
    ['the zone', { timeZone: 'Asia/Tokyo' }],
    ['the timeout', { timeoutMinutes: 60 }],
    ['the retries', { retryCount: 1 }],
    ['the priority', { priority: 'HIGH' }],
    ['the name', { name: 'another name' }],
    ['the overlap', { overlap: 'skip' }],
    ['the misfire policy', { misfirePolicy: 'fireAll' }],
    ['whether it is sensitive', { requiresTwoStepExecution: false }],
  ])('of %s takes the yes away', async (_, change) => {
    const { id } = await sensitive()
    await approve(bia, id)
    const after = await stage.service.jobs.update(ana, id, change)
    expect(after).toMatchObject({ status: 'PENDING_APPROVAL', approvedByUserId: null, approvedAt: null })
    expect(await refusalOf(stage.service.jobs.execute(ana, id, {}))).toBe('JobConflictError job.status_conflict')
  })

  it('of its description or tags leaves it', async () => {
    const { id } = await sensitive()
    await approve(bia, id)
    const after = await stage.service.jobs.update(ana, id, { description: 'why', tags: ['x'] })
    expect(after).toMatchObject({ status: 'APPROVED', approvedByUserId: 'bia' })
  })

  it('needs jobs:schedule', async () => {
    const { id } = await sensitive()
    const { permissions } = dev
    const narrow = { ...dev, permissions: new Set([...permissions].filter((each) => each !== 'jobs:schedule')) }
    const missing = 'ForbiddenError access.permission_missing'
    expect(await refusalOf(stage.service.jobs.update(narrow, id, { timeoutMinutes: 60 }))).toBe(missing)
    expect(await refusalOf(stage.service.jobs.update(narrow, id, { description: 'd' }))).toBe('accepted')
  })
})

describe('of a yes and a no', () => {
  it('that come at once one counts', async () => {
    for (let n = 0; n < 20; n += 1) {
      const { id } = await sensitive()
      const answers = await Promise.all([
        refusalOf(approve(bia, id)),
        refusalOf(stage.service.jobs.reject(caio, id, { reason: 'no' })),
        refusalOf(approve(caio, id)),
      ])
      expect(answers.filter((answer) => answer === 'accepted')).toHaveLength(1)
    }
  })

  it('a yes to what was edited meanwhile is none', async () => {
    const { id, version } = await sensitive()
    await stage.service.jobs.update(ana, id, { payload: { month: '12' } })
    const stale = stage.service.jobs.approve(bia, id, { comment: null, expectedVersion: version })
    expect(await refusalOf(stale)).toBe('StaleVersionError stale_version')
  })

  it('the no disables the job, with a reason', async () => {
    const { id } = await sensitive()
    expect(await refusalOf(stage.service.jobs.reject(bia, id, { reason: '' }))).toEqual({ '/reason': 'required' })
    expect(await stage.service.jobs.reject(bia, id, { reason: 'too much' })).toMatchObject({
      status: 'DISABLED',
      statusReason: 'too much',
    })
    expect(await refusalOf(approve(bia, id))).toBe('JobConflictError job.status_conflict')
    expect(await stage.service.jobs.update(ana, id, { status: 'ACTIVE' })).toMatchObject({ status: 'PENDING_APPROVAL' })
  })

  it('neither is for a job that needs none', async () => {
    const { id } = await stage.service.jobs.create(ana, fields())
    expect(await refusalOf(approve(bia, id))).toBe('JobConflictError job.status_conflict')
  })
})
