import { InvalidInputError } from '../errors.ts'
import { type Calendar, requireCalendar } from './calendars/calendar.ts'
import { formatInstant, type Instant, instantOf } from './instant.ts'
import { type MisfireOptions, type MisfirePolicy, type MisfirePolicyName, misfireRules } from './misfire/policy.ts'
import { type FiredOccurrence, type LedgerEntry, resolveMisfires } from './misfire/resolve.ts'
import { requireList, requireOptions } from './require.ts'
import { firesLeft, nextFireTime, type TriggerState, underCalendar, withoutLimit } from './trigger-state.ts'
import { requireTrigger, type Trigger } from './triggers/trigger.ts'

/** A job as far as its times go. */
export interface SimulatedJob {
  readonly name: string
  readonly trigger: Trigger
  readonly calendar?: Calendar | null | undefined
  readonly misfire?: MisfireOptions | undefined
  /** Quartz's letter for "now". Default false. */
  readonly quartz?: boolean | undefined
  /**
   * The stored state of a job with a limited number of repeats, since a fire time that used up no repeat can't be told from the trigger. Default: it
   * fired at every fire time since its start.
   */
  readonly state?: TriggerState | undefined
}

/** An outage, and the jobs it is tried on. */
export interface SimulateOptions {
  readonly jobs: readonly SimulatedJob[]
  /** From when until when nothing is fired. */
  readonly outage: { readonly from: Instant; readonly to: Instant }
  /** What is looked at. Default: the outage, and as long again before and after. */
  readonly period?: { readonly from: Instant; readonly to: Instant } | undefined
  /** Try each of these in place of a job's own policy. Default: the job's own. */
  readonly policies?: readonly MisfirePolicyName[] | undefined
}

/** What one job would do under one policy. Instants are epoch milliseconds. */
export interface SimulatedPolicy {
  readonly policy: MisfirePolicy
  /** Occurrences fired on time before the outage and after it. */
  readonly onTime: { readonly before: number; readonly after: number }
  /** How many occurrences the outage swallowed. */
  readonly missed: number
  /** The runs when it is over, in the order in which they start. */
  readonly fired: readonly FiredOccurrence[]
  readonly firedLate: number
  readonly consolidated: number
  readonly skipped: number
  readonly dropped: number
  readonly ledger: readonly LedgerEntry[]
  readonly nextFireAt: number | null
}

/** What a job would do under each policy that was tried. */
export interface SimulatedResult {
  readonly name: string
  readonly policies: readonly SimulatedPolicy[]
}

/** What every job would do if nothing fired for a while: what fires late, is consolidated, skipped or dropped. Pure. */
export function simulate(options: SimulateOptions): SimulatedResult[] {
  requireOptions(options, 'simulate', ['jobs', 'outage', 'period', 'policies'])
  const outage = span(options.outage, 'outage')
  const length = outage.to - outage.from
  const period = options.period
    ? span(options.period, 'period')
    : { from: outage.from - length, to: outage.to + length }
  return requireList(options.jobs, 'jobs').map((job) => ({
    name: requireJob(job).name,
    policies: requireList(options.policies ?? [job.misfire?.policy ?? 'smart'], 'policies').map((policy) =>
      tryPolicy(job, policy, outage, period),
    ),
  }))
}

function requireJob(job: SimulatedJob): SimulatedJob {
  requireOptions(job, 'Simulated job', ['name', 'trigger', 'calendar', 'misfire', 'quartz', 'state'])
  requireTrigger(job.trigger, `trigger of ${job.name}`)
  if (job.state !== undefined) requireTrigger(job.state?.trigger, `state.trigger of ${job.name}`)
  if (job.calendar != null) requireCalendar(job.calendar, `calendar of ${job.name}`)
  return job
}

interface Span {
  readonly from: number
  readonly to: number
}

function tryPolicy(job: SimulatedJob, policy: MisfirePolicyName, outage: Span, period: Span): SimulatedPolicy {
  const calendar = job.calendar ?? null
  const rules = misfireRules({ ...job.misfire, policy })
  const before = stateAt(job, calendar, outage.from)
  const resolution = resolveMisfires({ state: before, calendar, rules, quartz: job.quartz }, outage.to)
  const { fire, ledger, state } = resolution
  const onTimeAtReturn = fire.filter((occurrence) => occurrence.misfire === undefined).length
  const effective = underCalendar(withoutLimit(state), calendar)
  const later = state.nextFireAt === null ? 0 : effective.count(state.nextFireAt, period.to)
  const onTimeLater = Math.min(later, firesLeft(state))
  const counted = (decision: LedgerEntry['decision']) =>
    ledger.reduce((sum, entry) => sum + (entry.decision === decision ? entry.count : 0), 0)
  return {
    policy: rules.policy,
    onTime: {
      before: firesBetween(job, calendar, period.from, outage.from),
      after: onTimeAtReturn + onTimeLater,
    },
    missed: ledger.reduce((sum, entry) => sum + entry.count, 0),
    fired: fire,
    firedLate: counted('firedLate'),
    consolidated: counted('consolidated'),
    skipped: counted('skipped'),
    dropped: counted('dropped'),
    ledger,
    nextFireAt: state.nextFireAt,
  }
}

/** The state at an instant of a trigger that fires everything on time. */
function stateAt({ trigger, state }: SimulatedJob, calendar: Calendar | null, instant: number): TriggerState {
  const unfired: TriggerState = { trigger, nextFireAt: null, previousFireAt: null, timesTriggered: 0 }
  // A restarted trigger knows nothing of the time before its start.
  const isKnown = state !== undefined && (state.trigger.startAt ?? instant) <= instant
  const base = isKnown && Number.isFinite(firesLeft(unfired)) ? state : unfired
  const rule = underCalendar(withoutLimit(base), calendar)
  const timesTriggered = firesUntil(base, rule, instant)
  const at = { ...base, previousFireAt: rule.previous(instant), timesTriggered }
  return { ...at, nextFireAt: nextFireTime(at, instant - 1, calendar) }
}

/** How often a trigger with a limited number of repeats has fired by an instant, counted on or back from its state; others need no count. */
function firesUntil(state: TriggerState, rule: Trigger, instant: number): number {
  const { trigger, nextFireAt, previousFireAt, timesTriggered } = state
  const limit = timesTriggered + firesLeft(state)
  if (!Number.isFinite(limit)) return 0
  const hasFired = nextFireAt !== null || previousFireAt !== null
  const from = hasFired ? (nextFireAt ?? (previousFireAt ?? 0) + 1) : (trigger.startAt ?? instant)
  const fires = from <= instant ? rule.count(from, instant) : -rule.count(instant, from)
  return Math.min(Math.max(timesTriggered + fires, 0), limit)
}

/** How many fires lie in a range, for a trigger that has fired everything on time up to its beginning. */
function firesBetween(job: SimulatedJob, calendar: Calendar | null, from: number, to: number): number {
  const state = stateAt(job, calendar, from)
  return Math.min(underCalendar(withoutLimit(state), calendar).count(from, to), firesLeft(state))
}

function span(given: { readonly from: Instant; readonly to: Instant }, name: string): Span {
  const { from, to } = requireOptions(given, name, ['from', 'to'])
  const checked = { from: instantOf(from, `${name}.from`), to: instantOf(to, `${name}.to`) }
  if (checked.from <= checked.to) return checked
  throw new InvalidInputError(
    'simulation.invalid',
    `${name}.to must not be before ${name}.from, got ${formatInstant(checked.to)} before ${formatInstant(checked.from)}.`,
    { name, received: checked },
  )
}
