import type {
  AttemptRecord,
  Execution,
  ExecutionBody,
  ExecutionOptions,
  ExecutionStatus,
  Failure,
} from '../../../job/execution/execution.ts'
import { occurrenceOf } from '../firing/occurrence-of.ts'
import type { DelayedRow, LeaseRow, ResultRow } from '../schema/rows.ts'
import { delayedStatus, type Tables } from '../schema/tables.ts'

/** Status is where an execution stands. */
export function statusOf(tables: Tables, id: string): ExecutionStatus {
  if (tables.leases.has(id)) return 'RUNNING'
  const delayed = tables.delayed.get(id)
  if (delayed) return delayedStatus(delayed)
  return tables.results.get(id)?.status ?? 'QUEUED'
}

/** All that is known of an execution. */
export function readExecution(tables: Tables, body: ExecutionBody): Execution {
  const { id } = body
  const delayed = tables.delayed.get(id)
  const lease = tables.leases.get(id)
  const result = tables.results.get(id)
  const standing = result ?? lease ?? delayed ?? tables.ready.get(id)
  return Object.freeze({
    ...body,
    options: optionsOf(tables, body),
    status: statusOf(tables, id),
    number: tables.audit.numbers.get(id) ?? null,
    attempt: standing?.attempt ?? 0,
    epoch: standing?.epoch ?? 0,
    after: Object.freeze(
      tables.linksBySuccessor.rowsOf(id).map(({ predecessorId, on }) => Object.freeze({ id: predecessorId, on })),
    ),
    dueAt: delayed ? dueAtOf(delayed) : null,
    startedAt: result?.startedAt ?? lease?.claimedAt ?? tables.attempts.get(id)?.at(-1)?.record.startedAt ?? null,
    finishedAt: result?.finishedAt ?? null,
    nodeId: (result ?? lease)?.nodeId ?? null,
    output: result?.output ?? null,
    cachedFrom: result?.cachedFrom ?? null,
    error: result?.error ?? divergedError(delayed),
    divergence: delayed?.divergence ?? null,
    progress: (result ?? lease)?.progress ?? null,
    progressNote: (result ?? lease)?.progressNote ?? null,
    attempts: Object.freeze(attemptsOf(tables, id, lease, result)),
  })
}

/** null where it is not time that it waits for. */
function dueAtOf({ awaits, dueAt }: DelayedRow): number | null {
  return awaits === undefined && dueAt < Number.POSITIVE_INFINITY ? dueAt : null
}

function divergedError(delayed: DelayedRow | undefined): Failure | null {
  if (!delayed?.divergence) return null
  const { message } = delayed.divergence
  return Object.freeze({ name: 'DivergedError', code: 'execution.diverged', message })
}

/** With the misfire that was decided about after the body was written: an execution carries it from then on. */
export function optionsOf(tables: Tables, body: ExecutionBody): ExecutionOptions | null {
  const { options } = body
  const misfire = occurrenceOf(tables, body)?.misfire
  return !misfire || misfire === options?.misfire ? options : Object.freeze({ ...options, misfire })
}

/** Past attempts, then the one that runs, or the one that ended it. */
function attemptsOf(
  tables: Tables,
  id: string,
  lease: LeaseRow | undefined,
  result: ResultRow | undefined,
): AttemptRecord[] {
  const past = tables.attempts.get(id) ?? []
  const records = past.map(({ record }) => record)
  if (lease) records.push(runningAttempt(lease))
  // Where the last attempt was lost, or failed before someone cancelled, it is told already.
  if (result && result.epoch !== past.at(-1)?.epoch) records.push(...lastAttempt(result))
  return records
}

function runningAttempt({ attempt, nodeId, claimedAt }: LeaseRow): AttemptRecord {
  return Object.freeze({ attempt, status: 'RUNNING', nodeId, startedAt: claimedAt, endedAt: null, error: null })
}

/** None where it ended without running. */
function lastAttempt({ attempt, status, nodeId, startedAt, finishedAt, error }: ResultRow): AttemptRecord[] {
  return startedAt === null ? [] : [Object.freeze({ attempt, status, nodeId, startedAt, endedAt: finishedAt, error })]
}
