import type { Job } from '../job/job.ts'
import { overlapPolicy } from '../job/resolve-overlap.ts'
import type { ClaimedExecution } from '../store/leases.ts'
import type { WaitingChange } from '../store/occurrences.ts'
import type { Store } from '../store/store.ts'
import { formatInstant } from '../time/instant.ts'
import { DEFAULT_THRESHOLD_MS, type MisfirePolicy, policyFor } from '../time/misfire/policy.ts'
import type { MisfireInfo } from '../time/misfire/resolution.ts'
import { resolveWaiting } from '../time/misfire/waiting.ts'
import { triggerFrom } from '../time/triggers/from-json.ts'
import { OnceTrigger } from '../time/triggers/once.ts'
import { innermost } from '../time/triggers/wrapped.ts'

const MAX_WAITING = 1_000

/** Whether an occurrence waited so long for a slot that its job's policy may have to decide about it. */
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
  readonly cause: 'overload' | 'overlap'
  readonly nextFireAt: string | null
}

/**
 * Decides about late occurrences of one job that a node has claimed together. An occurrence that waited for a slot longer than its job's threshold is a misfire
 * too: the policy decides about it at its claim, and about all that wait beside it.
 */
export async function decideOverload(
  store: Store,
  jobId: string,
  late: readonly ClaimedExecution[],
  now: number,
): Promise<OverloadDecision> {
  const asPlanned = { runs: late.map((claimed) => ({ claimed, misfire: null })), ended: [], missed: null }
  const [job] = await store.jobs.find([jobId])
  if (!job || innermost(triggerFrom(job.definition.trigger)) instanceof OnceTrigger) return asPlanned
  const rules = job.definition.misfire
  const ours = late.map((claimed) => ({ claimed, ...occurrenceOf(claimed) }))
  if (ours.every(({ scheduledAt }) => now - scheduledAt <= rules.thresholdMs)) return asPlanned

  if (job.definition.overlap === 'queue') return await runBehind(store, job, ours, now)
  const chosen = policyFor(rules, 'overload')
  const policy = chosen === 'smart' ? 'fireNow' : chosen
  // With these each is decided about at its own claim.
  const isEachForItself = policy === 'fireAll' || policy === 'ignore'
  const waiting = isEachForItself ? [] : await store.occurrences.waiting(jobId, MAX_WAITING)
  const all = [
    ...ours,
    ...waiting.filter(({ isHeld }) => !isHeld).map((each) => ({ ...each, claimed: null as ClaimedExecution | null })),
  ]
  const { run, ledger } = resolveWaiting(
    all.map(({ scheduledAt }) => scheduledAt),
    rules,
    now,
    'overload',
  )
  const runs = new Map(run.map(({ scheduledAt, misfire }) => [scheduledAt, misfire ?? null]))
  const decision = ledger.some((entry) => entry.decision === 'consolidated') ? 'consolidated' : 'skipped'
  const changes = all.map(({ executionId, scheduledAt, claimed }): WaitingChange | null => {
    const misfire = runs.get(scheduledAt)
    if (misfire) return { executionId, jobId, scheduledAt, misfire }
    const ended = {
      executionId,
      jobId,
      scheduledAt,
      epoch: claimed?.epoch ?? null,
      decision,
      cause: 'overload',
    } as const
    return misfire === undefined ? ended : null
  })
  const ended = await store.occurrences.consolidate(changes.filter((change) => change !== null))
  return {
    runs: ours
      .filter(({ scheduledAt }) => runs.has(scheduledAt))
      .map(({ claimed, scheduledAt }) => ({ claimed, misfire: runs.get(scheduledAt) ?? null })),
    ended,
    missed: missedBy(job, all.length, policy, 'overload'),
  }
}

interface Ours {
  readonly claimed: ClaimedExecution
  readonly executionId: string
  readonly scheduledAt: number
}

/** What waited behind the run before it, of which there is one at most, was not held up by others: it runs, and tells how late it is. */
async function runBehind(store: Store, job: Job, ours: readonly Ours[], now: number): Promise<OverloadDecision> {
  const policy = overlapPolicy(job.definition.misfire)
  const late = ours.map(({ claimed, executionId, scheduledAt }) => {
    const delay = { scheduledAt, detectedAt: now, delayMs: now - scheduledAt }
    const misfire: MisfireInfo = { ...delay, policy, missedCount: 1, cause: 'overlap' }
    return { claimed, misfire, change: { executionId, jobId: job.id, scheduledAt, misfire } }
  })
  await store.occurrences.consolidate(late.map(({ change }) => change))
  return { runs: late, ended: [], missed: missedBy(job, late.length, policy, 'overlap') }
}

function missedBy(job: Job, missed: number, policy: MisfirePolicy, cause: 'overload' | 'overlap'): MissedByOverload {
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

function occurrenceOf({ executionId, body }: ClaimedExecution): { executionId: string; scheduledAt: number } {
  return { executionId, scheduledAt: body.scheduledAt ?? 0 }
}
