import { firesNow } from '../../../job/job-status.ts'
import type { Fired, FiredExecution, Firing } from '../../occurrences.ts'
import { insertExecution } from '../executions/enqueue.ts'
import { recordMissed } from '../jobs/put-jobs.ts'
import { frozenCopy } from '../schema/frozen.ts'
import { keyOf } from '../schema/table.ts'
import type { Tables } from '../schema/tables.ts'
import { consolidate } from './consolidate.ts'

/** Fires each job that still stands where the caller saw it. */
export function fire(tables: Tables, firings: readonly Firing[], now: number): Fired {
  const readyBefore = tables.ready.size
  tables.tenants.meet(firings.flatMap((firing) => firing.fired).map(({ body }) => body.tenant))
  const fired = firings.filter((firing) => fireOne(tables, firing, now))
  if (tables.ready.size > readyBefore) tables.hint('ready')
  const displaced = fired.flatMap((firing) => firing.displaced ?? [])
  return { jobIds: fired.map(({ jobId }) => jobId), ended: consolidate(tables, displaced, now) }
}

function fireOne(
  tables: Tables,
  { jobId, version, nextFireAt, status, schedule, fired, ledger }: Firing,
  now: number,
): boolean {
  const job = tables.jobs.get(jobId)
  if (job?.version !== version || job.schedule.nextFireAt !== nextFireAt) return false
  if (status === undefined ? !firesNow(job) : job.status !== status) return false
  tables.jobs.put(Object.freeze({ ...job, schedule: frozenCopy(schedule) }))
  for (const execution of fired) fireOccurrence(tables, jobId, execution, now)
  recordMissed(tables, jobId, ledger, now)
  return true
}

function fireOccurrence(tables: Tables, jobId: string, { body, runAt }: FiredExecution, now: number): void {
  const { scheduledAt } = body
  if (scheduledAt === null || tables.occurrences.has(keyOf(jobId, scheduledAt))) return
  const misfire = frozenCopy(body.options?.misfire ?? null)
  insertExecution(tables, body, runAt ?? now, now)
  tables.occurrences.put(
    Object.freeze({
      jobId,
      scheduledAt,
      executionId: body.id,
      decision: misfire ? 'firedLate' : 'fired',
      cause: misfire?.cause ?? null,
      misfire,
      recordedAt: now,
    }),
  )
}
