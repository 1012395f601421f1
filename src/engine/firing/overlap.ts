import type { Job } from '../../job/job.ts'
import type { OverlapRule } from '../../job/rules/overlap.ts'
import { type OverlapResolution, resolveOverlap, type Standing } from '../../job/rules/resolve-overlap.ts'
import type { CancelRequest } from '../../store/executions.ts'
import type { WaitingChange } from '../../store/occurrences.ts'
import type { Store } from '../../store/store.ts'
import type { Calendar } from '../../time/calendars/calendar.ts'
import { formatInstant } from '../../time/instant.ts'
import type { Resolution } from '../../time/misfire/resolution.ts'
import { withinSteps } from '../../time/search-steps.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'

/** Some tenths of a second for the decision about one job, so that it can't hold up the others. A year of minutes that move from weekends to workdays takes fewer. */
export const MOST_STEPS = 500_000

/** What of a job has not ended. */
export type StandingOf = (job: Job) => Standing

const NOTHING: Standing = { isBusy: false, occurrences: [] }

/** Of jobs whose rule depends on it, what has not ended. */
export async function loadStanding(store: Store, jobs: readonly Job[]): Promise<StandingOf> {
  const ids = jobs.filter(({ definition }) => looksBack(definition.overlap)).map(({ id }) => id)
  if (ids.length === 0) return () => NOTHING
  const standing = new Map((await store.occurrences.standing(ids)).map((each) => [each.jobId, each]))
  return ({ id }) => standing.get(id) ?? NOTHING
}

/** Whether a rule depends on what has not ended; how many may run at once is the claim's business. */
export function looksBack(rule: OverlapRule): boolean {
  return rule === 'queue' || rule === 'skip' || rule === 'replace'
}

/** What becomes of a job's due occurrences, and of those before them. */
export function meetOverlap(
  job: Job,
  calendar: Calendar | null,
  resolution: Resolution,
  standing: Standing,
  now: number,
): OverlapResolution {
  const { overlap, misfire } = job.definition
  return withinSteps(MOST_STEPS, () => resolveOverlap(resolution, standing, overlap, misfire, now, calendar))
}

/** What becomes of occurrences that waited, of which those that fire take the place. */
export function displacedBy(job: Job, { consolidated, carrier }: OverlapResolution): WaitingChange[] {
  const changes = consolidated.map(({ executionId, scheduledAt }): WaitingChange => {
    return { executionId, jobId: job.id, scheduledAt, epoch: null, decision: 'consolidated', cause: 'overlap' }
  })
  if (carrier) {
    const { executionId, scheduledAt } = carrier.occurrence
    changes.push({ executionId, jobId: job.id, scheduledAt, misfire: carrier.misfire })
  }
  return changes
}

/** What is to make way for the newest, and may be running: to be cancelled when that has fired. */
export function replacedBy({ replaced, resolution }: OverlapResolution): CancelRequest[] {
  const newest = resolution.fire.at(-1)?.scheduledAt
  const reason = newest === undefined ? 'Replaced.' : `Replaced by the occurrence of ${formatInstant(newest)}.`
  return replaced.map(({ executionId }) => ({ id: executionId, reason }))
}

/**
 * Cancels what others have taken the place of. May be done again: what has ended stays as it is. Where it is never done, because the node is gone, what was to
 * be cancelled runs first, and the next that fires takes the place of both. Returns whether something was cancelled that may have been running.
 */
export async function cancelReplaced(
  { store, telemetry }: { readonly store: Store; readonly telemetry: Telemetry },
  replaced: readonly CancelRequest[],
): Promise<boolean> {
  if (replaced.length === 0) return false
  const answers = await store.executions.cancel(replaced)
  const cancelled = replaced.filter((_, index) => answers[index] === 'cancelled').map(({ id }) => id)
  tellCancelled(telemetry, cancelled)
  return cancelled.length > 0 || answers.includes('cancelling')
}

export function tellCancelled(telemetry: Telemetry, executionIds: readonly string[]): void {
  for (const executionId of executionIds) telemetry.tell('execution.cancelled', { executionId })
}
