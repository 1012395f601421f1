import type { ClaimedExecution } from '../store/leases.ts'
import type { WaitingChange, WaitingOccurrence } from '../store/occurrences.ts'
import type { Store } from '../store/store.ts'
import { formatInstant } from '../time/instant.ts'
import { type MisfirePolicy, policyFor } from '../time/misfire/policy.ts'
import type { MisfireInfo } from '../time/misfire/resolution.ts'
import { resolveWaiting } from '../time/misfire/waiting.ts'

/** Nobody calls a queue overloaded that is less than this behind; it saves a question to the store at every claim. */
const NOTABLE_MS = 1_000
const MAX_WAITING = 1_000

/** What a node does with an occurrence it has claimed: run it, with what was missed where it comes too late, or leave it. */
export type OverloadDecision =
  | { readonly isDropped: true; readonly missed: MissedByOverload }
  | { readonly isDropped: false; readonly misfire: MisfireInfo | null; readonly missed: MissedByOverload | null }

export interface MissedByOverload {
  readonly job: string
  readonly count: number
  readonly policy: MisfirePolicy
  readonly nextFireAt: string | null
}

export const AS_PLANNED: OverloadDecision = { isDropped: false, misfire: null, missed: null }

/** Whether an occurrence waited so long for a slot that its job's policy may have to decide about it. */
export function isLate({ attempt, body }: ClaimedExecution, now: number): boolean {
  const { origin, scheduledAt, options } = body
  if (origin !== 'schedule' || attempt > 1 || options?.misfire) return false
  return scheduledAt !== null && now - scheduledAt > NOTABLE_MS
}

/** An occurrence that waited for a slot longer than its job's threshold is a misfire too, and the policy decides about it at its claim. */
export async function decideOverload(store: Store, claimed: ClaimedExecution, now: number): Promise<OverloadDecision> {
  const { jobId, scheduledAt } = claimed.body
  if (jobId === null || scheduledAt === null) return AS_PLANNED
  const [job] = await store.jobs.find([jobId])
  if (!job || job.definition.trigger.type === 'once') return AS_PLANNED
  const rules = job.definition.misfire
  if (now - scheduledAt <= rules.thresholdMs) return AS_PLANNED

  const policy = policyFor(rules, 'overload')
  const waiting = await store.occurrences.waiting(jobId, MAX_WAITING)
  const ours = waiting.find(({ executionId }) => executionId === claimed.executionId)
  if (ours?.misfire) return { isDropped: false, misfire: ours.misfire, missed: null }
  // With these each is decided about at its own claim.
  const isEachForItself = policy === 'fireAll' || policy === 'ignore'
  const others = isEachForItself ? [] : waiting.filter(({ isHeld }) => !isHeld)
  const own: WaitingOccurrence = { executionId: claimed.executionId, scheduledAt, misfire: null, isHeld: true }
  const all = [own, ...others]
  const { run, ledger } = resolveWaiting(
    all.map((each) => each.scheduledAt),
    rules,
    now,
    'overload',
  )
  const runs = new Map(run.map((each) => [each.scheduledAt, each.misfire ?? null]))
  const decision = ledger.some((entry) => entry.decision === 'consolidated') ? 'consolidated' : 'skipped'
  const changes: WaitingChange[] = all
    .filter((each) => !runs.has(each.scheduledAt))
    .map((each) => ({
      executionId: each.executionId,
      jobId,
      scheduledAt: each.scheduledAt,
      epoch: each === own ? claimed.epoch : null,
      decision,
      cause: 'overload',
    }))
  for (const each of all) {
    const misfire = runs.get(each.scheduledAt)
    if (misfire) {
      changes.push({ executionId: each.executionId, jobId, scheduledAt: each.scheduledAt, misfire })
    }
  }
  if (changes.length > 0) await store.occurrences.consolidate(changes)
  const nextFireAt = job.schedule.nextFireAt === null ? null : formatInstant(job.schedule.nextFireAt)
  const missed: MissedByOverload = { job: job.name, count: all.length, policy, nextFireAt }
  const misfire = runs.get(scheduledAt)
  return misfire === undefined ? { isDropped: true, missed } : { isDropped: false, misfire, missed }
}
