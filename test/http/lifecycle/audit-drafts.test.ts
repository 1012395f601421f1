import { describe, expect, it } from 'vitest'
import type { AuditOperation, AuditValues } from '../../../src/access/audit.ts'
import { approvedJob, rejectedJob } from '../../../src/engine/lifecycle/approval.ts'
import {
  deletedJob,
  disabledJob,
  enabledJob,
  faultedJob,
  pausedJob,
  resumedJob,
  vanishedJob,
  withdrawnJob,
} from '../../../src/engine/lifecycle/change-status.ts'
import { createdJob } from '../../../src/engine/lifecycle/create-job.ts'
import { editedJob, type JobEdit } from '../../../src/engine/lifecycle/redefine-job.ts'
import type { Job } from '../../../src/job/job.ts'
import type { JobStatus } from '../../../src/job/job-status.ts'
import { testPontual } from '../../../src/testing.ts'
import { cron, simple } from '../../../src/time.ts'
import { ANA, BEN, type Decide, DORA, Stage, work } from './stage.ts'

const NOW = '2026-01-01T00:00:00.000Z'
const HASH_OF_1 = '6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b'

type Row = readonly [
  what: string,
  from: readonly [JobStatus, isSensitive: boolean],
  decide: (stage: Stage) => Decide | Promise<Decide>,
  operation: AuditOperation,
  userId: string | null,
  oldValues: AuditValues,
  newValues: AuditValues,
]

const ACTIVE = ['ACTIVE', false] as const
const PENDING = ['PENDING_APPROVAL', true] as const

async function editing(stage: Stage, edit: JobEdit | Promise<JobEdit>): Promise<Decide> {
  const edited = await edit
  return (job) => editedJob(stage.around, job, edited, DORA)
}
const defined = async (stage: Stage, options: Parameters<Stage['define']>[0]) => ({
  definition: await stage.define(options),
})

