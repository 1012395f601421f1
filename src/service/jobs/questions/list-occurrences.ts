import { requirePermission } from '../../../access/principal.ts'
import type { OccurrenceRecord } from '../../../store/occurrences.ts'
import type { OccurrenceView, Page } from '../../answers.ts'
import { ownJob } from '../../owned.ts'
import { pageOf } from '../../page.ts'
import type { OccurrenceQuery } from '../../requests.ts'
import type { Scope } from '../../scope.ts'
import { readInstant } from '../../sent-values.ts'
import { wireInstant } from '../../wire-value.ts'

/** Ranges of missed occurrences that reach beyond the end of a page, and are read again with the next one. */
const MOST_OVERLAPPING = 1_000

/** What was decided about the occurrences of a job in [from, to), in order: with the cause, and the execution of those that fired. */
export async function listOccurrences(scope: Scope, id: string, query: OccurrenceQuery): Promise<Page<OccurrenceView>> {
  requirePermission(scope.principal, 'jobs:viewHistory')
  const job = await ownJob(scope, id)
  const { limit, cursor } = query
  const from = query.from === undefined ? 0 : readInstant(query.from, 'from')
  const to = query.to === undefined ? scope.now() + 1 : readInstant(query.to, 'to')
  const page = await pageOf(scope.cursors, {
    limit,
    cursor,
    scope: [scope.tenant, 'occurrences', job.id, query.from ?? null, query.to ?? null],
    shape: ['instant', 'instant', 'count'],
    read: async (most, after) => {
      const { occurrences } = scope.store
      if (after === undefined) return await occurrences.ledger({ jobId: job.id, from, to, limit: most })
      const last = after as Place
      const records = await occurrences.ledger({ jobId: job.id, from: last[0], to, limit: most + MOST_OVERLAPPING })
      return records.filter((record) => isBehind(placeOf(record), last)).slice(0, most)
    },
    placeOf,
  })
  return { ...page, items: page.items.map(viewOf) }
}

/** In the order of the ledger: an occurrence that fired comes before one of the same instant that did not. */
type Place = readonly [from: number, to: number, turn: number]

function placeOf({ from, to, executionId }: OccurrenceRecord): Place {
  return [from, to, executionId === null ? 2 : 1]
}

function isBehind(place: Place, last: Place): boolean {
  const differs = place.findIndex((part, index) => part !== last[index])
  return differs >= 0 && (place[differs] ?? 0) > (last[differs] ?? 0)
}

function viewOf({ from, to, count, decision, cause, executionId, recordedAt }: OccurrenceRecord): OccurrenceView {
  return {
    from: wireInstant(from),
    to: wireInstant(to),
    count,
    decision,
    cause,
    executionId,
    recordedAt: wireInstant(recordedAt),
  }
}
