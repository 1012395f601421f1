import type { Failure, FinalStatus } from '../../../job/execution/execution.ts'
import { frozenCopy } from '../schema/frozen.ts'
import type { LeaseRow, ReadyRow, ResultRow } from '../schema/rows.ts'
import type { Tables } from '../schema/tables.ts'

interface End {
  readonly status: FinalStatus
  readonly output?: string | null
  readonly cachedFrom?: string | null | undefined
  readonly error: Failure | null
  readonly isReported?: boolean
  readonly endedBy?: string | null | undefined
}

/** An execution that has just ended. */
export interface Ended {
  readonly id: string
  readonly status: FinalStatus
}

/** Writes the result of an execution that was taken from where it stood; only one that ran has a node and a start. */
export function putResult(tables: Tables, row: ReadyRow | LeaseRow, end: End, now: number): void {
  const { status, output = null, cachedFrom = null, error, isReported = false, endedBy = null } = end
  const lease = 'nodeId' in row ? row : null
  const result: ResultRow = {
    body: row.body,
    status,
    isReported,
    attempt: row.attempt,
    epoch: row.epoch,
    nodeId: lease?.nodeId ?? null,
    startedAt: lease?.claimedAt ?? null,
    finishedAt: now,
    output,
    cachedFrom,
    error: frozenCopy(error),
    endedBy,
    progress: lease?.progress ?? null,
    progressNote: lease?.progressNote ?? null,
  }
  tables.results.put(result)
  tables.audit.noteEnd(result)
}

/** Keeps an attempt that did not end its execution well. */
export function putAttempt(
  tables: Tables,
  { body, attempt, epoch, nodeId, claimedAt }: LeaseRow,
  { status, error }: { readonly status: 'FAILED' | 'TIMEOUT' | 'LOST'; readonly error: Failure | null },
  now: number,
): void {
  const record = Object.freeze({
    attempt,
    status,
    nodeId,
    startedAt: claimedAt,
    endedAt: now,
    error: frozenCopy(error),
  })
  const attempts = tables.attempts.get(body.id)
  if (attempts) attempts.push({ epoch, record })
  else tables.attempts.set(body.id, [{ epoch, record }])
}
