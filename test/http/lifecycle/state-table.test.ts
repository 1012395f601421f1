import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { approvedJob, rejectedJob } from '../../../src/engine/lifecycle/approval.ts'
import {
  deletedJob,
  disabledJob,
  enabledJob,
  pausedJob,
  resumedJob,
} from '../../../src/engine/lifecycle/change-status.ts'
import { editedJob } from '../../../src/engine/lifecycle/redefine-job.ts'
import { requestedExecution } from '../../../src/engine/lifecycle/request-execution.ts'
import type { Job } from '../../../src/job/job.ts'
import { JOB_STATUSES, JobConflictError, type JobStatus } from '../../../src/job/job-status.ts'
import { type TestPontual, testPontual } from '../../../src/testing.ts'
import { DORA, Stage, work } from './stage.ts'

type Verb = 'pause' | 'resume' | 'execute' | 'approve' | 'reject' | 'update' | 'disable' | 'enable' | 'delete'
const VERBS: readonly Verb[] = [
  'pause',
  'resume',
  'execute',
  'approve',
  'reject',
  'update',
  'disable',
  'enable',
  'delete',
]

/** What becomes of a job, as the contract has it; 409 where its status does not allow that. Each row in the order of the verbs. */
const TABLE: readonly (readonly [JobStatus, isSensitive: boolean, becomes: string])[] = [
  ['ACTIVE', false, 'PAUSED 409 202 409 409 ACTIVE DISABLED 409 DELETED'],
  ['APPROVED', true, 'PAUSED 409 202 409 409 PENDING_APPROVAL DISABLED 409 DELETED'],
  ['PAUSED', false, '409 ACTIVE 202 409 409 PAUSED DISABLED 409 DELETED'],
  ['PAUSED', true, '409 APPROVED 202 409 409 PENDING_APPROVAL DISABLED 409 DELETED'],
  ['PENDING_APPROVAL', true, '409 409 409 APPROVED DISABLED PENDING_APPROVAL DISABLED 409 DELETED'],
  ['FAULTED', false, 'PAUSED ACTIVE 202 409 409 ACTIVE DISABLED 409 DELETED'],
  ['FAULTED', true, 'PAUSED APPROVED 202 409 409 PENDING_APPROVAL DISABLED 409 DELETED'],
  ['DISABLED', false, '409 409 409 409 409 DISABLED 409 ACTIVE DELETED'],
  ['DISABLED', true, '409 409 409 409 409 DISABLED 409 PENDING_APPROVAL DELETED'],
  ['DELETED', false, '409 409 409 409 409 409 409 409 409'],
  ['DELETED', true, '409 409 409 409 409 409 409 409 409'],
]
const CELLS = TABLE.flatMap(([status, isSensitive, becomes]) =>
  becomes
    .split(' ')
    .map(
      (expected, index) => [isSensitive ? 'sensitive' : 'plain', status, VERBS[index] ?? 'pause', expected] as const,
    ),
)

describe('a job', () => {
  let app: TestPontual
  let stage: Stage
  beforeAll(async () => {
    app = await testPontual({ jobs: [work] })
    stage = await Stage.of(app.app)
  })
  afterAll(() => app.stop())

  it('has every status in the table', () => {
    expect(new Set(TABLE.map(([status]) => status))).toEqual(new Set(JOB_STATUSES))
    expect(CELLS).toHaveLength(TABLE.length * VERBS.length)
  })

  it.each(CELLS)('that is %s and %s: %s gives %s', async (kind, status, verb, expected) => {
    const before = await stage.in(status, kind === 'sensitive')
    const asked = perform(before, verb)
    if (expected === '409') {
      await expect(asked).rejects.toThrow(JobConflictError)
      expect(await asIsStored(before)).toEqual(before)
    } else if (expected === '202') {
      expect(await asked).toBe('202')
    } else {
      expect(await asked).toBe(expected)
      expect(await asIsStored(before)).toMatchObject({ status: expected, version: before.version + 1 })
    }
    const left = await asIsStored(before)
    if (left?.status !== 'DELETED') await stage.change(before, (job) => deletedJob(stage.around, job, DORA))
  })

  async function asIsStored({ id }: Job): Promise<Job | undefined> {
    return (await stage.around.store.jobs.find([id]))[0]
  }

  async function perform(before: Job, verb: Verb): Promise<string> {
    const { around } = stage
    if (verb === 'execute') {
      expect(await requestedExecution(around, before, { requestedBy: 'dora' })).toMatchObject({
        body: { jobId: before.id, origin: 'manual', options: { requestedBy: 'dora' } },
      })
      return '202'
    }
    const definition = await stage.define({ input: { month: 3 } })
    const { status } = await stage.change(before, (job) => {
      switch (verb) {
        case 'pause':
          return pausedJob(around, job, { reason: null, until: null }, DORA)
        case 'resume':
          return resumedJob(around, job, DORA)
        case 'approve':
          return approvedJob(around, job, { comment: null, allowsSelfApproval: false }, DORA)
        case 'reject':
          return rejectedJob(job, { reason: 'not now' }, DORA)
        case 'update':
          return editedJob(around, job, { definition }, DORA)
        case 'disable':
          return disabledJob(job, null, DORA)
        case 'enable':
          return enabledJob(around, job, DORA)
        case 'delete':
          return deletedJob(around, job, DORA)
      }
    })
    return status
  }
})
