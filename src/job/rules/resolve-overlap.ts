import type { Calendar } from '../../time/calendars/calendar.ts'
import { type MisfirePolicy, type MisfireRules, policyFor } from '../../time/misfire/policy.ts'
import type { FiredOccurrence, LedgerEntry, MisfireInfo, Resolution } from '../../time/misfire/resolve.ts'
import { type TriggerState, underCalendar, withoutFires, withoutLimit } from '../../time/trigger-state.ts'
import { OnceTrigger } from '../../time/triggers/once.ts'
import { innermost } from '../../time/triggers/trigger.ts'
import type { OverlapRule } from './overlap.ts'

/** What of a job has not ended. */
export interface Standing {
  /** Whether there is anything: it runs, waits, or waits for a retry, and whoever brought it about. */
  readonly isBusy: boolean
  /** The occurrences among it, the oldest first. */
  readonly occurrences: readonly StandingOccurrence[]
}

export interface StandingOccurrence {
  readonly executionId: string
  readonly scheduledAt: number
  /** Set where it stands for others. */
  readonly misfire: MisfireInfo | null
  /** Whether it may be claimed, and never was. */
  readonly isFresh: boolean
}

/** What becomes of occurrences that are due, and of those before them that have not ended. */
export interface OverlapResolution {
  readonly resolution: Resolution
  /** How many occurrences met another; 0 where none did. */
  readonly missed: number
  /** Those that waited and become part of another run. */
  readonly consolidated: readonly StandingOccurrence[]
  /** One that waits, and stands for others from now on. */
  readonly carrier: { readonly occurrence: StandingOccurrence; readonly misfire: MisfireInfo } | null
  /** Occurrences that are cancelled in favour of the newest; those that have started end with their attempt. */
  readonly replaced: readonly StandingOccurrence[]
}

/** Decides about occurrences that fire while something of their job has not ended. Pure, as the resolution of misfires before it. */
export function resolveOverlap(
  resolution: Resolution,
  standing: Standing,
  rule: OverlapRule,
  rules: MisfireRules,
  now: number,
  calendar: Calendar | null = null,
): OverlapResolution {
  if (resolution.fire.length === 0) return unmet(resolution)
  if (rule === 'queue') return uncounted(queue(resolution, standing, rules, now), resolution, now, calendar)
  if (rule === 'skip') return uncounted(skip(resolution, standing), resolution, now, calendar)
  if (rule === 'replace') return replace(resolution, standing, now)
  return unmet(resolution)
}

/**
 * Occurrences that are skipped use up no repeats. A trigger that would have been done with them has passed fire times since, at which the job was busy too: they
 * are skipped as well.
 */
function uncounted(
  overlap: OverlapResolution,
  before: Resolution,
  now: number,
  calendar: Calendar | null,
): OverlapResolution {
  const { resolution, missed } = overlap
  const kept = new Set(resolution.fire.map(({ scheduledAt }) => scheduledAt))
  const left = before.fire.map(({ scheduledAt }) => scheduledAt).filter((at) => !kept.has(at))
  if (left.length === 0 || resolution.policy !== 'skipToNext') return overlap
  const state = withoutFires(before.state, left.length, now, calendar)
  const passed = before.state.nextFireAt === null ? passedBy(state, Math.max(...left), now, calendar) : []
  const count = passed.reduce((sum, entry) => sum + entry.count, 0)
  const ledger = [...resolution.ledger, ...passed]
  return { ...overlap, missed: missed + count, resolution: { ...resolution, state, ledger } }
}

function passedBy(state: TriggerState, after: number, now: number, calendar: Calendar | null): LedgerEntry[] {
  const rule = underCalendar(withoutLimit(state), calendar)
  const [from, to] = [rule.next(after), rule.previous(now + 1)]
  if (from === null || to === null || from > to) return []
  return [{ from, to, count: rule.count(from, to + 1), decision: 'skipped', cause: 'overlap' }]
}

function unmet(resolution: Resolution): OverlapResolution {
  return { resolution, missed: 0, consolidated: [], carrier: null, replaced: [] }
}

/** At most one waits: it and those that come due meanwhile are one run by the policy. */
function queue(resolution: Resolution, standing: Standing, rules: MisfireRules, now: number): OverlapResolution {
  const policy = overlapPolicy(rules)
  const waiting = standing.occurrences.filter(({ isFresh, misfire }) => isFresh && !isEach(misfire?.policy))
  const { fire } = resolution
  // What a policy lets run one by one waits one by one.
  if (isEach(policy) || isEach(resolution.policy) || waiting.length + fire.length < 2) return unmet(resolution)
  if (policy === 'skipToNext') return skipBehind(resolution, waiting.length > 0 ? [] : fire.slice(0, 1))

  const all = [...waiting, ...fire].toSorted((a, b) => a.scheduledAt - b.scheduledAt)
  const chosen = all.at(policy === 'fireNow' ? 0 : -1) as StandingOccurrence | FiredOccurrence
  const { scheduledAt } = chosen
  const missedCount = countMissed(all)
  const misfire = { ...misfireOf(scheduledAt, now), policy, missedCount }
  const carrier = waiting.find((each) => each === chosen)
  const kept = fire.filter((each) => each === chosen).map((each) => ({ ...each, misfire }))
  return {
    resolution: accountFor(resolution, kept, 'consolidated', policy),
    missed: missedCount,
    consolidated: waiting.filter((each) => each !== chosen),
    carrier: carrier ? { occurrence: carrier, misfire } : null,
    replaced: [],
  }
}

