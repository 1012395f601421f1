import { z } from 'zod'
import { JOB_STATUSES } from '../../job/job-status.ts'
import { PRIORITIES } from '../../job/rules/priority.ts'
import type { JobMore } from '../../service/api.ts'
import type { JobFieldsUpdate, JobListItem, JobView, NewJobFields } from '../../service/job-view.ts'
import type { MisfirePolicy } from '../../time/misfire/policy.ts'
import type { TriggerJson } from '../../time/triggers/json.ts'
import { executionView, recentExecution } from './execution.ts'
import { answeredInstant, anything, pageOf, unreadable } from './values.ts'

export const priority = z.enum(PRIORITIES)
export const jobStatus = z.enum(JOB_STATUSES)

const trigger = z.custom<TriggerJson>().meta({
  type: 'object',
  description: 'A trigger: cron, simple, calendarInterval, dailyTimeInterval, once, jittered or calendared.',
  properties: { type: { type: 'string' } },
  required: ['type'],
})

const overlap = z.union([
  z.enum(['allow', 'queue', 'skip', 'replace']),
  z.object({ atMost: z.int().min(1).max(10_000) }),
])

export const misfirePolicy = z.custom<MisfirePolicy>().meta({
  type: 'string',
  description: 'smart, ignore, fireNow, fireOnce, fireAll, skipToNext or one of the four that reschedule.',
})

export const jobView = z.object({
  id: z.string(),
  clienteId: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  jobType: z.string(),
  cronExpression: z.string().nullable(),
  timeZone: z.string(),
  trigger,
  calendar: z.string().nullable(),
  status: jobStatus,
  statusReason: z.string().nullable(),
  pausedUntil: answeredInstant.nullable(),
  priority,
  timeoutMinutes: z.number().nullable(),
  retryCount: z.int(),
  requiresTwoStepExecution: z.boolean(),
  payload: anything,
  payloadError: unreadable.optional(),
  misfirePolicy,
  misfireThresholdSeconds: z.number(),
  overlap,
  tags: z.array(z.string()),
  nextExecution: answeredInstant.nullable(),
  scheduledByUserId: z.string().nullable(),
  approvedByUserId: z.string().nullable(),
  approvedAt: answeredInstant.nullable(),
  createdAt: answeredInstant,
  createdBy: z.string().nullable(),
  updatedAt: answeredInstant.nullable(),
  updatedBy: z.string().nullable(),
  deletedAt: answeredInstant.nullable(),
  deletedBy: z.string().nullable(),
  isSuspended: z.boolean().meta({ description: 'Whether JOBS_SCHEDULING is switched off for the tenant.' }),
  origin: z.enum(['code', 'runtime']),
  differsFromCode: z.record(z.string(), anything).nullable(),
  cronOverride: z.object({ source: z.string(), cronExpression: z.string(), codeCronExpression: z.string() }).nullable(),
  version: z.int(),
}) satisfies z.ZodType<JobView>

const rate = z.number().nullable()

const jobStatistics = z.object({
  successRate: rate,
  totalExecutions: z.int(),
  succeeded: z.int(),
  failed: z.int(),
  timedOut: z.int(),
  cancelled: z.int(),
  meanDurationMs: rate,
  p50DurationMs: rate,
  p95DurationMs: rate,
  p99DurationMs: rate,
  lastFailure: z
    .object({ executionId: z.string(), at: answeredInstant, errorMessage: z.string().nullable() })
    .nullable(),
  lastSuccessAt: answeredInstant.nullable(),
})

export const jobDetailView = jobView.extend({
  statistics: jobStatistics,
  lastExecutions: z.array(executionView),
}) satisfies z.ZodType<JobView & JobMore>

const jobListItem = jobView.extend({
  recentExecutions: z
    .array(recentExecution)
    .optional()
    .meta({ description: 'With `with=recent`: the last ten, for those who may see them.' }),
}) satisfies z.ZodType<JobListItem>

export const jobPage = pageOf(jobListItem)

/** The shape of what may be set; what it means is the service's to judge, so that the same rules hold without HTTP. */
const settable = {
  name: z.string().meta({ minLength: 3, maxLength: 255 }),
  description: z.string().meta({ maxLength: 1_000 }).nullable(),
  cronExpression: z.string().meta({ maxLength: 100 }).nullable(),
  trigger: z.record(z.string(), anything),
  timeZone: z.string(),
  calendar: z.string().nullable(),
  priority,
  timeoutMinutes: z.number().meta({ type: 'integer', minimum: 5, maximum: 240, default: 30 }),
  retryCount: z.number().meta({ type: 'integer', minimum: 0, maximum: 10, default: 3 }),
  requiresTwoStepExecution: z.boolean(),
  payload: anything,
  misfirePolicy: z.string(),
  misfireThresholdSeconds: z.number().meta({ type: 'integer', minimum: 0, maximum: 604_800 }),
  overlap: z.union([z.string(), z.record(z.string(), anything)]),
  tags: z.array(z.string().meta({ minLength: 1, maxLength: 64 })).meta({ maxItems: 20 }),
}

export const newJob = z.strictObject({
  ...z.object(settable).partial().shape,
  name: settable.name,
  jobType: z.string().meta({ minLength: 1, maxLength: 100 }),
}) satisfies z.ZodType<NewJobFields>

const readOnly = Object.fromEntries(
  Object.keys({ ...jobDetailView.shape, ...jobListItem.shape }).map((field) => [field, anything]),
)

/** What GET gives can be edited and sent back: read-only fields may stand in it, as they were. */
export const jobUpdate = z.strictObject(
  // A job that the code declares may have no timeout, and says so when it is read.
  z
    .object({
      ...readOnly,
      ...settable,
      timeoutMinutes: settable.timeoutMinutes.nullable(),
      // Told to whoever is late, so that it has to be one.
      version: z.int(),
    })
    .partial().shape,
) satisfies z.ZodType<JobFieldsUpdate>
