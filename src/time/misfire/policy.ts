import { type Duration, parseDuration } from '../../duration.ts'
import { InvalidInputError, quote } from '../../errors.ts'
import { nearest } from '../../nearest.ts'
import { requireInteger, requireOneOf, requireOptions } from '../require.ts'
import { innermost, type Trigger } from '../triggers/trigger.ts'
import type { RescheduleInstruction } from './quartz.ts'

/**
 * What becomes of the occurrences that nobody fired in time.
 *
 * - `smart`: by the kind of trigger, as in Quartz; for all but simple triggers as `fireNow`
 * - `fireNow`: one run now, stamped with the oldest missed occurrence
 * - `fireOnce`: one run now, stamped with the newest
 * - `fireAll`, `ignore`: one run for each, oldest first
 * - `skipToNext`: none
 * - the four that reschedule: for simple triggers, as in Quartz
 */
export type MisfirePolicy =
  | 'smart'
  | 'ignore'
  | 'fireNow'
  | 'fireOnce'
  | 'fireAll'
  | 'skipToNext'
  | RescheduleInstruction

const POLICIES: readonly MisfirePolicy[] = [
  'smart',
  'ignore',
  'fireNow',
  'fireOnce',
  'fireAll',
  'skipToNext',
  'rescheduleNowWithExistingCount',
  'rescheduleNowWithRemainingCount',
  'rescheduleNextWithExistingCount',
  'rescheduleNextWithRemainingCount',
]

/** Names of the same policies in other systems. */
const ALIASES: Readonly<Record<string, MisfirePolicy>> = {
  fireImmediately: 'fireNow',
  fireOnceNow: 'fireNow',
  skipAndScheduleNext: 'skipToNext',
  doNothing: 'skipToNext',
}

/** A policy by its own name or by the one it has elsewhere. */
export type MisfirePolicyName = MisfirePolicy | 'fireImmediately' | 'fireOnceNow' | 'skipAndScheduleNext' | 'doNothing'

/** Why nobody fired an occurrence in time. */
export type MisfireCause = 'outage' | 'overload' | 'overlap' | 'paused' | 'faulted' | 'flag' | 'edited'

/** All causes. */
export const MISFIRE_CAUSES: readonly MisfireCause[] = Object.freeze<MisfireCause[]>([
  'outage',
  'overload',
  'overlap',
  'paused',
  'faulted',
  'flag',
  'edited',
])

/** What a cause does unless the job says otherwise; the others follow the job's policy. */
const POLICY_OF_CAUSE: Readonly<Partial<Record<MisfireCause, MisfirePolicy>>> = {
  // What was held back on purpose is not made up for.
  paused: 'skipToNext',
  faulted: 'skipToNext',
  flag: 'skipToNext',
  // An edit never fires the past.
  edited: 'skipToNext',
  overlap: 'fireOnce',
}

/** How missed occurrences are made up for where each of them runs. */
export interface CatchUpOptions {
  /** How many missed occurrences `fireAll` runs; the oldest beyond are dropped, and that is recorded. Default 1000. */
  readonly limit?: number | undefined
  /** Occurrences older than this are dropped. Default: no limit. */
  readonly maxAge?: Duration | undefined
  /** Which runs first. Default `oldestFirst`. */
  readonly order?: CatchUpOrder | undefined
  /** Time between the runs, so that a long outage does not end in a flood. Default 0. */
  readonly spacing?: Duration | undefined
}

/** Which of the missed occurrences runs first. */
export type CatchUpOrder = 'oldestFirst' | 'newestFirst'

/** What becomes of the occurrences of a job that nobody fired in time. */
export interface MisfireOptions {
  /** Default `smart`. */
  readonly policy?: MisfirePolicyName | undefined
  /** How late an occurrence may be and still fire as if on time. Default 1 minute. */
  readonly threshold?: Duration | undefined
  /** Policies for single causes. Default: what was paused, faulted or switched off is skipped, an overlap fires once. */
  readonly causes?: Readonly<Partial<Record<MisfireCause, MisfirePolicyName>>> | undefined
  /** How `fireAll` makes up for what was missed. */
  readonly catchUp?: CatchUpOptions | undefined
}

/** The options of a job, checked and complete. */
export interface MisfireRules {
  readonly policy: MisfirePolicy
  readonly thresholdMs: number
  readonly causes: Readonly<Partial<Record<MisfireCause, MisfirePolicy>>>
  readonly catchUp: {
    readonly limit: number
    /** null: no limit. */
    readonly maxAgeMs: number | null
    readonly order: CatchUpOrder
    readonly spacingMs: number
  }
}

