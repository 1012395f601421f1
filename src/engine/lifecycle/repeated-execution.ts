import type { Execution, ExecutionBody, ExecutionOptions } from '../../job/execution/execution.ts'
import { isSamePayload } from '../../job/execution/payload.ts'
import { requireReadable } from '../../job/execution/unreadable.ts'
import type { Job } from '../../job/job.ts'
import { requireVerb } from '../../job/job-status.ts'
import type { NewAuditEntry } from '../../store/audit.ts'
import { executionOf, optionsOfAnother } from '../firing/fire-job.ts'
import { notApproved } from './requested-execution.ts'
import { isSensitive, requireApproval } from './standing.ts'
import type { LifecycleSurroundings } from './surroundings.ts'

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
  around: Pick<LifecycleSurroundings, 'env' | 'types'>,
  execution: Execution,
  job: Job | undefined,
  now: number,
  request: RepeatRequest = {},
): ExecutionBody {
  requireReadable(execution.payload)
  const id = request.id ?? around.env.uuid(now)
  const { tenant, jobId, jobType, queue, priority, payload, scheduledAt, maxAttempts } = execution
  const own = { tenant, jobId, jobType, queue, priority, payload, maxAttempts }
  const again = { id, origin: 'retry', scheduledAt, idempotencyKey: null, createdAt: now } as const
  const { requestedBy: _, ...rest } = optionsOfAnother(execution.options, job)
  const asked = { retryOf: execution.id, ...(request.requestedBy ? { requestedBy: request.requestedBy } : {}) }
  if (job) requireVerb(job, 'execute')
  if (!job || !isSensitive(around, job)) return { ...own, ...again, options: { ...rest, ...asked } }
  requireSameAsApproved(around, execution, job)
  const approved = executionOf(job, now, id)
  return { ...approved, ...again, options: { ...withoutRules(rest), ...approved.options, ...asked } }
}

/** Throws where an execution of a sensitive job is not of what is approved now. */
export function requireSameAsApproved(
  around: Pick<LifecycleSurroundings, 'types'>,
  { jobType, payload }: Execution,
  job: Job | undefined,
): void {
  if (!job || !isSensitive(around, job)) return
  requireVerb(job, 'execute')
  requireApproval(around, job)
  const { definition } = job
  if (jobType !== definition.jobType || !isSamePayload(payload, definition.payload)) throw notApproved(job)
}

/** Timeout and retries are the job's to say. */
function withoutRules({ timeoutMs: _timeoutMs, retry: _retry, ...rest }: ExecutionOptions): ExecutionOptions {
  return rest
}
