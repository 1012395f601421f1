import type { Job } from '../../job/job.ts'
import { firesNow } from '../../job/job-status.ts'
import { isEach, overlapPolicy } from '../../job/rules/resolve-overlap.ts'
import type { ClaimedExecution } from '../../store/leases.ts'
import type { WaitingChange } from '../../store/occurrences.ts'
import type { EngineStore } from '../../store/store.ts'
import { formatInstant } from '../../time/instant.ts'
import { DEFAULT_THRESHOLD_MS, type MisfirePolicy, policyFor } from '../../time/misfire/policy.ts'
import type { MisfireInfo } from '../../time/misfire/resolve.ts'
import { resolveWaiting, type WaitingCause } from '../../time/misfire/waiting.ts'
import { triggerFrom } from '../../time/triggers/from-json.ts'
import { OnceTrigger } from '../../time/triggers/once.ts'
import { innermost } from '../../time/triggers/trigger.ts'
import { looksBack } from './fire-job.ts'

const MAX_WAITING = 1_000

/** Whether an occurrence waited so long that its job's policy may have to decide about it. */
export function isLate({ epoch, body }: ClaimedExecution, now: number): boolean {
  const { origin, jobId, scheduledAt, options } = body
  // One that was claimed before has begun, and was handed back or is tried again.
  if (origin !== 'schedule' || jobId === null || epoch > 1 || options?.misfire) return false
  return scheduledAt !== null && now - scheduledAt > (options?.lateAfterMs ?? DEFAULT_THRESHOLD_MS)
}

export interface OverloadDecision {
  /** Those to run, and what each stands for where that is decided. */
  readonly runs: readonly { readonly claimed: ClaimedExecution; readonly misfire: MisfireInfo | null }[]
  /** Those that were ended without running. */
  readonly ended: readonly string[]
  /** What was missed; null where nothing was. */
  readonly missed: MissedByOverload | null
}

interface MissedByOverload {
  readonly jobId: string
  readonly job: string
  readonly tenant: string
  readonly missed: number
  readonly policy: MisfirePolicy
  readonly cause: WaitingCause
  readonly nextFireAt: string | null
}

/** For how much of the time between two instants no node was active, in milliseconds. */
export interface Activity {
  inactiveMs(from: number, now: number): Promise<number>
}

/** A job of which an occurrence waited longer than its threshold. */
export interface LateJob {
  readonly job: Job
  readonly cause: 'outage' | 'overload'
}

/**
 * Why occurrences of one job that a node has claimed waited so long: an outage if the oldest would have waited no longer than the threshold without the time in
 * which no node was active. null: they run as planned.
 */
export async function judgeLate(
  { store, activity }: { readonly store: EngineStore; readonly activity: Activity },
  jobId: string,
  late: readonly ClaimedExecution[],
  now: number,
): Promise<LateJob | null> {
  const [job] = await store.jobs.find([jobId])
  if (!job || innermost(triggerFrom(job.definition.trigger)) instanceof OnceTrigger) return null
  const { thresholdMs } = job.definition.misfire
  const oldest = Math.min(...late.map((claimed) => occurrenceOf(claimed).scheduledAt))
  if (now - oldest <= thresholdMs) return null
  const inactiveMs = await activity.inactiveMs(oldest, now)
  return { job, cause: now - oldest - inactiveMs <= thresholdMs ? 'outage' : 'overload' }
}

/** True if an outage missed occurrences of a job that have not fired yet and belong to the same run: the decision waits until the scheduler has fired them. */
export function awaitsFiring({ job, cause }: LateJob, now: number): boolean {
  const { nextFireAt } = job.schedule
  const { overlap, misfire } = job.definition
  return (
    cause === 'outage' &&
    nextFireAt !== null &&
    nextFireAt <= now &&
    firesNow(job) &&
    !looksBack(overlap) &&
    !isEach(policyFor(misfire, cause))
  )
}

/** True if an execution stands for occurrences that an outage missed, and may be merged with another run for the same outage. */
export function mayJoin({ epoch, body }: ClaimedExecution): boolean {
  const misfire = body.options?.misfire
  return epoch === 1 && misfire?.cause === 'outage' && !isEach(misfire.policy)
}