/** A one-time trigger is never left out; nor is what a policy lets run one by one, unless it meets something. */
function skip(resolution: Resolution, { isBusy }: Standing): OverlapResolution {
  if (innermost(resolution.state.trigger) instanceof OnceTrigger) return unmet(resolution)
  const { fire, policy } = resolution
  if (isBusy) return skipBehind(resolution, [])
  return isEach(policy) || fire.length === 1 ? unmet(resolution) : skipBehind(resolution, fire.slice(0, 1))
}

function skipBehind(resolution: Resolution, kept: readonly FiredOccurrence[]): OverlapResolution {
  const accounted = accountFor(resolution, kept, 'skipped', 'skipToNext')
  const missed = accounted.ledger.reduce((sum, { count, cause }) => sum + (cause === 'overlap' ? count : 0), 0)
  return { ...unmet(accounted), missed }
}

/** Only the newest runs. Occurrences that never started are coalesced into it, so they are not recorded as fired. */
function replace(resolution: Resolution, { occurrences }: Standing, now: number): OverlapResolution {
  const { fire } = resolution
  const waiting = occurrences.filter(({ isFresh }) => isFresh)
  const replaced = { ...unmet(resolution), consolidated: waiting, replaced: occurrences }
  const newest = fire.toSorted((a, b) => a.scheduledAt - b.scheduledAt).at(-1)
  if (waiting.length + fire.length === 1 || !newest) return replaced
  const waitingCount = countMissed(waiting)
  const missed = waitingCount + fire.length
  const misfire: MisfireInfo = newest.misfire
    ? { ...newest.misfire, missedCount: waitingCount + newest.misfire.missedCount }
    : { ...misfireOf(newest.scheduledAt, now), policy: 'fireOnce', missedCount: missed }
  const kept = [{ ...newest, runAt: Math.min(...fire.map(({ runAt }) => runAt)), misfire }]
  return { ...replaced, resolution: accountFor(resolution, kept, 'consolidated', 'fireOnce'), missed }
}

function countMissed(occurrences: readonly (StandingOccurrence | FiredOccurrence)[]): number {
  return occurrences.reduce((sum, { misfire }) => sum + (misfire?.missedCount ?? 1), 0)
}

function misfireOf(scheduledAt: number, now: number) {
  return { scheduledAt, detectedAt: now, delayMs: now - scheduledAt, cause: 'overlap' } as const
}

/** A resolution of which only some fire; what becomes of the others stands in the ledger. */
function accountFor(
  { fire, ledger, state }: Resolution,
  kept: readonly FiredOccurrence[],
  decision: 'consolidated' | 'skipped',
  policy: MisfirePolicy,
): Resolution {
  const keptAt = new Set(kept.map(({ scheduledAt }) => scheduledAt))
  const left = fire.map(({ scheduledAt }) => scheduledAt).filter((at) => !keptAt.has(at))
  const isRunGone = kept.length === 0 && decision === 'skipped'
  const before = ledger
    .filter((entry) => entry.decision !== 'firedLate')
    // The run into which they were consolidated is left out, and they with it.
    .map((entry) =>
      isRunGone && entry.decision === 'consolidated' ? ({ ...entry, decision, cause: 'overlap' } as const) : entry,
    )
  const late = kept.filter(({ misfire }) => misfire !== undefined)
  return {
    fire: kept,
    ledger: [
      ...before,
      ...entries(left, decision),
      ...late.map(({ scheduledAt, misfire }) => ({
        from: scheduledAt,
        to: scheduledAt,
        count: 1,
        decision: 'firedLate' as const,
        cause: misfire?.cause ?? 'overlap',
      })),
    ],
    policy,
    state,
  }
}

function entries(occurrences: readonly number[], decision: 'consolidated' | 'skipped'): LedgerEntry[] {
  if (occurrences.length === 0) return []
  const [from, to] = [Math.min(...occurrences), Math.max(...occurrences)]
  return [{ from, to, count: occurrences.length, decision, cause: 'overlap' }]
}

/** What a job does about occurrences that meet another. What waits has no trigger to ask, so that Quartz's instructions become their nearest kin. */
export function overlapPolicy(rules: MisfireRules): 'fireNow' | 'fireOnce' | 'fireAll' | 'ignore' | 'skipToNext' {
  const policy = policyFor(rules, 'overlap')
  switch (policy) {
    case 'smart':
    case 'rescheduleNowWithExistingCount':
    case 'rescheduleNowWithRemainingCount':
      return 'fireNow'
    case 'rescheduleNextWithExistingCount':
    case 'rescheduleNextWithRemainingCount':
      return 'skipToNext'
    case 'fireNow':
    case 'fireOnce':
    case 'fireAll':
    case 'ignore':
    case 'skipToNext':
      return policy
  }
}

/** Whether a policy gives every occurrence a run of its own. */
export function isEach(policy: MisfirePolicy | null | undefined): boolean {
  return policy === 'fireAll' || policy === 'ignore'
}
