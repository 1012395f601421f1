import { ForbiddenError } from '../../../access/errors.ts'
import { requirePermission } from '../../../access/principal.ts'
import { requireRunAt } from '../../../engine/app/enqueue-options.ts'
import { type EnqueuedType, templateOf } from '../../../engine/app/enqueuer.ts'
import { type ExecutionRequest, requestedExecution } from '../../../engine/lifecycle/request-execution.ts'
import { inEnqueueSpan, withTrace } from '../../../engine/telemetry/tracing.ts'
import { PontualError } from '../../../errors.ts'
import type { Job } from '../../../job/job.ts'
import { requireName } from '../../../job/name.ts'
import { type Priority, requirePriority } from '../../../job/rules/priority.ts'
import type { NewExecution } from '../../../store/executions.ts'
import { requireSameInput } from '../../../store/idempotency.ts'
import type { ExecuteAnswer } from '../../answers.ts'
import { nothingNamed } from '../../errors.ts'
import { madeBefore } from '../../executions/made-before.ts'
import { FieldProblems, invalidField } from '../../field-problems.ts'
import { ownJob } from '../../owned.ts'
import type { EnqueueRequest, ExecuteOptions } from '../../requests.ts'
import { type Scope, usualConcurrency } from '../../scope.ts'
import { readField, readInstant, readInteger } from '../../sent-values.ts'
import { wireValue } from '../../wire-value.ts'
import { withHidden } from '../fields/hidden-values.ts'
import { enqueuedTypeOf, readKnownType } from '../fields/job-type.ts'
import { readPayload } from '../fields/payload-field.ts'
import { requireRoomInQueue } from './quotas.ts'

const TEN_YEARS_MS = 10 * 366 * 86_400_000
const RUN_APPROVED = 'it runs only as a job that a second person has approved. Name that job with jobId or jobName.'

/** Runs a job now, beside its schedule. */
export async function executeJob(scope: Scope, id: string, options: ExecuteOptions): Promise<ExecuteAnswer> {
  requirePermission(scope.principal, 'jobs:execute')
  // Asked for together, so that both take one round trip.
  const [job, notice] = await Promise.all([ownJob(scope, id), readNotice(scope)])
  return (await madeBefore(scope, options)) ?? (await runJob(scope, job, options, {}, notice))
}

/** Runs a job, or a job type without a job, once, now or later. */
export async function enqueueJob(scope: Scope, request: EnqueueRequest): Promise<ExecuteAnswer> {
  requirePermission(scope.principal, 'jobs:execute')
  const { runAt, delayMs, idempotencyKey } = request
  if (runAt !== undefined && delayMs !== undefined) {
    throw invalidField('/delayMs', 'contradiction', 'Give either runAt or delayMs.', {
      names: ['runAt', 'delayMs'],
    })
  }
  requireOneTarget(request)
  const made = await madeBefore(scope, request)
  if (made) return made
  const target =
    request.jobType === undefined ? await namedJob(scope, request) : await requireEnqueueable(scope, request.jobType)
  const timing = {
    ...(runAt === undefined ? {} : { runAt: readRunAt(runAt, scope.now()) }),
    ...(delayMs === undefined
      ? {}
      : { delayMs: readField('delayMs', () => readInteger(delayMs, 'delayMs', 0, TEN_YEARS_MS)) }),
    ...(idempotencyKey === undefined
      ? {}
      : { idempotencyKey: readField('idempotencyKey', () => requireName(idempotencyKey, 'idempotencyKey')) }),
  }
  return 'definition' in target
    ? await runJob(scope, target, request, timing)
    : await runType(scope, target, request, timing)
}

function readRunAt(value: string, now: number): number {
  const instant = readInstant(value, 'runAt')
  const problems = new FieldProblems()
  problems.read('/runAt', 'out_of_range', () => requireRunAt(instant, now))
  problems.throwIfAny()
  return instant
}

const TARGETS = ['jobId', 'jobName', 'jobType'] as const

function requireOneTarget(request: EnqueueRequest): void {
  const [first, second, ...more] = TARGETS.filter((name) => request[name] !== undefined)
  if (first === undefined) {
    const message = 'jobId is required, or jobName or jobType in its place.'
    throw invalidField('/jobId', 'required', message, { name: 'jobId', or: ['jobName', 'jobType'] })
  }
  if (second === undefined) return
  const names = [first, second, ...more]
  throw invalidField(`/${second}`, 'contradiction', `Give only one of ${names.join(', ')}.`, { names })
}

