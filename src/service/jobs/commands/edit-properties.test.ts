import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ana, bia, fields, openStage, refusalOf, type Stage, somebody } from '../../../../test/http/service/stage.ts'
import type { JobView } from '../../job-view.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(async () => await stage[Symbol.asyncDispose]())

const RUNS = 60
const people = [ana, bia, somebody('caio'), somebody('key:1', 'Admin', { ownerId: 'ana' })]

const settable = fc.record(
  {
    description: fc.option(fc.constantFrom('a', 'b\nc', '')),
    cronExpression: fc.constantFrom('0 2 * * *', '*/5 * * * *', '@daily', 'x', null),
    timeZone: fc.constantFrom('UTC', 'America/Sao_Paulo', 'Asia/Tokyo', 'Mars/X'),
    trigger: fc.constantFrom(
      { type: 'once', at: '2026-06-01T00:00:00.000Z' },
      { type: 'simple', startAt: '2026-02-01T00:00:00.000Z', intervalMs: 120_000, repeatCount: 5 },
      { type: 'cron', expression: '0 9 * * 1', timeZone: 'Europe/Lisbon', dayRule: 'and' },
    ),
    priority: fc.constantFrom('HIGH', 'MEDIUM', 'LOW'),
    timeoutMinutes: fc.integer({ min: 4, max: 60 }),
    retryCount: fc.integer({ min: 0, max: 11 }),
    requiresTwoStepExecution: fc.boolean(),
    payload: fc.option(fc.record({ month: fc.constantFrom('01', '02') })),
    misfirePolicy: fc.constantFrom('fireNow', 'fireAll', 'skipAndScheduleNext'),
    misfireThresholdSeconds: fc.integer({ min: 0, max: 100 }),
    overlap: fc.constantFrom('allow', 'skip', { atMost: 2 }),
    tags: fc.uniqueArray(fc.constantFrom('x', 'y', 'z')),
  },
  { requiredKeys: [] },
)

/** What somebody does: edits some fields, or uses a verb. */
const deed = fc.record({
  by: fc.constantFrom(...people),
  what: fc.oneof(
    { weight: 3, arbitrary: settable },
    { weight: 2, arbitrary: fc.constantFrom('pause', 'resume', 'approve', 'reject', 'disable', 'enable') },
  ),
})
type Deed = typeof deed extends fc.Arbitrary<infer Value> ? Value : never

function perform(id: string, { by, what }: Deed): Promise<JobView> {
  const { jobs } = stage.service
  switch (what) {
    case 'pause':
      return jobs.pause(by, id, { reason: 'r', until: null })
    case 'resume':
      return jobs.resume(by, id)
    case 'approve':
      return jobs.approve(by, id, { comment: null })
    case 'reject':
      return jobs.reject(by, id, { reason: 'r' })
    case 'disable':
      return jobs.update(by, id, { status: 'DISABLED' })
    case 'enable':
      return jobs.update(by, id, { status: 'ACTIVE' })
    default:
      return jobs.update(by, id, what)
  }
}

/** The fields that the audit log tells by the names they have on the wire; of a payload it tells a hash. */
const TOLD = [
  'name',
  'description',
  'calendar',
  'status',
  'statusReason',
  'priority',
  'timeoutMinutes',
  'retryCount',
  'requiresTwoStepExecution',
  'misfirePolicy',
  'misfireThresholdSeconds',
  'overlap',
  'tags',
  'scheduledByUserId',
  'approvedByUserId',
  'approvedAt',
] as const satisfies readonly (keyof JobView)[]

it('whatever people do to a job, what is read can be sent back, and the audit log tells how it became what it is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { maxLength: 10 }), async (deeds) => {
      const { jobs, audit } = stage.service
      const { id } = await jobs.create(ana, fields({ requiresTwoStepExecution: deeds.length % 2 === 0 }))
      for (const each of deeds) await refusalOf(perform(id, each))
      const read = await jobs.get(ana, id)

      const sent = JSON.parse(JSON.stringify(read)) as object
      expect((await jobs.update(bia, id, sent)).version).toBe(read.version)

      const { items } = await audit.list(ana, { limit: 100, jobId: id })
      expect(items).toHaveLength(read.version)
      const told = items.toReversed().flatMap(({ newValues }) => Object.entries(newValues as object))
      const folded: Record<string, unknown> = Object.fromEntries(told)
      for (const field of TOLD) expect([field, folded[field] ?? null]).toEqual([field, read[field]])
      if (read.cronExpression !== null) expect(folded['cronExpression']).toBe(read.cronExpression)

      const isSensitive = read.requiresTwoStepExecution
      if (isSensitive && read.status === 'APPROVED') expect(read.approvedByUserId).not.toBe(read.scheduledByUserId)
      if (isSensitive) expect(read.status).not.toBe('ACTIVE')
    }),
    { numRuns: RUNS },
  )
})