const ROWS: readonly Row[] = [
  [
    'a pause',
    ACTIVE,
    ({ around }) =>
      (job) =>
        pausedJob(around, job, { reason: 'why', until: around.time.now() + 60_000 }, DORA),
    'JOBS_JOB_PAUSE',
    'dora',
    { status: 'ACTIVE', statusReason: null, pausedUntil: null },
    { status: 'PAUSED', statusReason: 'why', pausedUntil: '2026-01-01T00:01:00.000Z', pausedAt: NOW },
  ],
  [
    'a resumption',
    ['PAUSED', false],
    ({ around }) =>
      (job) =>
        resumedJob(around, job, DORA),
    'JOBS_JOB_RESUME',
    'dora',
    { status: 'PAUSED' },
    { status: 'ACTIVE', resumedAt: NOW },
  ],
  [
    'an approval',
    PENDING,
    ({ around }) =>
      (job) =>
        approvedJob(around, job, { comment: 'ok\0', allowsSelfApproval: false }, BEN),
    'JOBS_JOB_APPROVE',
    'ben',
    { status: 'PENDING_APPROVAL', approvedByUserId: null, approvedAt: null },
    {
      status: 'APPROVED',
      approvedByUserId: 'ben',
      approvedBy: 'ben',
      approvedAt: NOW,
      comment: 'ok\u2400',
      definitionHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
  ],
  [
    'a rejection',
    PENDING,
    () => (job) => rejectedJob(job, { reason: 'no' }, BEN),
    'JOBS_JOB_REJECT',
    'ben',
    { status: 'PENDING_APPROVAL', statusReason: null },
    { status: 'DISABLED', statusReason: 'no' },
  ],
  [
    'another timeout',
    ACTIVE,
    (stage) => editing(stage, defined(stage, { timeout: '1h' })),
    'JOBS_JOB_UPDATE',
    'dora',
    { timeoutMinutes: null, scheduledByUserId: 'ana' },
    { timeoutMinutes: 60, scheduledByUserId: 'dora' },
  ],
  [
    'another payload, of which it tells the hash',
    ACTIVE,
    (stage) => editing(stage, defined(stage, { input: 1 })),
    'JOBS_JOB_UPDATE',
    'dora',
    { payloadHash: null, scheduledByUserId: 'ana' },
    { payloadHash: HASH_OF_1, scheduledByUserId: 'dora' },
  ],
  [
    'another cron',
    ACTIVE,
    (stage) => editing(stage, defined(stage, { trigger: cron('0 4 * * *', { timeZone: 'Europe/Lisbon' }) })),
    'JOBS_JOB_UPDATE',
    'dora',
    { cronExpression: '0 3 * * *', timeZone: 'UTC', scheduledByUserId: 'ana' },
    { cronExpression: '0 4 * * *', timeZone: 'Europe/Lisbon', scheduledByUserId: 'dora' },
  ],
  [
    'another kind of trigger',
    ACTIVE,
    (stage) => editing(stage, defined(stage, { trigger: simple({ startAt: NOW, interval: '1h' }) })),
    'JOBS_JOB_UPDATE',
    'dora',
    { cronExpression: '0 3 * * *', timeZone: 'UTC', trigger: null, scheduledByUserId: 'ana' },
    {
      cronExpression: null,
      timeZone: null,
      trigger: expect.objectContaining({ type: 'simple', intervalMs: 3_600_000 }),
      scheduledByUserId: 'dora',
    },
  ],
  [
    'other tags, which leave the approval',
    ['APPROVED', true],
    (stage) => editing(stage, { tags: ['a'], description: 'new' }),
    'JOBS_JOB_UPDATE',
    'dora',
    { tags: [], description: null },
    { tags: ['a'], description: 'new' },
  ],
  [
    'an edit that voids an approval',
    ['APPROVED', true],
    (stage) => editing(stage, { name: 'other' }),
    'JOBS_JOB_UPDATE',
    'dora',
    {
      name: 'APPROVED true',
      status: 'APPROVED',
      approvedByUserId: 'ben',
      approvedAt: NOW,
      scheduledByUserId: 'ana',
    },
    { name: 'other', status: 'PENDING_APPROVAL', approvedByUserId: null, approvedAt: null, scheduledByUserId: 'dora' },
  ],
  [
    'switching it off',
    ACTIVE,
    () => (job) => disabledJob(job, null, DORA),
    'JOBS_JOB_UPDATE',
    'dora',
    { status: 'ACTIVE' },
    { status: 'DISABLED' },
  ],
  [
    'switching it on',
    ['DISABLED', false],
    ({ around }) =>
      (job) =>
        enabledJob(around, job, DORA),
    'JOBS_JOB_UPDATE',
    'dora',
    { status: 'DISABLED' },
    { status: 'ACTIVE' },
  ],
  [
    'its end',
    ACTIVE,
    ({ around }) =>
      (job) =>
        deletedJob(around, job, DORA),
    'JOBS_JOB_DELETE',
    'dora',
    { status: 'ACTIVE', deletedAt: null },
    { status: 'DELETED', deletedAt: NOW, jobName: 'ACTIVE false' },
  ],
  [
    'that the code has lost it',
    ACTIVE,
    () => vanishedJob,
    'JOBS_JOB_UPDATE',
    null,
    { status: 'ACTIVE', statusReason: null },
    { status: 'DISABLED', statusReason: 'not in the code any more' },
  ],
  [
    'that it cannot be decided about',
    ACTIVE,
    () => (job) => faultedJob(job, 'no calendar'),
    'JOBS_JOB_UPDATE',
    null,
    { status: 'ACTIVE', statusReason: null },
    { status: 'FAULTED', statusReason: 'no calendar' },
  ],
  [
    'that nobody has approved it',
    ACTIVE,
    () => withdrawnJob,
    'JOBS_JOB_UPDATE',
    null,
    { status: 'ACTIVE', statusReason: null, requiresTwoStepExecution: false },
    {
      status: 'PENDING_APPROVAL',
      statusReason: 'what it would run was not approved',
      requiresTwoStepExecution: true,
    },
  ],
]

describe('the audit log is told', () => {
  it.each(ROWS)('%s', async (_what, [status, isSensitive], decideIn, operation, userId, oldValues, newValues) => {
    await using test = await testPontual({ jobs: [work] })
    const stage = await Stage.of(test.app)
    const before = await stage.in(status, isSensitive)
    await stage.change(before, await decideIn(stage))
    const draft = { operation, userId, jobId: before.id, executionId: null, oldValues, newValues }
    expect(stage.audit).toEqual([draft])
  })

  it('of a new job all that it is', async () => {
    await using test = await testPontual({ jobs: [work] })
    const stage = await Stage.of(test.app)
    const definition = await stage.define({ input: 1, priority: 'HIGH', timeout: '30m' })
    const request = { tenant: 'acme', name: 'closing', definition, description: 'of the month', tags: ['a'] }
    const { change } = await createdJob(stage.around, request, ANA)
    expect(change.audit).toEqual({
      operation: 'JOBS_JOB_CREATE',
      userId: 'ana',
      jobId: change.job.id,
      executionId: null,
      oldValues: null,
      newValues: {
        name: 'closing',
        description: 'of the month',
        jobType: 'work',
        cronExpression: '0 3 * * *',
        timeZone: 'UTC',
        status: 'ACTIVE',
        priority: 'HIGH',
        queue: 'default',
        timeoutMinutes: 30,
        retryCount: 3,
        requiresTwoStepExecution: false,
        payloadHash: HASH_OF_1,
        misfirePolicy: 'smart',
        misfireThresholdSeconds: 60,
        overlap: 'allow',
        onFault: 'continue',
        tags: ['a'],
        scheduledByUserId: 'ana',
      },
    })
  })

  it('nothing of an edit that changes nothing', async () => {
    await using test = await testPontual({ jobs: [work] })
    const stage = await Stage.of(test.app)
    const made = await stage.create({ tags: ['a'] })
    const edit = {
      name: made.name,
      definition: await stage.define(),
      tags: ['a'],
      description: null,
      isSensitive: false,
    }
    const after: Job = await stage.change(made, (job) => editedJob(stage.around, job, edit, DORA))
    expect([after, stage.audit]).toEqual([made, []])
  })
})
