import type { MisfireRules } from '../time/misfire/policy.ts'
import { requireOneOf } from '../time/require.ts'
import type { TriggerJson } from '../time/triggers/json.ts'
import type { OverlapRule } from './rules/overlap.ts'
import type { Priority } from './rules/priority.ts'
import type { RetryRules } from './rules/retry.ts'

/** Whether a job that is FAULTED, since one of its executions has failed for good, stops firing until it is resumed, or continues. */
export type FaultRule = 'stop' | 'continue'

/** The rule of an option. */
export function faultRule(option: unknown, name = 'onFaulted'): FaultRule {
  return requireOneOf(option as FaultRule, name, ['stop', 'continue'])
}

/** What someone decided about a job. */
export interface JobDefinition {
  readonly jobType: string
  readonly trigger: TriggerJson
  /** The name of a calendar, or null. */
  readonly calendar: string | null
  readonly misfire: MisfireRules
  /** Quartz's letter for misfires. */
  readonly quartz: boolean
  /** As stored: JSON text, preceded by `T` if it contains tags for types that JSON lacks; null for none. */
  readonly payload: string | null
  readonly queue: string
  readonly priority: Priority
  /** null: the job type's, else the scheduler's. */
  readonly timeoutMs: number | null
  /** null: the job type's, else the scheduler's. */
  readonly retry: RetryRules | null
  readonly maxAttempts: number
  /** The option `onFaulted`. */
  readonly onFault: FaultRule
  /** What happens to an occurrence that is due before the run before it has ended. */
  readonly overlap: OverlapRule
  /** How many of its executions may run at once, over all nodes, as its overlap says; null: any number. */
  readonly concurrency: number | null
  /** Its job type is durable; absent for others. */
  readonly durable?: boolean | undefined
  /** The application whose code declares it; null where it was scheduled at run time. */
  readonly declaredBy: string | null
}