async function namedJob(scope: Scope, { jobId, jobName }: EnqueueRequest): Promise<Job> {
  if (jobId !== undefined) return await ownJob(scope, jobId)
  const name = readField('jobName', () => requireName(jobName, 'jobName'))
  const [job] = await scope.store.jobs.findByName(scope.tenant, [name])
  if (job?.tenant === scope.tenant) return job
  throw nothingNamed('job', name)
}

type Timing = Pick<ExecutionRequest, 'runAt' | 'delayMs' | 'idempotencyKey'>

async function runJob(
  scope: Scope,
  job: Job,
  options: ExecuteOptions,
  timing: Timing,
  known?: ExecuteAnswer['notice'],
): Promise<ExecuteAnswer> {
  const { id, payload } = options
  await requireRoomInQueue(scope)
  const { jobType: type, payload: own } = job.definition
  const input = readField('payload', () => withHidden(type, payload ?? undefined, () => wireValue(own)))
  if (input !== undefined) await checkPayload(scope, job, input)
  const priority = readPriority(options)
  const requestedBy = scope.by.userId
  const execution = await requestedExecution(scope.around, job, { ...timing, id, input, priority, requestedBy })
  return await send(scope, execution, known)
}

/** Runs a job type without a job, by its own rules. */
async function runType(
  scope: Scope,
  type: EnqueuedType,
  options: ExecuteOptions,
  timing: Timing,
): Promise<ExecuteAnswer> {
  const { id, payload } = options
  await requireRoomInQueue(scope)
  const request = { ...timing, id, priority: readPriority(options), requestedBy: scope.by.userId }
  return await send(scope, await typeExecution(scope, type, payload, request))
}

function readPriority({ priority }: ExecuteOptions): Priority | undefined {
  return priority === undefined ? undefined : readField('priority', () => requirePriority(priority))
}

async function send(scope: Scope, execution: NewExecution, known?: ExecuteAnswer['notice']): Promise<ExecuteAnswer> {
  const { around, store } = scope
  const { body } = execution
  const isLater = execution.runAt !== null || execution.delayMs !== undefined
  const notice = isLater ? null : known === undefined ? await readNotice(scope) : known
  const [result] = await inEnqueueSpan({ jobType: execution.body.jobType }, ({ trace, setId }) => {
    setId(execution.body.id)
    return store.executions.enqueue([{ ...execution, body: withTrace(execution.body, trace) }])
  })
  if (!result) throw new PontualError('store.answer_missing', 'The store gave no answer for an execution.')
  if (result.id !== body.id) {
    requireSameInput(body, result)
    return { executionId: result.id, isNew: false, notice: null }
  }
  const { jobType, jobId, tenant } = body
  around.telemetry.tell('execution.queued', { executionId: body.id, jobType, jobId, tenant })
  scope.opened.changed()
  return { executionId: body.id, isNew: true, notice }
}

async function checkPayload({ around }: Scope, { definition }: Job, payload: unknown): Promise<void> {
  const problems = new FieldProblems()
  const type = around.types.get(definition.jobType)
  await readPayload(problems, payload, { schema: type?.schema ?? null, isDurable: definition.durable ?? false })
  problems.throwIfAny()
}

/** What whoever asks for a run should know: the tenant is suspended, or runs as many as it may, so that this one waits. */
export async function readNotice(scope: Scope): Promise<ExecuteAnswer['notice']> {
  const [{ running, limit }, { JOBS_SCHEDULING }] = await Promise.all([readTenant(scope), scope.flags()])
  if (!JOBS_SCHEDULING.isEnabled) return 'suspended'
  return limit !== null && running >= limit ? 'maxWorkersExceeded' : null
}

/** How many executions of the tenant run, and how many may. */
export async function readTenant(scope: Scope): Promise<{ readonly running: number; readonly limit: number | null }> {
  // The store of a tenant knows no other.
  const [record] = await scope.store.tenants.list({ limit: 1 })
  if (record?.tenant === scope.tenant) return record
  return { running: 0, limit: usualConcurrency(scope) }
}

/**
 * The rules of a job type that a caller names in place of a job. Throws if no node knows it, if the code does not declare it enqueueable, or if a sensitive job of the
 * tenant uses it: the caller could run the type with another payload than the approved one.
 */
async function requireEnqueueable(scope: Scope, jobType: string): Promise<EnqueuedType> {
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

/** An execution without a job, by the rules of its job type. */
async function typeExecution(
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
  const template = templateOf(
    { ...around, defaultTenant: tenant, defaultRetry },
    type,
    { priority, idempotencyKey },
    {},
  )
  const { body } = template.build(text ?? null)
  const options = requestedBy === null ? body.options : { ...body.options, requestedBy }
  return { body: { ...body, id: id ?? body.id, origin: 'manual', options }, runAt, delayMs }
}
