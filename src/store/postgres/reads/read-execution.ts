import type { Divergence } from '../../../job/activity/divergence.ts'
import type {
  AttemptRecord,
  AttemptStatus,
  Execution,
  ExecutionOptions,
  ExecutionStatus,
  Failure,
} from '../../../job/execution/execution.ts'
import { priorityOfRank } from '../../../job/rules/priority.ts'
import type { MisfireInfo } from '../../../time/misfire/resolve.ts'
import type { Statement } from '../../driver/driver.ts'
import type { Parts } from '../parts.ts'

/** What every statement that gives records selects; the columns of {@link ExecutionRow}. */
const SELECT_RECORDS: string = selectRecords('attempts')

/** Where attempts are depends on where their execution is. */
export function selectRecords(attempts: 'attempts' | 'attempts_archive'): string {
  return `
select
  record.id,
  record.tenant,
  record.job_id as "jobId",
  record.job_type as "jobType",
  record.queue,
  record.priority,
  record.origin,
  record.payload,
  pontual.to_ms(record.scheduled_at) as "scheduledAt",
  record.max_attempts as "maxAttempts",
  record.idempotency_key as "idempotencyKey",
  record.options,
  record.misfire,
  pontual.to_ms(record.created_at) as "createdAt",
  record.status,
  (select number from pontual.execution_numbers where execution_numbers.execution_id = record.id) as number,
  record.attempt,
  record.epoch,
  pontual.to_ms(record.due_at) as "dueAt",
  pontual.to_ms(record.started_at) as "startedAt",
  pontual.to_ms(record.finished_at) as "finishedAt",
  record.node_id as "nodeId",
  record.output,
  record.error,
  record.progress,
  record.progress_note as "progressNote",
  record.divergence,
  coalesce(
    (
      select jsonb_agg(jsonb_build_object('id', predecessor_id, 'on', condition) order by place)
      from pontual.links
      where successor_id = record.id
        and not is_child
    ),
    '[]'
  ) as after,
  record.cached_from as "cachedFrom",
  (
    select jsonb_agg(
      jsonb_build_object(
        'attempt', attempt,
        'epoch', epoch,
        'status', status,
        'nodeId', node_id,
        'startedAt', pontual.to_ms(started_at),
        'endedAt', pontual.to_ms(ended_at),
        'error', error
      )
      order by epoch
    )
    from pontual.${attempts} as attempts
    where attempts.execution_id = record.id
  ) as past`
}

/** The records of what a statement has found, the newest first. */
export const RECORDS_OF_FOUND = `${SELECT_RECORDS}
from found
cross join lateral (
  select *
  from pontual.execution_records
  where execution_records.id = found.id
  limit 1
) as record
order by record.id desc`

export const findExecutions: Statement = {
  name: 'findExecutions',
  text: `${SELECT_RECORDS}
from unnest($1::uuid[]) with ordinality as asked (id, place)
cross join lateral (
  select *
  from pontual.execution_records
  where execution_records.id = asked.id
  limit 1
) as record
order by asked.place`,
}

export interface ExecutionRow extends Omit<Execution, 'priority' | 'options' | 'error' | 'divergence' | 'attempts'> {
  readonly priority: number
  readonly options: string | null
  readonly misfire: MisfireInfo | null
  readonly error: string | null
  readonly past: readonly PastAttempt[] | null
  /** Why it is DIVERGED. */
  readonly divergence: string | null
}

interface PastAttempt extends Omit<AttemptRecord, 'error'> {
  readonly epoch: number
  readonly error: string | null
}

export async function findExecutionRecords({ driver }: Parts, ids: readonly string[]): Promise<Execution[]> {
  if (ids.length === 0) return []
  const rows = await driver.query<ExecutionRow>(findExecutions, [[...new Set(ids)]])
  return rows.map(executionFrom)
}

export function executionFrom({ past, misfire, ...row }: ExecutionRow): Execution {
  const divergence = row.divergence === null ? null : (JSON.parse(row.divergence) as Divergence)
  const attempts = attemptsOf(row, past ?? [])
  return {
    ...row,
    priority: priorityOfRank(row.priority),
    options: optionsFrom(row.options, misfire),
    startedAt: attempts.at(-1)?.startedAt ?? null,
    error: errorFrom(row),
    divergence,
    attempts,
  }
}

/** What went wrong: what it ended with, or why it is DIVERGED. */
export function errorFrom({ error, divergence }: Pick<ExecutionRow, 'error' | 'divergence'>): Failure | null {
  return failureFrom(error) ?? divergedError(divergence === null ? null : (JSON.parse(divergence) as Divergence))
}

function divergedError(divergence: Divergence | null): Failure | null {
  return divergence && { name: 'DivergedError', code: 'execution.diverged', message: divergence.message }
}

/** Past attempts, then the one that runs, or the one that ended it. */
function attemptsOf(row: Omit<ExecutionRow, 'past' | 'misfire'>, past: readonly PastAttempt[]): AttemptRecord[] {
  const attempts: AttemptRecord[] = past.map(({ attempt, status, nodeId, startedAt, endedAt, error }) => ({
    attempt,
    status,
    nodeId,
    startedAt,
    endedAt,
    error: failureFrom(error),
  }))
  // None where it waits or ended without running; and where the last one was lost, it is told already.
  if (row.startedAt === null || row.epoch === past.at(-1)?.epoch) return attempts
  const { attempt, nodeId, startedAt, finishedAt } = row
  const last = { attempt, nodeId, startedAt, endedAt: finishedAt, error: failureFrom(row.error) }
  return [...attempts, { ...last, status: attemptStatus(row.status) }]
}

/** An attempt that is told by its execution runs, or ended as that did. */
function attemptStatus(status: ExecutionStatus): AttemptStatus {
  switch (status) {
    case 'QUEUED':
    case 'RUNNING':
    case 'WAITING':
    case 'DIVERGED':
      return 'RUNNING'
    case 'SUCCESS':
    case 'FAILED':
    case 'TIMEOUT':
    case 'CANCELLED':
      return status
  }
}

/** An error as it was kept. */
export function failureFrom(text: string | null): Failure | null {
  return text === null ? null : (JSON.parse(text) as Failure)
}

/** The options of a body, which is never changed, with the misfire that its occurrence has come to stand for. */
export function optionsFrom(text: string | null, misfire: MisfireInfo | null): ExecutionOptions | null {
  const options = text === null ? null : (JSON.parse(text) as ExecutionOptions)
  return misfire === null ? options : { ...options, misfire }
}
