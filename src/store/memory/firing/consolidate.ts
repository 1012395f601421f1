import type { WaitingChange } from '../../occurrences.ts'
import { putResult } from '../executions/end.ts'
import { followUp } from '../executions/follow-up.ts'
import { frozenCopy } from '../schema/frozen.ts'
import type { OccurrenceRow, ReadyRow } from '../schema/rows.ts'
import { keyOf } from '../schema/table.ts'
import type { Tables } from '../schema/tables.ts'

type Ended = Extract<WaitingChange, { decision: string }>

const ERRORS = {
  consolidated: {
    name: 'MisfireError',
    code: 'execution.consolidated',
    message: 'Consolidated into another run.',
  },
  skipped: {
    name: 'MisfireError',
    code: 'execution.skipped',
    message: 'Skipped by the misfire policy.',
  },
} as const

/** Ends executions that did not begin, or gives them the misfire that they stand for. Returns the ids of those that were ended. */
export function consolidate(tables: Tables, changes: readonly WaitingChange[], now: number): string[] {
  const ended: string[] = []
  for (const change of changes) {
    if ('misfire' in change) {
      const { misfire, executionId } = change
      // What has ended, or is gone, stands for nothing any more.
      if (!tables.executions.get(executionId) || tables.results.get(executionId)) continue
      decide(tables, change, { decision: 'firedLate', cause: misfire.cause, misfire: frozenCopy(misfire) })
    } else if (end(tables, change, now)) {
      ended.push(change.executionId)
    }
  }
  followUp(
    tables,
    ended.map((id) => ({ id, status: 'CANCELLED' })),
    now,
  )
  return ended
}

function end(tables: Tables, change: Ended, now: number): boolean {
  const row = takeUnbegun(tables, change)
  if (!row) return false
  putResult(tables, row, { status: 'CANCELLED', error: ERRORS[change.decision] }, now)
  decide(tables, change, { decision: change.decision, cause: change.cause })
  return true
}

/** Takes an execution of the job that waits for its first attempt, or that the caller holds. */
function takeUnbegun(tables: Tables, { executionId, jobId, epoch }: Ended): ReadyRow | undefined {
  if (tables.executions.get(executionId)?.jobId !== jobId) return undefined
  if (epoch !== null) {
    return tables.leases.get(executionId)?.epoch === epoch ? tables.leases.take(executionId) : undefined
  }
  return tables.ready.get(executionId)?.epoch === 0 ? tables.ready.take(executionId) : undefined
}

function decide(
  tables: Tables,
  { jobId, scheduledAt, executionId }: WaitingChange,
  change: Partial<Pick<OccurrenceRow, 'decision' | 'cause' | 'misfire'>>,
): void {
  const occurrence = tables.occurrences.get(keyOf(jobId, scheduledAt))
  if (occurrence?.executionId === executionId) tables.occurrences.put(Object.freeze({ ...occurrence, ...change }))
}
