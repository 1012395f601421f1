import { type Calendar, givesUp, requireCalendar } from '../calendars/calendar.ts'
import { instantOf } from '../instant.ts'
import { requireOneOf, requireOptions } from '../require.ts'
import { endOfFirst } from '../search.ts'
import { firesLeft, nextFireTime, type TriggerState, underCalendar, withoutLimit } from '../trigger-state.ts'
import { OnceTrigger } from '../triggers/once.ts'
import { SimpleTrigger } from '../triggers/simple.ts'
import { innermost, requireTrigger, type Trigger, WrappedTrigger } from '../triggers/trigger.ts'
import {
  isHeldBack,
  MISFIRE_CAUSES,
  type MisfireCause,
  type MisfirePolicy,
  type MisfireRules,
  policyFor,
  requireRules,
} from './policy.ts'
import { resolveSmart, stateAfterMisfire } from './quartz.ts'

/** What a run that a misfire caused carries with it. */
export interface MisfireInfo {
  /** The occurrence the run stands for. */
  readonly scheduledAt: number
  readonly detectedAt: number
  readonly delayMs: number
  readonly policy: MisfirePolicy
  /** How many occurrences were missed in all. */
  readonly missedCount: number
  readonly cause: MisfireCause
}

/** An occurrence that becomes a run. */
export interface FiredOccurrence {
  /** The instant it was due; kept however late it runs. */
  readonly scheduledAt: number
  /** When to run it. */
  readonly runAt: number
  /** Absent when it fires on time. */
  readonly misfire?: MisfireInfo
}

/**
 * What was decided about missed occurrences: fired late, consolidated into another run, skipped by policy, or dropped because a
 * bound of the catch-up was reached.
 */
export type MissedDecision = 'firedLate' | 'consolidated' | 'skipped' | 'dropped'

/** A row of the ledger: a run of missed occurrences about which the same was decided. */
export interface LedgerEntry {
  /** First and last occurrence. */
  readonly from: number
  readonly to: number
  readonly count: number
  readonly decision: MissedDecision
  readonly cause: MisfireCause
}

/** What becomes of a job's due occurrences. Every one of them is either fired on time or in the ledger. */
export interface Resolution {
  readonly fire: readonly FiredOccurrence[]
  readonly ledger: readonly LedgerEntry[]
  /** What decided about the missed, `smart` resolved; null where nothing was late. */
  readonly policy: MisfirePolicy | null
  /** Where the trigger stands afterwards. Its next fire time may be due already where one call took only a batch. */
  readonly state: TriggerState
}

/** A job as far as misfires are concerned. */
export interface DueJob {
  readonly state: TriggerState
  readonly calendar?: Calendar | null | undefined
  readonly rules: MisfireRules
  /** Quartz's letter: "now" looks at neither the calendar nor the end time. Default false. */
  readonly quartz?: boolean | undefined
}

/** A policy once `smart` has been decided by the kind of trigger. */
type ResolvedPolicy = Exclude<MisfirePolicy, 'smart'>

/** What is known while the missed occurrences of one job are decided about. */
interface Misfire {
  readonly job: DueJob
  readonly calendar: Calendar | null
  readonly missed: Missed
  readonly policy: ResolvedPolicy
  readonly cause: MisfireCause
  readonly now: number
  /** The instant, or the first after it, at which a run may start; null when never. */
  readonly allowedAt: (instant: number) => number | null
  /** When a run that should start now may start. */
  readonly runAt: number | null
}

