/**
 * What becomes of missed occurrences as the rules are written: listed one by one, counted by counting them. Shares no code with `src/time/misfire`.
 */
import type { CalendarJson, MisfireCause, TriggerJson } from '../../../src/time.ts'
import { firesOf } from '../../suites/oracle/trigger-oracle.ts'

export interface MisfireScenario {
  readonly trigger: TriggerJson
  readonly calendar: CalendarJson | null
  /** When the trigger was last looked at, and when again. */
  readonly seenAt: number
  readonly now: number
  readonly cause: MisfireCause
  readonly thresholdMs: number
  readonly limit: number
  readonly maxAgeMs: number | null
  readonly order: 'oldestFirst' | 'newestFirst'
}

/** What has to come out. */
export interface Expected {
  /** Occurrences that run, in the order in which they do. */
  readonly runs: readonly number[]
  /** How many of those that do not run, or run late, were decided about so. */
  readonly ledger: Readonly<Record<'firedLate' | 'consolidated' | 'skipped' | 'dropped', number>>
}

const NOTHING = { firedLate: 0, consolidated: 0, skipped: 0, dropped: 0 }
/** What is not late is handed out so many at a time. */
const BATCH = 1_000

const HELD_BACK: readonly MisfireCause[] = ['paused', 'faulted', 'flag', 'edited', 'overlap']

/** Occurrences from one instant up to another, under the calendar of the job. */
export function occurrences({ trigger, calendar }: MisfireScenario, from: number, to: number): number[] {
  return firesOf(calendar === null ? trigger : { type: 'calendared', trigger, calendar, onExcluded: 'skip' }, from, to)
}

/** What a policy makes of all that was due, oldest first. */
export function expectedOf(scenario: MisfireScenario, policyName: string, due: readonly number[]): Expected {
  const { now, cause, thresholdMs, trigger } = scenario
  const [oldest] = due
  const isLate = oldest !== undefined && (HELD_BACK.includes(cause) || now - oldest > thresholdMs)
  if (!isLate || innermost(trigger).type === 'once') return { runs: due.slice(0, BATCH), ledger: NOTHING }
  return decided(scenario, kindOf(scenario, policyName), due)
}

type Kind = 'none' | 'oldest' | 'newest' | 'all'

/** What a policy comes to: whatever it is called, it runs none, one or all of what was missed. */
function kindOf({ trigger, cause }: MisfireScenario, policyName: string): Kind {
  if (cause === 'overlap') return 'newest'
  if (HELD_BACK.includes(cause)) return 'none'
  switch (policyName) {
    case 'fireAll':
    case 'ignore':
      return 'all'
    case 'fireOnce':
      return 'newest'
    case 'skipToNext':
    case 'skipAndScheduleNext':
    case 'doNothing':
    case 'rescheduleNextWithExistingCount':
    case 'rescheduleNextWithRemainingCount':
      return 'none'
    case 'smart': {
      const inner = innermost(trigger)
      // As Quartz has it: a simple trigger that goes on for ever waits for its next time.
      return inner.type === 'simple' && inner.repeatCount < 0 ? 'none' : 'oldest'
    }
    default:
      return 'oldest'
  }
}

function decided(scenario: MisfireScenario, kind: Kind, due: readonly number[]): Expected {
  const { now, limit, maxAgeMs, order } = scenario
  const skipped = { runs: [], ledger: { ...NOTHING, skipped: due.length } }
  if (kind === 'none') return skipped
  if (kind === 'all') {
    const kept = limit === 0 ? [] : due.slice(-limit).filter((at) => maxAgeMs === null || now - at <= maxAgeMs)
    const runs = order === 'oldestFirst' ? kept : kept.toReversed()
    return { runs, ledger: { ...NOTHING, firedLate: kept.length, dropped: due.length - kept.length } }
  }
  const endAt = endOf(scenario.trigger)
  // After its end nothing runs any more.
  if (endAt !== null && now > endAt) return skipped
  const run = due[kind === 'oldest' ? 0 : due.length - 1] ?? 0
  return { runs: [run], ledger: { ...NOTHING, firedLate: 1, consolidated: due.length - 1 } }
}

function innermost(trigger: TriggerJson): TriggerJson {
  return 'trigger' in trigger ? innermost(trigger.trigger) : trigger
}

function endOf(trigger: TriggerJson): number | null {
  return 'endAt' in trigger && trigger.endAt !== undefined ? Date.parse(trigger.endAt) : null
}
