import type { Job } from '../../job/job.ts'
import { firesNow } from '../../job/job-status.ts'
import type { OccurrenceRecord } from '../../store/occurrences.ts'
import type { Store } from '../../store/store.ts'
import { heldBackBy, resolveHeldBack, withKnownCalendar } from './missed-occurrences.ts'

/**
 * What a job that does not fire by itself has missed up to an instant and nobody has written down yet: that happens once, when it is resumed, but whoever asks
 * before is told the same.
 */
export async function pendingEntries(
  store: Store,
  job: Job,
  upTo: number,
  recordedAt: number,
): Promise<OccurrenceRecord[]> {
  const { nextFireAt } = job.schedule
  if (firesNow(job) || nextFireAt === null || nextFireAt > upTo) return []
  const { ledger } = await resolveHeldBack(store, await withKnownCalendar(store, job), upTo, heldBackBy(job.status))
  return ledger.map((entry) => ({ ...entry, executionId: null, misfire: null, recordedAt }))
}
