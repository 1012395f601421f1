import { z } from 'zod'
import { type Accepts, JOB_FIELD_NAMES, JOB_FIELDS, type JobFieldName, type JobFields } from '../../job/job-fields.ts'
import { JOB_STATUSES } from '../../job/job-status.ts'
import { PRIORITIES } from '../../job/rules/priority.ts'
import type { JobMore } from '../../service/api.ts'
import type { JobFieldsUpdate, JobListItem, JobView, NewJobFields } from '../../service/job-view.ts'
import type { MisfirePolicy } from '../../time/misfire/policy.ts'
import { executionView, recentExecution } from './execution.ts'
import { TRIGGER_REFERENCE, triggerShape } from './trigger.ts'
import { answeredInstant, anything, pageOf, unreadable } from './values.ts'

export const priority = z.enum(PRIORITIES)
export const jobStatus = z.enum(JOB_STATUSES)

export const misfirePolicy = z
  .custom<MisfirePolicy>()
  .meta({ type: 'string', description: JOB_FIELDS.misfirePolicy.description })

/** The shapes of fields that rules of the engine parse, in a response and in a request. */
const PARSED = {
  trigger: { answered: triggerShape, sent: z.record(z.string(), anything).meta({ $ref: TRIGGER_REFERENCE }) },
  payload: { answered: anything, sent: anything },
  misfirePolicy: { answered: misfirePolicy, sent: z.string() },
  overlap: {
    answered: z.union([
      z.enum(['allow', 'queue', 'skip', 'replace']),
      z.object({ atMost: z.int().min(1).max(10_000) }),
    ]),
    sent: z.union([z.string(), z.record(z.string(), anything)]),
  },
} satisfies Readonly<Record<string, { readonly answered: z.ZodType; readonly sent: z.ZodType }>>

/** A field in a response, which may hold what only code can declare. */
function answeredField(name: JobFieldName): z.ZodType {
  const { accepts, isNullable, description } = JOB_FIELDS[name]
  const value = answeredValue(name, accepts)
  const isOptional = isNullable || name === 'timeoutMinutes'
  return (isOptional ? value.nullable() : value).meta({ description })
}

function answeredValue(name: JobFieldName, accepts: Accepts): z.ZodType {
  switch (accepts.kind) {
    case 'text':
      return z.string()
    case 'integer':
      return name === 'retryCount' ? z.int() : z.number()
    case 'flag':
      return z.boolean()
    case 'list':
      return z.array(z.string())
    case 'word':
      return z.enum(accepts.words)
    case 'json':
      return parsedShape(name).answered
  }
}

/** The shape of a field in a request. The service checks its value, so that the same rules hold without HTTP. */
function sentField(name: JobFieldName): z.ZodType {
  const { isNullable, description } = JOB_FIELDS[name]
  const value = sentValue(name)
  return (isNullable ? value.nullable() : value).meta({ description })
}

function sentValue(name: JobFieldName): z.ZodType {
  const { accepts, default: preset } = JOB_FIELDS[name]
  switch (accepts.kind) {
    case 'text':
      return z.string().meta(lengths(accepts))
    case 'integer':
      return z.number().meta({ type: 'integer', minimum: accepts.min, maximum: accepts.max, default: preset })
    case 'flag':
      return z.boolean()
    case 'list':
      return z.array(z.string().meta(lengths(accepts.item))).meta({ maxItems: accepts.max })
    case 'word':
      return z.enum(accepts.words)
    case 'json':
      return parsedShape(name).sent
  }
}

function lengths({ min, max }: { readonly min: number; readonly max: number }) {
  return min === 0 ? { maxLength: max } : { minLength: min, maxLength: max }
}

function parsedShape(name: JobFieldName) {
  if (Object.hasOwn(PARSED, name)) return PARSED[name as keyof typeof PARSED]
  throw new TypeError(`Field ${name} has no shape`)
}

function shapesOf(shapeOf: (name: JobFieldName) => z.ZodType): Record<JobFieldName, z.ZodType> {
  return Object.fromEntries(JOB_FIELD_NAMES.map((name) => [name, shapeOf(name)])) as Record<JobFieldName, z.ZodType>
}

type Answered = { readonly [Name in JobFieldName]: z.ZodType<JobFields[Name]> }

export const jobView = z.object({
  ...(shapesOf(answeredField) as Answered),
  id: z.string(),
  clienteId: z.string(),
  jobType: z.string(),
  status: jobStatus,
  statusReason: z.string().nullable(),
  pausedUntil: answeredInstant.nullable(),
  payloadError: unreadable.optional(),
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

const sent = shapesOf(sentField)

export const newJob = z.strictObject({
  ...z.object(sent).partial().shape,
  name: sent.name,
  jobType: z.string().meta({ minLength: 1, maxLength: 100 }),
}) as unknown as z.ZodType<NewJobFields>

const readOnly = Object.fromEntries(
  Object.keys({ ...jobDetailView.shape, ...jobListItem.shape }).map((field) => [field, anything]),
)

/** What GET gives can be edited and sent back: read-only fields may stand in it, as they were. */
export const jobUpdate = z.strictObject(
  // A job that the code declares may have no timeout, and says so when it is read.
  z
    .object({
      ...readOnly,
      ...sent,
      timeoutMinutes: sent.timeoutMinutes.nullable(),
      // Told to whoever is late, so that it has to be one.
      version: z.int(),
    })
    .partial().shape,
) satisfies z.ZodType<JobFieldsUpdate>
