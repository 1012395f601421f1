import type { Calendar } from '../calendars/calendar.ts'
import { nextFireTime, type TriggerState } from '../trigger-state.ts'
import { CalendaredTrigger } from '../triggers/calendared.ts'
import { innermost } from '../triggers/innermost.ts'
import { JitteredTrigger } from '../triggers/jittered.ts'
import { OnceTrigger } from '../triggers/once.ts'
import { RolledTrigger } from '../triggers/rolled.ts'
import { SimpleTrigger } from '../triggers/simple.ts'
import type { Trigger } from '../triggers/trigger.ts'
import { type Missed, missedBy } from './missed.ts'
import { type MisfireCause, type MisfirePolicy, type MisfireRules, policyFor } from './policy.ts'
import { resolveSmart, stateAfterMisfire } from './quartz.ts'
import type { FiredOccurrence, LedgerEntry, MissedDecision, Resolution } from './resolution.ts'

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
  /** When a run that should start now may start; null when never. */
  readonly runAt: number | null
}

/** Decides about all occurrences of a job that are due at `now`. Pure: nothing is stored, nothing is read but its arguments. */
export function resolveMisfires(job: DueJob, now: number, cause: MisfireCause = 'outage'): Resolution {
  const { state, rules } = job
  const calendar = job.calendar ?? null
  if (cause === 'edited' && rules.causes.edited === undefined) return startAnew(state, calendar, now)
  const missed = missedBy(state, calendar, now)
  if (missed === null) return nothingDue(state, calendar, now)
  const isLate = cause !== 'outage' || now - missed.oldest > rules.thresholdMs
  if (!isLate || innermost(state.trigger) instanceof OnceTrigger) return fireOnTime(job, missed, now)

  // Once the oldest is late the policy decides about all that are due, also those inside the threshold.
  const policy = resolvePolicy(state, policyFor(rules, cause))
  const excluding = calendar ?? calendarWithin(state.trigger)
  const runAt = job.quartz || !excluding ? now : excluding.nextIncluded(now)
  return decide({ job, calendar, missed, policy, cause, now, runAt })
}

/** The calendar of a trigger that was made with one. */
function calendarWithin(trigger: Trigger): Calendar | null {
  if (trigger instanceof CalendaredTrigger || trigger instanceof RolledTrigger) return trigger.calendar
  return trigger instanceof JitteredTrigger ? calendarWithin(trigger.trigger) : null
}

function decide(misfire: Misfire): Resolution {
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

function startAnew(state: TriggerState, calendar: Calendar | null, now: number): Resolution {
  return { fire: [], ledger: [], state: { ...state, nextFireAt: nextFireTime(state, now, calendar) } }
}

/** A fire time that is due but no longer one, because the calendar changed, gives way to the next. */
function nothingDue(state: TriggerState, calendar: Calendar | null, now: number): Resolution {
  const isDue = state.nextFireAt !== null && state.nextFireAt <= now
  return isDue ? startAnew(state, calendar, now) : { fire: [], ledger: [], state }
}

const BATCH = 1_000

/** All that is due and not late, a batch at a time; what is left stays due. */
function fireOnTime(job: DueJob, missed: Missed, now: number): Resolution {
  const fire: FiredOccurrence[] = []
  let at: number | null = missed.oldest
  for (; at !== null && fire.length < BATCH; at = missed.after(at)) fire.push({ scheduledAt: at, runAt: now })
  const last = fire.at(-1)?.scheduledAt ?? now
  return { fire, ledger: [], state: moveOn(job, fire.length, last, at === null ? now : last) }
}

function fireOne(misfire: Misfire, scheduledAt: number): Resolution {
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

function fireAll(misfire: Misfire): Resolution {
  const { job, missed, now, runAt } = misfire
  const { limit, maxAgeMs, order, spacingMs } = job.rules.catchUp
  if (runAt === null) return skip(misfire)
  const kept = missed.newestFew(limit).filter((at) => now - at <= maxAgeMs)
  const [oldestKept, newestKept] = [kept.at(0), kept.at(-1)]
  const newestDropped = oldestKept === undefined ? missed.newest : missed.before(oldestKept)
  const ordered = order === 'oldestFirst' ? kept : kept.toReversed()
  return {
    fire: ordered.map((scheduledAt, index) => ({ ...late(misfire, scheduledAt), runAt: runAt + index * spacingMs })),
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

/** One run now, from which a simple trigger counts anew. */
function restartNow(
  misfire: Misfire,
  policy: 'rescheduleNowWithExistingCount' | 'rescheduleNowWithRemainingCount',
): Resolution {
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
): Resolution {
  const { missed } = misfire
  return { fire: [], ledger: [entry(misfire, 'skipped', missed.oldest, missed.newest, missed.count)], state }
}

/** Whether a run now would come after the trigger's end, or into excluded time that never ends. */
function isOver({ job, runAt }: Misfire): boolean {
  const { endAt } = job.state.trigger
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
