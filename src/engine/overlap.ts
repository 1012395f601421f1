import type { Job } from '../job/job.ts'
import type { OverlapRule } from '../job/overlap.ts'
import { type OverlapResolution, resolveOverlap, type Standing } from '../job/resolve-overlap.ts'
import type { WaitingChange } from '../store/occurrences.ts'
import type { Store } from '../store/store.ts'
import { formatInstant } from '../time/instant.ts'
import type { Resolution } from '../time/misfire/resolution.ts'
import type { Telemetry } from './telemetry.ts'

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
function looksBack(rule: OverlapRule): boolean {
  return rule === 'queue' || rule === 'skip' || rule === 'replace'
}

/** What becomes of a job's due occurrences, and of those before them. */
export function meetOverlap(job: Job, resolution: Resolution, standing: Standing, now: number): OverlapResolution {
  const { overlap, misfire } = job.definition
  return resolveOverlap(resolution, standing, overlap, misfire, now)
}

/** What firing a job does to occurrences before. */
export interface Displacement {
  readonly changes: readonly WaitingChange[]
  readonly cancels: readonly { readonly id: string; readonly reason: string }[]
}

/** What is to be done about occurrences before, once those that meet them have fired; null where there is nothing. */
export function displacementOf(job: Job, overlap: OverlapResolution): Displacement | null {
  const { consolidated, carrier, replaced, resolution } = overlap
  if (consolidated.length + replaced.length === 0 && carrier === null) return null
  const newest = resolution.fire.at(-1)?.scheduledAt
  const reason = newest === undefined ? 'Replaced.' : `Replaced by the occurrence of ${formatInstant(newest)}.`
  const changes = consolidated.map(({ executionId, scheduledAt }): WaitingChange => {
    return { executionId, jobId: job.id, scheduledAt, epoch: null, decision: 'consolidated', cause: 'overlap' }
  })
  if (carrier) {
    const { executionId, scheduledAt } = carrier.occurrence
    changes.push({ executionId, jobId: job.id, scheduledAt, misfire: carrier.misfire })
  }
  return { changes, cancels: replaced.map(({ executionId }) => ({ id: executionId, reason })) }
}

/**
 * Ends what others have taken the place of. May be done again: what has ended stays as it is. Where it is never done, because the node is gone, what was to
 * be ended runs first, and the next that fires takes the place of both. Returns whether something was cancelled that may have been running.
 */
export async function displace(
  { store, telemetry }: { readonly store: Store; readonly telemetry: Telemetry },
  displacements: readonly Displacement[],
): Promise<boolean> {
  const changes = displacements.flatMap((each) => each.changes)
  const cancels = displacements.flatMap((each) => each.cancels)
  const ended = changes.length === 0 ? [] : await store.occurrences.consolidate(changes)
  for (const executionId of ended) telemetry.tell('execution.cancelled', { executionId })
  const answers = cancels.length === 0 ? [] : await store.executions.cancel(cancels)
  for (const [index, { id }] of cancels.entries()) {
    if (answers[index] === 'cancelled') telemetry.tell('execution.cancelled', { executionId: id })
  }
  return answers.includes('cancelled') || answers.includes('cancelling')
}
