import type { AttemptRecord, Execution, Failure } from '../../job/execution/execution.ts'
import { unreadableCode } from '../../job/execution/unreadable.ts'
import type { RecentExecution } from '../../store/executions.ts'
import type { Locale } from '../../time/locale.ts'
import type { MisfireInfo } from '../../time/misfire/resolve.ts'
import type { AttemptView, ExecutionDetailView, ExecutionView, RecentExecutionView } from '../execution-view.ts'
import { textsIn } from '../i18n/say.ts'
import { shownPayload } from '../jobs/fields/hidden-values.ts'
import { errorClassOf } from '../notifications/error-class.ts'
import { wireInstant, wireValue } from '../wire-value.ts'

/** An execution as it stands on the wire; the names of jobs are looked up by their ids. */
export function viewOfExecution(execution: Execution, jobNames: ReadonlyMap<string, string>): ExecutionView {
  const { options, error, startedAt, finishedAt } = execution
  const durationMs = durationOf(execution)
  return {
    id: execution.id,
    clienteId: execution.tenant,
    jobId: execution.jobId,
    jobName: jobNames.get(execution.jobId ?? '') ?? null,
    jobType: execution.jobType,
    executionNumber: execution.number,
    status: execution.status,
    origin: execution.origin,
    priority: execution.priority,
    createdAt: wireInstant(execution.createdAt),
    scheduledAt: wireInstant(execution.scheduledAt),
    startedAt: wireInstant(startedAt),
    completedAt: wireInstant(finishedAt),
    durationMs,
    duration: durationMs === null ? null : durationMs / 1_000,
    errorMessage: error?.message ?? null,
    error: error === null ? null : viewOfFailure(error),
    retryCount: Math.max(0, execution.attempt - 1),
    nextRetryAt: isBetweenAttempts(execution) ? wireInstant(execution.dueAt) : null,
    executedBy: options?.requestedBy ?? null,
    retryOf: options?.retryOf ?? null,
    progress: execution.progress,
    progressNote: execution.progressNote,
    misfire: options?.misfire ? viewOfMisfire(options.misfire) : null,
    divergence: execution.divergence,
    attempts: execution.attempts.map(viewOfAttempt),
  }
}

interface DetailParts {
  readonly log: string | null
  readonly language: Locale
  readonly isTypeUnknown: boolean
}

export function detailsOfExecution(
  execution: Execution,
  jobNames: ReadonlyMap<string, string>,
  { log, language, isTypeUnknown }: DetailParts,
): ExecutionDetailView {
  const [payloadError, outputError] = [unreadableCode(execution.payload), unreadableCode(execution.output)]
  return {
    ...viewOfExecution(execution, jobNames),
    payload: shownPayload(execution.jobType, wireValue(execution.payload)),
    ...(payloadError && { payloadError }),
    output: wireValue(execution.output),
    ...(outputError && { outputError }),
    recommendedAction: payloadError === 'payload_erased' ? null : recommendedAction(execution, language),
    isTypeUnknown,
    logOutput: payloadError === 'payload_erased' ? null : log,
  }
}

/** What is DIVERGED says itself what to do, and what somebody has cancelled is as he wants it. */
function recommendedAction({ status, error }: Execution, language: Locale): string | null {
  if (error === null || status === 'DIVERGED' || status === 'CANCELLED') return null
  return textsIn(language).mail.actions[errorClassOf(status, error)]
}

/** An execution in short. */
export function viewOfRecent(execution: RecentExecution): RecentExecutionView {
  const { id, status, createdAt, error } = execution
  return {
    id,
    status,
    createdAt: wireInstant(createdAt),
    durationMs: durationOf(execution),
    errorMessage: error?.message ?? null,
  }
}

function durationOf({ startedAt, finishedAt }: Pick<Execution, 'startedAt' | 'finishedAt'>): number | null {
  return startedAt === null || finishedAt === null ? null : Math.max(0, finishedAt - startedAt)
}

function isBetweenAttempts({ status, attempt }: Execution): boolean {
  return status === 'QUEUED' && attempt > 0
}

/** Without the stack: it tells where things lie on a disk. */
function viewOfFailure({ name, message, code }: Failure): ExecutionView['error'] {
  return { name, message, ...(code === undefined ? {} : { code }) }
}

function viewOfMisfire({ scheduledAt, detectedAt, ...rest }: MisfireInfo): unknown {
  return { scheduledAt: wireInstant(scheduledAt), detectedAt: wireInstant(detectedAt), ...rest }
}

function viewOfAttempt({ attempt, status, nodeId, startedAt, endedAt, error }: AttemptRecord): AttemptView {
  return {
    attempt,
    status,
    nodeId,
    startedAt: wireInstant(startedAt),
    endedAt: wireInstant(endedAt),
    errorMessage: error?.message ?? null,
  }
}
