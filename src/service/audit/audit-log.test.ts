import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  ana,
  bia,
  dev,
  fields,
  manager,
  openStage,
  refusalOf,
  type Stage,
  somebody,
  stranger,
} from '../../../test/http/service/stage.ts'
import type { AuditEntryView } from '../answers.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage?.[Symbol.asyncDispose]())

/** Somebody of a tenant that nobody else has written to. */
let tenants = 0
function newTenant() {
  tenants += 1
  return somebody('ana', 'Admin', { tenant: `tenant ${tenants}` })
}

describe('the audit log', () => {
  it('tells each thing that was done once, with who did it and what changed', async () => {
    const { service, test } = stage
    const admin = newTenant()
    const job = await service.jobs.create(admin, fields({ name: 'Faturas', timeoutMinutes: 30 }))
    await service.jobs.update(admin, job.id, { timeoutMinutes: 60 })
    await service.jobs.pause(admin, job.id, { reason: 'month end', until: null })
    await service.jobs.resume(admin, job.id)
    const { executionId } = await service.jobs.execute(admin, job.id, {})
    await test.settle()
    await service.jobs.remove(admin, job.id)
    const { items } = await service.audit.list(admin, { limit: 50 })
    expect(items.map(({ operation, operationType }) => [operation, operationType])).toEqual([
      ['JOBS_JOB_DELETE', 'DELETE'],
      ['JOBS_JOB_EXECUTE', 'EXECUTE'],
      ['JOBS_JOB_RESUME', 'RESUME'],
      ['JOBS_JOB_PAUSE', 'PAUSE'],
      ['JOBS_JOB_UPDATE', 'UPDATE'],
      ['JOBS_JOB_CREATE', 'CREATE'],
    ])
    for (const [index, item] of items.entries()) {
      expect(item).toMatchObject({
        clienteId: admin.tenant,
        userId: 'ana',
        jobId: job.id,
        jobName: 'Faturas',
        sequence: 6 - index,
      })
    }
    const [, executed, , , updated, created] = items
    expect(created).toMatchObject({ oldValues: null, newValues: { name: 'Faturas', jobType: 'ImportarFaturas' } })
    expect(updated).toMatchObject({ oldValues: { timeoutMinutes: 30 }, newValues: { timeoutMinutes: 60 } })
    const durationMs: unknown = expect.any(Number)
    expect(executed).toMatchObject({ executionId, newValues: { durationMs } })
    expect(await service.audit.verify(admin)).toEqual({ isIntact: true, entries: 6, hash: items[0]?.hash })
  })

  it('is reckoned anew once for all who ask meanwhile', async () => {
    const { service } = stage
    const admin = newTenant()
    await service.jobs.create(admin, fields({ name: 'Faturas' }))
    const [one, other] = await Promise.all([service.audit.verify(admin), service.audit.verify(admin)])
    expect(one).toBe(other)
    expect(await service.audit.verify(admin)).not.toBe(one)
    await expect(service.audit.verify(somebody('davi', 'Developer', { tenant: admin.tenant }))).rejects.toThrow('Admin')
  })

  it('gives page after page, each entry once', async () => {
    const { service } = stage
    const admin = newTenant()
    for (let count = 0; count < 5; count++) await service.jobs.create(admin, fields())
    const seen: AuditEntryView[] = []
    let cursor: string | undefined
    do {
      const page = await service.audit.list(admin, { limit: 2, cursor })
      seen.push(...page.items)
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    expect(seen.map(({ sequence }) => sequence)).toEqual([5, 4, 3, 2, 1])
  })

  it('finds what is asked for', async () => {
    const { service } = stage
    const admin = newTenant()
    const first = await service.jobs.create(admin, fields())
    const second = await service.jobs.create({ ...admin, userId: 'bia' }, fields())
    await service.jobs.pause(admin, second.id, { reason: null, until: null })
    const found = async (query: object) => {
      const { items } = await service.audit.list(admin, { limit: 10, ...query })
      return items.map(({ sequence }) => sequence)
    }
    expect(await found({ jobId: first.id.toUpperCase() })).toEqual([1])
    expect(await found({ userId: 'bia' })).toEqual([2])
    expect(await found({ operation: ['JOBS_JOB_PAUSE'] })).toEqual([3])
    expect(await found({ from: '2000-01-01T00:00:00Z', to: '2001-01-01T00:00:00Z' })).toEqual([])
  })

  it.each<[string, object, unknown]>([
    ['a job id that is none', { jobId: 'x' }, 'InvalidInputError id.invalid'],
    ['an instant that is none', { from: 'yesterday' }, { '/from': 'format_invalid' }],
    ['a page that is too long', { limit: 201 }, expect.stringContaining('InvalidInputError')],
    ['a cursor that is none', { cursor: 'x' }, 'InvalidInputError invalid_cursor'],
  ])('refuses %s', async (_what, query, refusal) => {
    expect(await refusalOf(stage.service.audit.list(ana, { limit: 10, ...query }))).toEqual(refusal)
  })

  it('a cursor of another tenant, or of another question, is refused', async () => {
    const { service } = stage
    const admin = newTenant()
    for (let count = 0; count < 3; count++) await service.jobs.create(admin, fields())
    const { nextCursor } = await service.audit.list(admin, { limit: 1 })
    const cursor = nextCursor ?? ''
    const invalid = 'InvalidInputError invalid_cursor'
    expect(await refusalOf(service.audit.list(stranger, { limit: 1, cursor }))).toBe(invalid)
    expect(await refusalOf(service.audit.list(admin, { limit: 1, cursor, userId: 'bia' }))).toBe(invalid)
  })

  it.each([
    ['a Developer', dev],
    ['a Manager', manager],
    ['an Admin whose key may not read', { ...bia, permissions: new Set([]) }],
  ])('is not for %s', async (_who, principal) => {
    const { audit } = stage.service
    expect(await refusalOf(audit.list(principal, { limit: 1 }))).toContain('ForbiddenError')
    expect(await refusalOf(audit.verify(principal))).toContain('ForbiddenError')
  })
})

describe('events', () => {
  it('are what happened after an entry, in order, without values', async () => {
    const { service } = stage
    const admin = newTenant()
    expect(await service.audit.lastSequence(admin)).toBe(0)
    const job = await service.jobs.create(admin, fields())
    await service.jobs.pause(admin, job.id, { reason: 'secret', until: null })
    expect(await service.audit.lastSequence(admin)).toBe(2)
    const timestamp: unknown = expect.any(String)
    const events = await service.audit.eventsAfter({ ...admin, profile: 'Manager' }, 0, 10)
    expect(events).toEqual([
      { sequence: 1, operation: 'JOBS_JOB_CREATE', jobId: job.id, executionId: null, timestamp },
      { sequence: 2, operation: 'JOBS_JOB_PAUSE', jobId: job.id, executionId: null, timestamp },
    ])
    expect(await service.audit.eventsAfter(admin, 1, 10)).toEqual(events.slice(1))
    expect(await service.audit.eventsAfter(admin, 0, 1)).toEqual(events.slice(0, 1))
    expect(await service.audit.eventsAfter(admin, 2, 10)).toEqual([])
    expect(await service.audit.eventsAfter(stranger, 0, 10)).toEqual([])
  })

  it('that were archived before anybody was told are told', async () => {
    await using own = await openStage()
    const { service } = own
    const job = await service.jobs.create(ana, fields())
    const last = await service.audit.lastSequence(ana)
    expect(await service.audit.eventsAfter(ana, last, 10)).toEqual([])
    await service.jobs.pause(ana, job.id, { reason: null, until: null })
    expect(await (await own.test.app.opened()).store.archive.cutAudit()).toBe('done')
    expect(await service.audit.eventsAfter(ana, last, 10)).toMatchObject([{ operation: 'JOBS_JOB_PAUSE' }])
  })

  it('need jobs:read', async () => {
    const nobody = { ...ana, permissions: new Set([]) }
    expect(await refusalOf(stage.service.audit.eventsAfter(nobody, 0, 1))).toContain('ForbiddenError')
    expect(await refusalOf(stage.service.audit.lastSequence(nobody))).toContain('ForbiddenError')
  })
})