/** How late an occurrence may be and still fire as if on time, where nobody says otherwise. */
export const DEFAULT_THRESHOLD_MS = 60_000
const DEFAULT_CATCH_UP_LIMIT = 1_000

/** The rules of a job from its options: checked, complete, and safe to store as JSON. */
export function misfireRules(options: MisfireOptions = {}): MisfireRules {
  requireOptions(options, 'Misfire options', ['policy', 'threshold', 'causes', 'catchUp'])
  const catchUp = requireOptions(options.catchUp ?? {}, 'Catch-up', ['limit', 'maxAge', 'order', 'spacing'])
  const causes: Partial<Record<MisfireCause, MisfirePolicy>> = {}
  for (const [cause, policy] of Object.entries(options.causes ?? {})) {
    if (policy !== undefined) causes[requireOneOf(cause, 'misfire cause', MISFIRE_CAUSES)] = misfirePolicy(policy)
  }
  return {
    policy: misfirePolicy(options.policy ?? 'smart'),
    thresholdMs: parseDuration(options.threshold ?? DEFAULT_THRESHOLD_MS, 'misfire threshold'),
    causes,
    catchUp: {
      limit: requireInteger(catchUp.limit ?? DEFAULT_CATCH_UP_LIMIT, 'catch-up limit', 0),
      maxAgeMs: catchUp.maxAge === undefined ? null : parseDuration(catchUp.maxAge, 'catch-up maxAge'),
      order: requireOneOf(catchUp.order ?? 'oldestFirst', 'catch-up order', ['oldestFirst', 'newestFirst']),
      spacingMs: parseDuration(catchUp.spacing ?? 0, 'catch-up spacing'),
    },
  }
}

/** The policy of a name, which may be the one it has in another system. */
export function misfirePolicy(name: string): MisfirePolicy {
  const policy = POLICIES.find((each) => each === name)
  if (policy) return policy
  if (typeof name === 'string' && Object.hasOwn(ALIASES, name)) return ALIASES[name] as MisfirePolicy
  const guess = nearest(typeof name === 'string' ? name : '', [...POLICIES, ...Object.keys(ALIASES)])
  throw new InvalidInputError(
    'misfire.policy_unknown',
    `Misfire policy must be one of ${POLICIES.join(', ')}, got ${quote(name)}.${guess ? ` Did you mean "${guess}"?` : ''}`,
    { received: name, accepted: POLICIES, suggestion: guess },
  )
}

/** Refuses instructions that only a simple trigger knows, which would do something else on another trigger. */
export function requirePoliciesFor(trigger: Trigger, { policy, causes }: MisfireRules): void {
  const { type } = innermost(trigger)
  // Quartz has one-time jobs as simple triggers without repeats.
  if (type === 'simple' || type === 'once') return
  const received = [policy, ...Object.values(causes)].find((each) => each.startsWith('reschedule'))
  if (received === undefined) return
  const accepted = POLICIES.filter((each) => !each.startsWith('reschedule'))
  throw new InvalidInputError(
    'misfire.policy_unsupported',
    `Misfire policy ${quote(received)} is for simple triggers only, and this trigger is of type ${type}; accepted are ${accepted.join(', ')}.`,
    { received, trigger: type, accepted },
  )
}

/** Causes by which someone held occurrences back: then even what is hardly late was not meant to fire. */
const HELD_BACK: readonly MisfireCause[] = ['paused', 'faulted', 'flag', 'edited', 'overlap']

export function isHeldBack(cause: MisfireCause): boolean {
  return HELD_BACK.includes(cause)
}

/** Options in place of rules would make everything look on time, so the mistake is named. */
export function requireRules(rules: MisfireRules): MisfireRules {
  if (typeof rules === 'object' && rules !== null && Number.isFinite(rules.thresholdMs)) return rules
  throw new InvalidInputError('option.invalid', 'rules must come from misfireRules(options).', {
    name: 'rules',
    received: rules,
  })
}

/** What a job does about occurrences missed for a cause. */
export function policyFor(rules: MisfireRules, cause: MisfireCause): MisfirePolicy {
  return rules.causes[cause] ?? POLICY_OF_CAUSE[cause] ?? rules.policy
}