/** Decides about all occurrences of a job that are due at `now`. Pure: nothing is stored, nothing is read but its arguments. */
export function resolveMisfires(job: DueJob, now: number, cause: MisfireCause = 'outage'): Resolution {
  requireDueJob(job, now, cause)
  const { state, rules } = job
  const calendar = job.calendar ?? null
  const missed = missedBy(state, calendar, now)
  if (missed === null) return nothingDue(state, calendar, now)
  const calendars = job.quartz ? [] : calendarsOf(state.trigger, calendar)
  const allowedAt = (instant: number) => nextIncludedByAll(calendars, instant)
  const isLate = isHeldBack(cause) || now - missed.oldest > rules.thresholdMs
  // A one-time trigger fires however late it is, and whatever held it back.
  if (innermost(state.trigger) instanceof OnceTrigger) return fireOnTime(job, missed, now, allowedAt(now) ?? now)
  if (!isLate) return fireOnTime(job, missed, now, now)

  // Once the oldest is late the policy decides about all that are due, also those inside the threshold.
  const policy = effectivePolicy(state, rules, cause)
  return { ...decide({ job, calendar, missed, policy, cause, now, allowedAt, runAt: allowedAt(now) }), policy }
}

function requireDueJob(job: DueJob, now: number, cause: MisfireCause): void {
  const { state, rules, calendar } = requireOptions(job, 'Due job', ['state', 'calendar', 'rules', 'quartz'])
  requireTrigger(state?.trigger, 'state.trigger')
  requireRules(rules)
  instantOf(now, 'now')
  requireOneOf(cause, 'cause', MISFIRE_CAUSES)
  if (calendar != null) requireCalendar(calendar, 'calendar')
}

/** What a policy decided, before its name is added. */
type Decision = Omit<Resolution, 'policy'>

function decide(misfire: Misfire): Decision {
  switch (misfire.policy) {
    case 'fireNow':
      if (repeats(misfire.job.state.trigger)) return restartNow(misfire, 'rescheduleNowWithRemainingCount')
      return fireOne(misfire, misfire.missed.oldest)
    case 'fireOnce':
      return fireOne(misfire, misfire.missed.newest)
    case 'fireAll':
    case 'ignore':
      return fireAll(misfire)
    case 'rescheduleNowWithExistingCount':
    case 'rescheduleNowWithRemainingCount':
      return restartNow(misfire, misfire.policy)
    case 'rescheduleNextWithExistingCount':
    case 'rescheduleNextWithRemainingCount': {
      const { job, calendar, now } = misfire
      return skip(misfire, stateAfterMisfire(job.state, misfire.policy, now, calendar))
    }
    case 'skipToNext':
      return skip(misfire)
  }
}

/** What a job does about occurrences missed for a cause, once `smart` has been decided by the kind of trigger. */
export function effectivePolicy(state: TriggerState, rules: MisfireRules, cause: MisfireCause): ResolvedPolicy {
  return resolvePolicy(state, policyFor(rules, cause))
}

/** `smart` by the kind of trigger; and instructions that only simple triggers know fall back to their nearest kin on others. */
function resolvePolicy(state: TriggerState, policy: MisfirePolicy): ResolvedPolicy {
  const resolved = policy === 'smart' ? resolveSmart(state) : policy
  if (state.trigger instanceof SimpleTrigger) return resolved
  if (resolved.startsWith('rescheduleNow')) return 'fireNow'
  return resolved.startsWith('rescheduleNext') ? 'skipToNext' : resolved
}

/** Quartz counts a simple trigger that repeats anew from a fire now. */
function repeats(trigger: Trigger): boolean {
  return trigger instanceof SimpleTrigger && trigger.repeatCount !== 0
}

/** A fire time that is due but no longer one, because the calendar changed, gives way to the next. */
function nothingDue(state: TriggerState, calendar: Calendar | null, now: number): Resolution {
  const isDue = state.nextFireAt !== null && state.nextFireAt <= now
  const nextFireAt = isDue ? nextFireTime(state, now, calendar) : state.nextFireAt
  return { fire: [], ledger: [], policy: null, state: { ...state, nextFireAt } }
}

const BATCH = 1_000

/** All that is due and not late, a batch at a time; what is left stays due. */
function fireOnTime(job: DueJob, missed: Missed, now: number, runAt: number): Resolution {
  const fire: FiredOccurrence[] = []
  let at: number | null = missed.oldest
  for (; at !== null && fire.length < BATCH; at = missed.after(at)) fire.push({ scheduledAt: at, runAt })
  const last = fire.at(-1)?.scheduledAt ?? now
  return { fire, ledger: [], policy: null, state: moveOn(job, fire.length, last, at === null ? now : last) }
}

