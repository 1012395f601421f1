import { decodeValue, inputEncoder } from '../../durable/codec.ts'
import type { Execution, ExecutionBody, ExecutionOptions } from '../../job/execution/execution.ts'
import { isSamePayload } from '../../job/execution/payload.ts'
import { requireReadable } from '../../job/execution/unreadable.ts'
import type { Job } from '../../job/job.ts'
import { JobConflictError, requireVerb } from '../../job/job-status.ts'
import type { Priority } from '../../job/rules/priority.ts'
import { validate } from '../../job/type/standard-schema.ts'
import type { NewAuditEntry } from '../../store/audit.ts'
import type { NewExecution } from '../../store/executions.ts'
import { executionOf, optionsOfAnother } from '../firing/fire-job.ts'
import { isSensitive, type LifecycleDeps, requireApproval } from './status-fields.ts'

/** A run of a job that somebody asks for, beside its schedule. */
export interface ExecutionRequest {
  /** Default: a new one. */
  readonly id?: string | undefined
  /** In place of the job's own; a sensitive job takes no other. */
  readonly input?: unknown
  readonly priority?: Priority | undefined
  /** Not before this instant. */
  readonly runAt?: number | undefined
  readonly delayMs?: number | undefined
  readonly idempotencyKey?: string | undefined
  /** Who asks; for the audit log. */
  readonly requestedBy?: string | null | undefined
}

/** A run of a job as it is defined now. Throws where its status does not allow one, its input does not fit, or nobody has approved that it runs this. */
export async function requestedExecution(
  deps: Pick<LifecycleDeps, 'env' | 'time' | 'types'>,
  job: Job,
  request: ExecutionRequest,
): Promise<NewExecution> {
  const { env, time, types } = deps
  requireVerb(job, 'execute')
  requireApproval(deps, job)
  const now = time.now()
  const own = executionOf(job, now, request.id ?? env.uuid(now))
  const thing = `Input of job "${job.name}"`
  const encode = inputEncoder(job.definition.durable ?? false)
  const payload = request.input === undefined ? own.payload : encode(request.input, thing)
  if (isSensitive(deps, job) && !isSamePayload(payload, own.payload)) throw notApproved(job)
  const schema = types.get(job.definition.jobType)?.schema
  if (schema) await validate(schema, decodeValue(payload), thing)
  const { priority = own.priority, runAt = null, delayMs, idempotencyKey = null, requestedBy = null } = request
  const options = requestedBy === null ? own.options : { ...own.options, requestedBy }
  return { body: { ...own, payload, priority, idempotencyKey, options }, runAt, delayMs }
}

/** What a sensitive job would run is not what a second person has said yes to. */
function notApproved(job: Job): JobConflictError {
  const message = `Job "${job.name}" is sensitive: it runs only with the payload that was approved.`
  return new JobConflictError('job.payload_not_approved', message, { job: job.name, status: job.status })
}

export interface RepeatRequest {
  /** Default: a new one. */
  readonly id?: string | undefined
  /** Who asks; for the audit log. */
  readonly requestedBy?: string | null | undefined
  /** What the audit log is told, where the end of what runs does not tell it; of the execution that goes on. */
  readonly audit?: ((executionId: string) => NewAuditEntry) | undefined
}

/**
 * The body of an execution that repeats one, of a job or of none. A sensitive job repeats only what is approved now: the same payload, under its rules of today.
 * Throws where the job's status does not allow a run.
 */
export function repeatedExecution(
  deps: Pick<LifecycleDeps, 'env' | 'types'>,
  execution: Execution,
  job: Job | undefined,
  now: number,
  request: RepeatRequest = {},
): ExecutionBody {
  requireReadable(execution.payload)
  const id = request.id ?? deps.env.uuid(now)
  const { tenant, jobId, jobType, queue, priority, payload, scheduledAt, maxAttempts } = execution
  const own = { tenant, jobId, jobType, queue, priority, payload, maxAttempts }
  const again = { id, origin: 'retry', scheduledAt, idempotencyKey: null, createdAt: now } as const
  const { requestedBy: _, ...rest } = optionsOfAnother(execution.options, job)
  const asked = { retryOf: execution.id, ...(request.requestedBy ? { requestedBy: request.requestedBy } : {}) }
  if (job) requireVerb(job, 'execute')
  if (!job || !isSensitive(deps, job)) return { ...own, ...again, options: { ...rest, ...asked } }
  requireSameAsApproved(deps, execution, job)
  const approved = executionOf(job, now, id)
  return { ...approved, ...again, options: { ...withoutRules(rest), ...approved.options, ...asked } }
}

/** Throws where an execution of a sensitive job is not of what is approved now. */
export function requireSameAsApproved(
  deps: Pick<LifecycleDeps, 'types'>,
  { jobType, payload }: Execution,
  job: Job | undefined,
): void {
  if (!job || !isSensitive(deps, job)) return
  requireVerb(job, 'execute')
  requireApproval(deps, job)
  const { definition } = job
  if (jobType !== definition.jobType || !isSamePayload(payload, definition.payload)) throw notApproved(job)
}

/** Timeout and retries are the job's to say. */
function withoutRules({ timeoutMs: _timeoutMs, retry: _retry, ...rest }: ExecutionOptions): ExecutionOptions {
  return rest
}