/**
 * Decides about late occurrences of one job that a node has claimed together. An occurrence that waited for a slot longer than its job's threshold is a misfire
 * too: the policy decides about it at its claim, and about all that wait alongside it.
 */
export async function decideLate(
  store: EngineStore,
  judged: LateJob | null,
  late: readonly ClaimedExecution[],
  now: number,
): Promise<OverloadDecision> {
  if (!judged) return { runs: late.map((claimed) => ({ claimed, misfire: null })), ended: [], missed: null }
  const { job, cause } = judged
  const rules = job.definition.misfire
  const ours = late.map((claimed) => ({ claimed, ...occurrenceOf(claimed) }))
  if (cause === 'overload' && job.definition.overlap === 'queue') return await runBehind(store, job, ours, now)
  const chosen = policyFor(rules, cause)
  const policy = chosen === 'smart' ? 'fireNow' : chosen
  // With these each is decided about at its own claim.
  const waiting = isEach(policy) ? [] : await store.occurrences.waiting(job.id, MAX_WAITING)
  const all = [...ours, ...waiting.filter(({ isHeld }) => !isHeld).map((each) => ({ ...each, claimed: null }))]
  const { run, ledger } = resolveWaiting(
    all.map(({ scheduledAt }) => scheduledAt),
    rules,
    now,
    cause,
  )
  const missedCount = all.reduce((sum, { misfire }) => sum + (misfire?.missedCount ?? 1), 0)
  const runs = new Map(
    run.map(({ scheduledAt, misfire }) => [scheduledAt, misfire ? { ...misfire, missedCount } : null]),
  )
  const decision = ledger.some((entry) => entry.decision === 'consolidated') ? 'consolidated' : 'skipped'
  const changes = all.map(({ executionId, scheduledAt, claimed }): WaitingChange | null => {
    const misfire = runs.get(scheduledAt)
    if (misfire) return { executionId, jobId: job.id, scheduledAt, misfire }
    const ended = { executionId, jobId: job.id, scheduledAt, epoch: claimed?.epoch ?? null, decision, cause } as const
    return misfire === undefined ? ended : null
  })
  const ended = await store.occurrences.consolidate(changes.filter((change) => change !== null))
  return {
    runs: ours
      .filter(({ scheduledAt }) => runs.has(scheduledAt))
      .map(({ claimed, scheduledAt }) => ({ claimed, misfire: runs.get(scheduledAt) ?? null })),
    ended,
    // Those that stand for others already were reported when they fired.
    missed: missedBy(job, all.filter(({ misfire }) => misfire === null).length, policy, cause),
  }
}

interface Ours {
  readonly claimed: ClaimedExecution
  readonly executionId: string
  readonly scheduledAt: number
}

/** What waited behind the run before it, of which there is one at most, was not held up by others: it runs, and tells how late it is. */
async function runBehind(store: EngineStore, job: Job, ours: readonly Ours[], now: number): Promise<OverloadDecision> {
  const policy = overlapPolicy(job.definition.misfire)
  const late = ours.map(({ claimed, executionId, scheduledAt }) => {
    const delay = { scheduledAt, detectedAt: now, delayMs: now - scheduledAt }
    const misfire: MisfireInfo = { ...delay, policy, missedCount: 1, cause: 'overlap' }
    return { claimed, misfire, change: { executionId, jobId: job.id, scheduledAt, misfire } }
  })
  await store.occurrences.consolidate(late.map(({ change }) => change))
  return { runs: late, ended: [], missed: missedBy(job, late.length, policy, 'overlap') }
}

function missedBy(job: Job, missed: number, policy: MisfirePolicy, cause: WaitingCause): MissedByOverload {
  const { nextFireAt } = job.schedule
  return {
    jobId: job.id,
    job: job.name,
    tenant: job.tenant,
    missed,
    policy,
    cause,
    nextFireAt: nextFireAt === null ? null : formatInstant(nextFireAt),
  }
}

function occurrenceOf({ executionId, body }: ClaimedExecution) {
  return { executionId, scheduledAt: body.scheduledAt ?? 0, misfire: body.options?.misfire ?? null }
}
