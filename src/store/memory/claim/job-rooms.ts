import type { ReadyRow } from '../schema/rows.ts'
import { isBegun, type Tables } from '../schema/tables.ts'

/** How many more of a job may run. */
interface Room {
  all: number
  /** Of those that have not begun: a durable run keeps its place from its beginning to its end, also while it waits. */
  fresh: number
}

/** How many more executions like this one its job may run. */
export function mostOfJob(tables: Tables, row: ReadyRow): number {
  const jobId = limitedJobOf(row)
  return jobId === null ? Number.POSITIVE_INFINITY : roomOfJob(tables, jobId).all
}

/** Leaves out what its job has no room for. Durable runs that have begun go first, and wait for none that waits: there may be more of them than may run by now. */
export function withinJobLimits(tables: Tables, rows: readonly ReadyRow[]): ReadyRow[] {
  const rooms = new Map<string, Room>()
  const hasRoom = (row: ReadyRow): boolean => {
    const jobId = limitedJobOf(row)
    if (jobId === null) return true
    const room = rooms.get(jobId) ?? roomOfJob(tables, jobId)
    rooms.set(jobId, room)
    if (room.all <= 0 || (room.fresh <= 0 && !isBegun(row))) return false
    room.all -= 1
    if (!isBegun(row)) room.fresh -= 1
    return true
  }
  const taken = new Set([...rows.filter(isBegun), ...rows.filter((row) => !isBegun(row))].filter(hasRoom))
  return rows.filter((row) => taken.has(row))
}

/** Durable runs of limited jobs that have begun and stand in a lane, however many stand before them. */
export function begunIn(tables: Tables, { first }: { readonly first: ReadyRow | undefined }): ReadyRow[] {
  const jobId = first ? limitedJobOf(first) : null
  if (!first || jobId === null) return []
  const { queue, jobType, priority } = first.body
  return tables.begunByJob
    .rowsOf(jobId)
    .filter(({ body }) => body.queue === queue && body.jobType === jobType && body.priority === priority)
}

/** The job whose limit holds for an execution. */
function limitedJobOf({ body: { jobId, options } }: ReadyRow): string | null {
  return options?.concurrency === undefined ? null : jobId
}

function roomOfJob(tables: Tables, jobId: string): Room {
  const concurrency = tables.jobs.get(jobId)?.definition.concurrency ?? Number.POSITIVE_INFINITY
  const all = concurrency - (tables.leasesByJob.group(jobId)?.size ?? 0)
  const kept = (tables.parkedByJob.group(jobId)?.size ?? 0) + (tables.begunByJob.group(jobId)?.size ?? 0)
  return { all, fresh: all - kept }
}
