import type { Env } from '../../clock.ts'
import { failureOf } from '../../job/execution/failure.ts'
import { faultReason } from '../../job/job-status.ts'
import { type RetryRules, retryAfterOf, retryDelay } from '../../job/rules/retry.ts'
import type { Logger } from '../../logger.ts'
import type { NewCachedResult } from '../../store/cache.ts'
import type { ClaimedExecution } from '../../store/leases.ts'
import type { EngineStore } from '../../store/store.ts'
import type { StoreTime } from '../node/store-time.ts'
import type { ExecutionFacts } from '../telemetry/events.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import type { ResultCache } from './result-cache.ts'
import { type Settlement, UnstorableResultError } from './settlement.ts'

/** How an attempt went. */
export type Outcome = Success | AttemptFailure | { readonly kind: 'handBack' } | { readonly kind: 'gone' }

interface Success {
  readonly kind: 'success'
  /** As stored. */
  readonly output: string | null
  /** The execution that made the output, where it was kept from then. */
  readonly cachedFrom?: string | undefined
  /** Where the output is to be kept for equal inputs. */
  readonly cacheAt?: Omit<NewCachedResult, 'executionId'> | undefined
}

interface AttemptFailure {
  readonly kind: 'failure'
  readonly status: 'FAILED' | 'TIMEOUT' | 'CANCELLED'
  readonly error: unknown
  readonly isRetryable: boolean
}

export interface OutcomeDeps {
  readonly env: Env
  readonly logger: Logger
  readonly time: StoreTime
  readonly telemetry: Telemetry
  readonly settlement: Settlement
  readonly cache: ResultCache
  /** Whether what fails of a tenant is tried again at all. */
  readonly hasRetries: (tenant: string) => boolean
  /** A retry is due at an instant. */
  onRetry(dueAt: number): void
  /** An execution of a job has failed for good. */
  onFailedForGood(executionId: string, jobId: string, error: string): void
  /** Ahead of a success that makes a faulted job well again: whether it may do so in the same step. */
  readonly beforeHealing: (jobId: string) => Promise<boolean>
  /** After a success that could not. */
  readonly heal: (jobId: string) => Promise<void>
}

/** An attempt as far as its record is concerned. */
export interface FinishedAttempt {
  readonly claimed: ClaimedExecution
  readonly retry: RetryRules
  readonly durationMs: number
}

/** Records what became of an attempt, and tells it. False where the store refuses: the execution is somebody else's by now, or a durable one that is being cancelled. */
export function recordOutcome(
  deps: OutcomeDeps,
  attempt: FinishedAttempt,
  outcome: Outcome,
): Promise<boolean> | undefined {
  switch (outcome.kind) {
    case 'success':
      return recordSuccess(deps, attempt, outcome)
    case 'failure':
      return recordFailure(deps, attempt, outcome)
    case 'handBack':
      return handBack(deps, attempt)
    case 'gone':
      return undefined
  }
}

async function recordSuccess(
  deps: OutcomeDeps,
  attempt: FinishedAttempt,
  { output, cachedFrom, cacheAt }: Success,
): Promise<boolean> {
  const { body, epoch } = attempt.claimed
  const mayHealJob = body.origin === 'manual' || body.origin === 'retry' || body.options?.heals === true
  const jobId = mayHealJob ? body.jobId : null
  const healsJobId = jobId !== null && (await mayHeal(deps, jobId)) ? jobId : null
  let isAccepted: boolean
  try {
    isAccepted = await deps.settlement.finish({
      executionId: body.id,
      epoch,
      status: 'SUCCESS',
      output,
      cachedFrom,
      error: null,
      faultsJobId: null,
      healsJobId,
    })
  } catch (error) {
    if (!(error instanceof UnstorableResultError)) throw error
    // The work is done: to do it again would give the same output.
    return await recordFailure(deps, attempt, { kind: 'failure', status: 'FAILED', error, isRetryable: false })
  }
  if (!isAccepted) return tellRefused(deps, attempt, 'success')
  if (cacheAt) await deps.cache.keep({ ...cacheAt, executionId: body.id })
  if (deps.telemetry.hears('execution.succeeded')) {
    deps.telemetry.tell('execution.succeeded', { ...factsOf(attempt.claimed), durationMs: attempt.durationMs })
  }
  if (jobId !== null && healsJobId === null) await heal(deps, jobId)
  return true
}