function fireOne(misfire: Misfire, scheduledAt: number): Decision {
  if (isOver(misfire)) return skip(misfire)
  const { missed } = misfire
  const older = missed.before(scheduledAt)
  const newer = missed.after(scheduledAt)
  return {
    fire: [late(misfire, scheduledAt)],
    ledger: [
      ...(older === null ? [] : [entry(misfire, 'consolidated', missed.oldest, older, missed.count - 1)]),
      entry(misfire, 'firedLate', scheduledAt, scheduledAt, 1),
      ...(newer === null ? [] : [entry(misfire, 'consolidated', newer, missed.newest, missed.count - 1)]),
    ],
    state: moveOn(misfire.job, used(misfire, 1), scheduledAt, misfire.now),
  }
}

function fireAll(misfire: Misfire): Decision {
  const { job, missed, now } = misfire
  const { limit, maxAgeMs, order } = job.rules.catchUp
  if (misfire.runAt === null) return skip(misfire)
  const kept = missed.newestFew(limit).filter((at) => maxAgeMs === null || now - at <= maxAgeMs)
  const [oldestKept, newestKept] = [kept.at(0), kept.at(-1)]
  const newestDropped = oldestKept === undefined ? missed.newest : missed.before(oldestKept)
  const ordered = order === 'oldestFirst' ? kept : kept.toReversed()
  return {
    fire: spaced(misfire, ordered),
    ledger: [
      ...(newestDropped === null
        ? []
        : [entry(misfire, 'dropped', missed.oldest, newestDropped, missed.count - kept.length)]),
      ...(oldestKept === undefined || newestKept === undefined
        ? []
        : [entry(misfire, 'firedLate', oldestKept, newestKept, kept.length)]),
    ],
    state: moveOn(job, used(misfire, kept.length), newestKept ?? job.state.previousFireAt, now),
  }
}

/** Runs for missed occurrences, one after the other, each in included time. */
function spaced(misfire: Misfire, occurrences: readonly number[]): FiredOccurrence[] {
  const { spacingMs } = misfire.job.rules.catchUp
  let runAt = misfire.runAt ?? misfire.now
  return occurrences.map((scheduledAt, index) => {
    if (index > 0 && spacingMs > 0) runAt = misfire.allowedAt(runAt + spacingMs) ?? runAt + spacingMs
    return { ...late(misfire, scheduledAt), runAt }
  })
}

/** One run now, from which a simple trigger counts anew. */
function restartNow(
  misfire: Misfire,
  policy: 'rescheduleNowWithExistingCount' | 'rescheduleNowWithRemainingCount',
): Decision {
  const { job, calendar, missed, runAt } = misfire
  if (runAt === null) return skip(misfire)
  const restarted = stateAfterMisfire(job.state, policy, runAt, calendar)
  if (restarted.nextFireAt === null) return skip(misfire, restarted)
  const newer = missed.after(missed.oldest)
  const timesTriggered = restarted.timesTriggered + 1
  return {
    fire: [late(misfire, missed.oldest)],
    ledger: [
      entry(misfire, 'firedLate', missed.oldest, missed.oldest, 1),
      ...(newer === null ? [] : [entry(misfire, 'consolidated', newer, missed.newest, missed.count - 1)]),
    ],
    state: {
      ...restarted,
      timesTriggered,
      previousFireAt: runAt,
      nextFireAt: nextFireTime({ ...restarted, timesTriggered }, runAt, calendar),
    },
  }
}

function skip(
  misfire: Misfire,
  state = moveOn(misfire.job, used(misfire, 0), misfire.job.state.previousFireAt, misfire.now),
): Decision {
  const { missed } = misfire
  return { fire: [], ledger: [entry(misfire, 'skipped', missed.oldest, missed.newest, missed.count)], state }
}

/** Whether a run now would come after the trigger's end, or into excluded time that never ends. */
function isOver({ job, calendar, runAt }: Misfire): boolean {
  const { endAt } = underCalendar(job.state.trigger, calendar)
  return runAt === null || (!job.quartz && endAt !== null && runAt > endAt)
}

