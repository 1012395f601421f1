import type { AttemptRecord, Execution, Failure } from '../../job/execution.ts'
import type { MisfireInfo } from '../../time/misfire/resolution.ts'
import type { AttemptView, ExecutionDetailView, ExecutionView } from '../execution-view.ts'
import { wireInstant, wireValue } from '../wire-value.ts'

/** An execution as it stands on the wire. */
export function viewOfExecution(execution: Execution): ExecutionView {
  const { options, error, startedAt, finishedAt } = execution
  const durationMs = startedAt === null || finishedAt === null ? null : Math.max(0, finishedAt - startedAt)
  return {
    id: execution.id,
    clienteId: execution.tenant,
    jobId: execution.jobId,
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

export function detailsOfExecution(execution: Execution, logOutput: string | null): ExecutionDetailView {
  return {
    ...viewOfExecution(execution),
    payload: wireValue(execution.payload),
    output: wireValue(execution.output),
    logOutput,
  }
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
