import type { ExecutionBody } from '../../../job/execution/execution.ts'
import { priorityRank } from '../../../job/rules/priority.ts'
import type { Columns } from '../named-statement.ts'

/** A new execution as statements take it. */
export interface ExecutionRow {
  readonly body: ExecutionBody
  readonly lane: number
}

/** The columns of `executions`, as values of a statement. */
export const EXECUTION_COLUMNS: Columns<ExecutionRow> = {
  id: ['uuid', ({ body }) => body.id],
  lane: ['bigint', ({ lane }) => lane],
  priority: ['int', ({ body }) => priorityRank(body.priority)],
  job_id: ['uuid', ({ body }) => body.jobId],
  origin: ['text', ({ body }) => body.origin],
  payload: ['text', ({ body }) => body.payload],
  scheduled_at: ['float8', ({ body }) => body.scheduledAt],
  max_attempts: ['int', ({ body }) => body.maxAttempts],
  idempotency_key: ['text', ({ body }) => body.idempotencyKey],
  options: ['text', ({ body }) => (body.options === null ? null : JSON.stringify(body.options))],
  created_at: ['float8', ({ body }) => body.createdAt],
}

/** Inserts the rows of `source`, which has {@link EXECUTION_COLUMNS}. */
export const insertExecutions = (source: string): string => `
  insert into pontual.executions (
    id,
    lane,
    priority,
    job_id,
    origin,
    payload,
    scheduled_at,
    max_attempts,
    idempotency_key,
    options,
    created_at
  )
  select
    id,
    lane,
    priority,
    job_id,
    origin,
    payload,
    pontual.from_ms(scheduled_at),
    max_attempts,
    idempotency_key,
    options,
    pontual.from_ms(created_at)
  from ${source}`

/** Queues the rows of `source` that are due and were stored: `stored` selects their ids. */
export const insertReady = (source: string, stored: string): string => `
  insert into pontual.ready (lane, attempt, epoch, priority, execution_id, job_id)
  select lane, 0, 0, priority, id, job_id
  from ${source}
  where due_at <= now
    and (id in (${stored})) is true
  returning execution_id`

/** Delays the rows of `source` that are due later and were stored. */
export const insertDelayed = (source: string, stored: string): string => `
  insert into pontual.delayed (
    execution_id,
    due_at,
    lane,
    attempt,
    epoch,
    priority,
    job_id
  )
  select id, due_at, lane, 0, 0, priority, job_id
  from ${source}
  where due_at > now
    and (id in (${stored})) is true`
