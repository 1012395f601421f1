import { decodeValue, inputEncoder } from '../../durable/codec.ts'
import { isSamePayload } from '../../job/execution/payload.ts'
import type { Job } from '../../job/job.ts'
import { JobConflictError, requireVerb } from '../../job/job-status.ts'
import type { Priority } from '../../job/rules/priority.ts'
import { validate } from '../../job/type/standard-schema.ts'
import type { NewExecution } from '../../store/executions.ts'
import { executionOf } from '../firing/fire-job.ts'
import { isSensitive, requireApproval } from './standing.ts'
import type { LifecycleSurroundings } from './surroundings.ts'

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
  around: Pick<LifecycleSurroundings, 'env' | 'time' | 'types'>,
  job: Job,
  request: ExecutionRequest,
): Promise<NewExecution> {
  const { env, time, types } = around
  requireVerb(job, 'execute')
  requireApproval(around, job)
  const now = time.now()
  const own = executionOf(job, now, request.id ?? env.uuid(now))
  const thing = `Input of job "${job.name}"`
  const encode = inputEncoder(job.definition.durable ?? false)
  const payload = request.input === undefined ? own.payload : encode(request.input, thing)
  if (isSensitive(around, job) && !isSamePayload(payload, own.payload)) throw notApproved(job)
  const schema = types.get(job.definition.jobType)?.schema
  if (schema) await validate(schema, decodeValue(payload), thing)
  const { priority = own.priority, runAt = null, delayMs, idempotencyKey = null, requestedBy = null } = request
  const options = requestedBy === null ? own.options : { ...own.options, requestedBy }
  return { body: { ...own, payload, priority, idempotencyKey, options }, runAt, delayMs }
}

/** What a sensitive job would run is not what a second person has said yes to. */
export function notApproved(job: Job): JobConflictError {
  const message = `Job "${job.name}" is sensitive: it runs only with the payload that was approved.`
  return new JobConflictError('job.payload_not_approved', message, { job: job.name, status: job.status })
}