/** How many repeats the decision uses up: a simple trigger counts the steps of its pattern, others their fires. */
function used({ job, missed }: Misfire, fired: number): number {
  return job.state.trigger instanceof SimpleTrigger ? missed.count : fired
}

/** The state after so many fires, waiting for the first fire time after an instant. */
function moveOn(
  { state, calendar = null }: DueJob,
  fired: number,
  previousFireAt: number | null,
  after: number,
): TriggerState {
  const timesTriggered = state.timesTriggered + fired
  const nextFireAt = nextFireTime({ ...state, timesTriggered }, after, calendar)
  return { trigger: state.trigger, timesTriggered, previousFireAt, nextFireAt }
}

function late({ missed, policy, cause, now, runAt }: Misfire, scheduledAt: number): FiredOccurrence {
  const misfire = { scheduledAt, detectedAt: now, delayMs: now - scheduledAt, policy, missedCount: missed.count, cause }
  return { scheduledAt, runAt: runAt ?? now, misfire }
}

function entry({ cause }: Misfire, decision: MissedDecision, from: number, to: number, count: number): LedgerEntry {
  return { from, to, count, decision, cause }
}

/** The occurrences that are due and unfired: counted, not listed, since after a long outage there may be millions. */
interface Missed {
  readonly count: number
  readonly oldest: number
  readonly newest: number
  /** The newest `limit` of them, oldest first. */
  newestFew(limit: number): number[]
  /** The one that comes before one of them, or null. */
  before(occurrence: number): number | null
  /** The one that comes after one of them, or null. */
  after(occurrence: number): number | null
}

/** What a trigger should have fired from its next fire time up to and including `now`; null when nothing. */
function missedBy(state: TriggerState, calendar: Calendar | null, now: number): Missed | null {
  const { nextFireAt } = state
  if (nextFireAt === null || nextFireAt > now) return null
  const trigger = underCalendar(withoutLimit(state), calendar)
  const left = state.trigger instanceof SimpleTrigger ? Number.POSITIVE_INFINITY : firesLeft(state)
  const count = trigger.count(nextFireAt, now + 1)
  if (count === 0 || left <= 0) return null
  const end = count > left ? endOfFirst(left, nextFireAt, now + 1, (to) => trigger.count(nextFireAt, to)) : now + 1
  const oldest = trigger.next(nextFireAt - 1)
  const newest = trigger.previous(end)
  if (oldest === null || newest === null) return null
  return {
    count: Math.min(count, left),
    oldest,
    newest,
    newestFew: (limit) => newestFew(trigger, oldest, end, limit),
    before: (occurrence) => (occurrence > oldest ? trigger.previous(occurrence) : null),
    after: (occurrence) => (occurrence < newest ? trigger.next(occurrence) : null),
  }
}

function newestFew(trigger: Trigger, oldest: number, end: number, limit: number): number[] {
  const found: number[] = []
  for (let at = trigger.previous(end); at !== null && at >= oldest && found.length < limit; at = trigger.previous(at)) {
    found.push(at)
  }
  return found.reverse()
}

/** All calendars that a run has to heed: the job's, and those that its trigger was made with. */
function calendarsOf(trigger: Trigger, calendar: Calendar | null): Calendar[] {
  const own = calendar ? [calendar.inZone(trigger.timeZone)] : []
  return trigger instanceof WrappedTrigger ? [...own, ...calendarsOf(trigger.trigger, trigger.calendar)] : own
}

/** The first instant, from the given one on, that all of them include; null when there is none. */
function nextIncludedByAll(calendars: readonly Calendar[], from: number): number | null {
  let at = from
  for (let tries = 0; !givesUp(tries, from, at); tries++) {
    const excluding = calendars.find((calendar) => !calendar.isIncluded(at))
    const next = excluding ? excluding.nextIncluded(at) : at
    if (next === null || !excluding) return next
    at = next
  }
  return null
}
