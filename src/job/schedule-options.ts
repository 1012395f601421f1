import type { Duration } from '../duration.ts'
import { quote } from '../errors.ts'
import type { MisfireOptions } from '../time/misfire/policy.ts'
import { requireOptions } from '../time/require.ts'
import { requireTrigger, type Trigger } from '../time/triggers/trigger.ts'
import type { FaultRule } from './job-definition.ts'
import { type OverlapRule, overlapRule } from './rules/overlap.ts'
import type { Priority } from './rules/priority.ts'
import type { RetryOptions } from './rules/retry.ts'

/** When and how a job runs; the name of the job and its type stand beside it. */
export interface ScheduleOptions<Payload = unknown> {
  /** When it fires. */
  readonly trigger: Trigger
  /** The name of a calendar of times when nothing fires. */
  readonly calendar?: string | undefined
  /** What becomes of what nobody fired in time. Default: `smart`, after a minute. */
  readonly misfire?: MisfireOptions | undefined
  /** Quartz's letter for misfires: "now" looks at neither calendar nor end time. Default false. */
  readonly quartz?: boolean | undefined
  /** What each of its executions is given. Default: nothing. */
  readonly input?: Payload | undefined
  /** Default: the job type's. */
  readonly priority?: Priority | undefined
  /** Default: the job type's. */
  readonly queue?: string | undefined
  /** Default: the job type's. */
  readonly timeout?: Duration | undefined
  /** Default: the job type's. */
  readonly retry?: RetryOptions | undefined
  /** Whether the job stops firing while it is FAULTED, or continues. Default: the job type's. */
  readonly onFaulted?: FaultRule | undefined
  /**
   * What happens to an occurrence that is due before the run before it has ended. Default `allow`: both run. `queue`: it waits, and at most one does.
   * `skip`: it is left out. `replace`: the run before it is cancelled. `{ atMost: n }`: up to n run at once, the rest waits.
   */
  readonly overlap?: OverlapRule | undefined
}

/** Makes the input required where the job type takes one. */
export type RequiredInput<Payload> = undefined extends Payload ? unknown : { readonly input: Payload }

/** A schedule that stands in the code beside its job type. */
export interface DeclaredSchedule<Payload = unknown> extends ScheduleOptions<Payload> {
  /** Default: the id of the job type. */
  readonly name?: string | undefined
}

/** What may stand in a schedule beside its name. */
export const SCHEDULE_FIELDS = [
  'trigger',
  'calendar',
  'misfire',
  'quartz',
  'input',
  'priority',
  'queue',
  'timeout',
  'retry',
  'onFaulted',
  'overlap',
] as const satisfies readonly (keyof ScheduleOptions)[]

/** A mistake in the code is told where it stands, not when the node starts. */
export function requireSchedule(schedule: DeclaredSchedule, id: string): void {
  const thing = `Job type ${quote(id)}: schedule`
  requireOptions(schedule, thing, ['name', ...SCHEDULE_FIELDS])
  requireTrigger(schedule.trigger, `${thing}: trigger`)
  if (schedule.overlap !== undefined) overlapRule(schedule.overlap, `${thing}: overlap`)
}
