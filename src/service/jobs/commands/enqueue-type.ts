import { ForbiddenError } from '../../../access/errors.ts'
import { type EnqueuedType, mouldOf } from '../../../engine/app/execution-template.ts'
import type { ExecutionRequest } from '../../../engine/lifecycle/requested-execution.ts'
import type { NewExecution } from '../../../store/executions.ts'
import { FieldProblems } from '../../field-problems.ts'
import type { Scope } from '../../scope.ts'
import { enqueuedTypeOf, readKnownType } from '../fields/known-type.ts'
import { readPayload } from '../fields/payload-field.ts'

/**
 * The rules of a job type that a caller names in place of a job. Throws if no node knows it, if the code does not declare it enqueueable, or if a sensitive job of the
 * tenant uses it: the caller could run the type with another payload than the approved one.
 */
export async function requireEnqueueable(scope: Scope, jobType: string): Promise<EnqueuedType> {
  const problems = new FieldProblems()
  const known = await readKnownType(scope, problems, jobType)
  problems.throwIfAny()
  if (known?.type?.isSensitive) {
    const message = `Job type "${jobType}" is sensitive: ${RUN_APPROVED}`
    throw new ForbiddenError('job_type.sensitive', message, { jobType })
  }
  const rules = known ? enqueuedTypeOf(known) : null
  if (rules === null) {
    const message = `Job type "${jobType}" is not declared enqueueable: declare it with enqueueable: true, or name one of its jobs with jobId or jobName.`
    throw new ForbiddenError('job_type.not_enqueueable', message, { jobType })
  }
  // The stored form of the id: the caller may have sent another Unicode form.
  const sought = { tenant: scope.tenant, jobType: rules.id, isSensitive: true, limit: 1 }
  const [sensitive] = await scope.store.jobs.list(sought)
  if (!sensitive) return rules
  const message = `Job type "${jobType}" is used by a sensitive job: ${RUN_APPROVED}`
  throw new ForbiddenError('job_type.sensitive', message, { jobType })
}

const RUN_APPROVED = 'it runs only as a job that a second person has approved. Name that job with jobId or jobName.'

/** An execution without a job, by the rules of its job type. */
export async function typeExecution(
  { around, opened, tenant }: Scope,
  type: EnqueuedType,
  payload: unknown,
  request: Omit<ExecutionRequest, 'input'>,
): Promise<NewExecution> {
  const { id, priority, runAt = null, delayMs, idempotencyKey, requestedBy = null } = request
  const problems = new FieldProblems()
  const text = await readPayload(problems, payload, type)
  problems.throwIfAny()
  const { defaultRetry } = opened.options.settings
  const mould = mouldOf({ ...around, defaultTenant: tenant, defaultRetry }, type, { priority, idempotencyKey }, {})
  const { body } = mould.cast(text ?? null)
  const options = requestedBy === null ? body.options : { ...body.options, requestedBy }
  return { body: { ...body, id: id ?? body.id, origin: 'manual', options }, runAt, delayMs }
}
