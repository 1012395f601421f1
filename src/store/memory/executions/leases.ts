import type { Ending, Held, LeaseStore, ProgressReport, Retry } from '../../leases.ts'
import { claim } from '../claim/claim.ts'
import { faultJob, healJob } from '../jobs/put-jobs.ts'
import { compareIds } from '../schema/compare.ts'
import type { Tables } from '../schema/tables.ts'
import { take } from '../schema/take.ts'
import type { Session } from '../session.ts'
import { putAttempt, putResult } from './end.ts'
import { followUp } from './follow-up.ts'
import { accepted, leaseOf, takeLease } from './held.ts'
import { recover } from './recover.ts'

export function leaseStore(session: Session): LeaseStore {
  return {
    claim: (request) => session.statement((tables, now) => claim(tables, request, now)),

    finish: (endings) =>
      session.statement((tables, now) => {
        // Where several fault one job, it names the oldest of them.
        const oldestFirst = endings.toSorted((a, b) => compareIds(a.executionId, b.executionId))
        const finished = accepted(oldestFirst, (ending) => finishOne(tables, ending, now))
        // One that was reported before has nobody behind it who waits for that.
        followUp(
          tables,
          finished.flatMap((id) => tables.results.get(id) ?? []).map(({ body, status }) => ({ id: body.id, status })),
          now,
        )
        return finished
      }),

    retry: (retries) => session.statement((tables, now) => accepted(retries, (retry) => retryOne(tables, retry, now))),

    release: (held) =>
      session.statement((tables) => {
        const released = accepted(held, (each) => releaseOne(tables, each))
        if (released.length > 0) tables.hint('ready')
        return released
      }),

    held: (nodeId) =>
      session.statement((tables) =>
        tables.leasesByNode.rowsOf(nodeId).map(({ body, epoch, hasNews }) => ({
          executionId: body.id,
          epoch,
          hasNews,
        })),
      ),

    progress: (reports) => session.statement((tables) => accepted(reports, (report) => progressOne(tables, report))),

    promote: (limit) => session.statement((tables, now) => promote(tables, limit, now)),

    recover: (request) => session.statement((tables, now) => recover(tables, request, now)),
  }
}

function finishOne(tables: Tables, ending: Ending, now: number): boolean {
  const lease = leaseOf(tables, ending)
  if (!lease) return hasReportedEnd(tables, ending)
  // What was asked to clean up has not done so if it ends in another way.
  if (ending.status !== 'CANCELLED' && tables.runs.cancellations.has(ending.executionId)) return false
  tables.leases.take(ending.executionId)
  const { status, output, cachedFrom, error } = ending
  putResult(tables, lease, { status, output, cachedFrom, error, isReported: true }, now)
  faultJob(tables, ending.faultsJobId, ending.executionId, now)
  healJob(tables, ending.healsJobId, now)
  return true
}

/** Whether the same holder reported an end before: the answer to that call was lost. */
function hasReportedEnd(tables: Tables, { executionId, epoch }: Ending): boolean {
  const result = tables.results.get(executionId)
  return result?.epoch === epoch && result.isReported
}

function retryOne(tables: Tables, retry: Retry, now: number): boolean {
  const lease = takeLease(tables, retry)
  if (!lease) return false
  const { body, attempt, epoch } = lease
  putAttempt(tables, lease, retry, now)
  tables.delayed.put({ body, attempt, epoch, dueAt: now + retry.delayMs })
  return true
}

function releaseOne(tables: Tables, held: Held): boolean {
  const lease = takeLease(tables, held)
  if (!lease) return false
  const { body, attempt, epoch } = lease
  tables.ready.put({ body, attempt: attempt - 1, epoch })
  return true
}

function progressOne(tables: Tables, report: ProgressReport): boolean {
  const lease = leaseOf(tables, report)
  if (!lease) return false
  tables.leases.put({ ...lease, progress: report.fraction, progressNote: report.note })
  return true
}

function promote(tables: Tables, limit: number, now: number): number {
  const due = take(tables.delayedByDueTime.ascending(), limit, { while: ({ dueAt }) => dueAt <= now })
  for (const { body, attempt, epoch } of due) {
    tables.delayed.take(body.id)
    tables.ready.put({ body, attempt, epoch })
  }
  if (due.length > 0) tables.hint('ready')
  return due.length
}
