import type { ExecutionBody } from '../../../job/execution/execution.ts'
import type { EnqueueResult, NewExecution } from '../../executions.ts'
import { frozenCopy } from '../schema/frozen.ts'
import type { ReadyRow } from '../schema/rows.ts'
import { keyOf } from '../schema/table.ts'
import type { Tables } from '../schema/tables.ts'

/** Stores executions, ready or delayed, unless their id or their key is there already. */
export function enqueue(tables: Tables, executions: readonly NewExecution[], now: number): EnqueueResult[] {
  const readyBefore = tables.ready.size
  const delayedBefore = tables.delayed.size
  tables.tenants.meet(executions.map(({ body }) => body.tenant))
  const answers = executions.map((execution) => enqueueOne(tables, execution, now))
  if (tables.ready.size > readyBefore) tables.hint('ready')
  if (tables.delayed.size > delayedBefore) tables.hint('jobs')
  return answers
}

function enqueueOne(tables: Tables, execution: NewExecution, now: number): EnqueueResult {
  const { body, runAt, delayMs, after = [] } = execution
  const key = idempotencyKeyOf(body)
  const holderId = key === null ? undefined : tables.idempotencyKeys.get(key)
  const holder = tables.executions.get(body.id) ?? (holderId === undefined ? undefined : holderOf(tables, holderId))
  if (holder) return { id: holder.id, isNew: false, payload: holder.payload }

  if (key !== null) tables.idempotencyKeys.set(key, body.id)
  if (after.length > 0) tables.delayed.put({ ...stored(tables, body), dueAt: now, awaits: after.length })
  else insertExecution(tables, body, runAt ?? now + (delayMs ?? 0), now)
  return { id: body.id, isNew: true, payload: null }
}

/** Writes a body and puts the execution where it waits: for its time, or for a node. */
export function insertExecution(tables: Tables, body: ExecutionBody, dueAt: number, now: number): void {
  const start = stored(tables, body)
  if (dueAt > now) tables.delayed.put({ ...start, dueAt })
  else tables.ready.put(start)
}

/** Writes a body. Returns where its execution begins. */
function stored(tables: Tables, body: ExecutionBody): ReadyRow {
  const start = { body: storedBody(body), attempt: 0, epoch: 0 }
  tables.executions.put(start.body)
  return start
}

/** Who has a key, wherever it is. */
export function holderOf(tables: Tables, id: string): ExecutionBody | undefined {
  return tables.executions.get(id) ?? tables.archive.executions.get(id)?.body
}

/** Who holds the same key, holds it for the same tenant and job type. */
export function idempotencyKeyOf({ tenant, jobType, idempotencyKey }: ExecutionBody): string | null {
  return idempotencyKey === null ? null : keyOf(tenant, jobType, idempotencyKey)
}

/** Field by field: what else the caller's object carries is not stored. */
function storedBody(body: ExecutionBody): ExecutionBody {
  return Object.freeze({
    id: body.id,
    tenant: body.tenant,
    jobId: body.jobId,
    jobType: body.jobType,
    queue: body.queue,
    priority: body.priority,
    origin: body.origin,
    payload: body.payload,
    scheduledAt: body.scheduledAt,
    maxAttempts: body.maxAttempts,
    idempotencyKey: body.idempotencyKey,
    options: frozenCopy(body.options),
    createdAt: body.createdAt,
  })
}