/** Whether the job is well again or not, the run has succeeded: nothing about the job may keep that from being recorded. */
async function mayHeal({ beforeHealing, logger }: OutcomeDeps, jobId: string): Promise<boolean> {
  try {
    return await beforeHealing(jobId)
  } catch (error) {
    logger.error('What a faulted job has missed could not be recorded', { jobId, error })
    return false
  }
}

async function heal({ heal: resume, logger }: OutcomeDeps, jobId: string): Promise<void> {
  try {
    await resume(jobId)
  } catch (error) {
    logger.error('A faulted job could not be resumed after a run that succeeded', { jobId, error })
  }
}

async function recordFailure(
  deps: OutcomeDeps,
  attempt: FinishedAttempt,
  { status, error, isRetryable }: AttemptFailure,
): Promise<boolean> {
  const { time, settlement, telemetry } = deps
  const { body, epoch } = attempt.claimed
  const failure = failureOf(error)
  const facts = { ...factsOf(attempt.claimed), durationMs: attempt.durationMs, error: failure.message }
  // The steps of a durable execution keep to their own rules: they are its program, and what undoes them is among them.
  const mayRetry = isRetryable && (body.options?.activity !== undefined || deps.hasRetries(body.tenant))
  const hasTriesLeft = mayRetry && attempt.claimed.attempt < body.maxAttempts
  const delayMs = hasTriesLeft ? delayAfter(deps, attempt, error) : null
  if (delayMs !== null && status !== 'CANCELLED') {
    const isAccepted = await settlement.retry({ executionId: body.id, epoch, status, error: failure, delayMs })
    if (!isAccepted) return tellRefused(deps, attempt, 'retry')
    telemetry.tell('execution.retried', { ...facts, delayMs })
    deps.onRetry(time.now() + delayMs)
    return true
  }
  const isFault = status !== 'CANCELLED'
  const isAccepted = await settlement.finish({
    executionId: body.id,
    epoch,
    status,
    output: null,
    error: failure,
    faultsJobId: isFault ? body.jobId : null,
    healsJobId: null,
  })
  if (!isAccepted) return tellRefused(deps, attempt, 'failure')
  if (isFault) telemetry.tell('execution.failed', { ...facts, status })
  else telemetry.tell('execution.cancelled', { executionId: body.id })
  if (isFault && body.jobId !== null) deps.onFailedForGood(body.id, body.jobId, failure.message)
  return true
}

/** null where it is not tried again. The error of an activity may itself say when. */
function delayAfter({ env, time }: OutcomeDeps, { claimed, retry }: FinishedAttempt, error: unknown): number | null {
  const delayMs = retryDelay(retry, claimed.attempt, () => env.random())
  if (delayMs === null || !claimed.body.options?.activity || !(error instanceof Error)) return delayMs
  return retryAfterOf(error, time.now()) ?? delayMs
}

async function handBack(deps: OutcomeDeps, attempt: FinishedAttempt): Promise<boolean> {
  if (!(await deps.settlement.release(attempt.claimed))) return tellRefused(deps, attempt, 'release')
  deps.telemetry.tell('execution.released', factsOf(attempt.claimed))
  return true
}

function tellRefused({ telemetry }: OutcomeDeps, { claimed }: FinishedAttempt, write: string): false {
  telemetry.tell('execution.refused', { ...factsOf(claimed), epoch: claimed.epoch, write })
  return false
}

export function factsOf({ body, attempt }: ClaimedExecution): ExecutionFacts {
  return { executionId: body.id, jobType: body.jobType, jobId: body.jobId, tenant: body.tenant, attempt }
}

interface FailedForGood {
  readonly executionId: string
  readonly jobId: string
  readonly error: string
}

/** Emits `job.faulted` if it is this execution that has faulted its job: once, however many fail while the job is FAULTED. */
export async function emitFaulted(store: EngineStore, telemetry: Telemetry, failed: FailedForGood): Promise<void> {
  const [job] = await store.jobs.find([failed.jobId])
  if (job?.status === 'FAULTED' && job.statusReason === faultReason(failed.executionId)) {
    telemetry.tell('job.faulted', { ...failed, job: job.name, tenant: job.tenant })
  }
}
