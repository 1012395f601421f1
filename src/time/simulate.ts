import { InvalidInputError } from '../errors.ts'
import { type Calendar, requireCalendar } from './calendars/calendar.ts'
import { formatInstant, type Instant, instantOf } from './instant.ts'
import { type MisfireOptions, type MisfirePolicy, type MisfirePolicyName, misfireRules } from './misfire/policy.ts'
import type { FiredOccurrence, LedgerEntry } from './misfire/resolution.ts'
import { resolveMisfires } from './misfire/resolve.ts'
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
  requireOptions(job, 'Simulated job', ['name', 'trigger', 'calendar', 'misfire', 'quartz'])
  requireTrigger(job.trigger, `trigger of ${job.name}`)
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
  const before = stateAt(job.trigger, calendar, outage.from)
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
      before: firesBetween(job.trigger, calendar, period.from, outage.from),
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

/** Where a trigger stands that has fired everything on time up to an instant. */
function stateAt(trigger: Trigger, calendar: Calendar | null, instant: number): TriggerState {
  const unfired: TriggerState = { trigger, nextFireAt: null, previousFireAt: null, timesTriggered: 0 }
  const rule = underCalendar(withoutLimit(unfired), calendar)
  // Only a trigger with a limited number of repeats needs to know, and it has a start to count from.
  const limit = firesLeft(unfired)
  const fired = Number.isFinite(limit) ? Math.min(rule.count(trigger.startAt ?? instant, instant), limit) : 0
  const state = { ...unfired, previousFireAt: rule.previous(instant), timesTriggered: fired }
  return { ...state, nextFireAt: nextFireTime(state, instant - 1, calendar) }
}

/** How many fires lie in a range, for a trigger that has fired everything on time up to its beginning. */
function firesBetween(trigger: Trigger, calendar: Calendar | null, from: number, to: number): number {
  const state = stateAt(trigger, calendar, from)
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
