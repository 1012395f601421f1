import {
  type ActivityContext,
  type ActivityRules,
  type AnyActivity,
  type CallOptions,
  type CompensationContext,
  rulesOfCall,
} from '../job/activity.ts'
import type { HistoryEntry } from '../job/history.ts'
import { validate } from '../job/standard-schema.ts'
import type { Call, CallPlan } from './call.ts'
import { decodeValue, encodeValue } from './codec.ts'
import { ActivityFailedError } from './errors.ts'
import { LocalActivity } from './local-activity.ts'
import { RoutedActivity } from './routed-activity.ts'
import type { Run } from './run.ts'

/** A call of a declared activity: where its run is, or in a queue of its own. */
export function activityPlan(
  run: Run,
  tenant: string,
  activity: AnyActivity,
  given: unknown,
  options: CallOptions,
): CallPlan {
  const rules = rulesOfCall(activity.rules, options)
  const input = encodeValue(given, `Input of activity "${activity.id}"`)
  return {
    ...failing('activity', activity.id),
    onCalled({ sequence }) {
      if (!activity.hasCompensation) return
      const undo = (output: unknown) => run.call(undoPlan(run, { tenant, activity, given, output, rules }))
      run.unwinding.cleanUps.add(sequence, undo)
    },
    begin(call) {
      const idempotencyKey = keyOf(run, call, options.idempotencyKey ?? activity.keyOf(given))
      const { queue } = rules
      if (queue !== null) {
        new RoutedActivity(run, call, { activity, rules: { ...rules, queue }, idempotencyKey, input }).begin()
        return
      }
      const perform = performOf(activity, given)
      const check = checkOutput(activity)
      const work = { tenant, activityId: activity.id, rules, idempotencyKey, input, perform, check }
      new LocalActivity(run, call, work).begin()
    },
    giveUp({ recorded }) {
      const childId = recorded?.childId
      if (childId) void run.host.cancelChild(childId, { unlessStarted: false }).catch(() => {})
    },
  }
}

interface AdHoc {
  readonly tenant: string
  readonly name: string
  readonly perform: (context: ActivityContext) => unknown
  readonly options: CallOptions
  readonly rules: ActivityRules
}

/** A call of a function that has a name only. */
export function adHocPlan(run: Run, { tenant, name, perform, options, rules }: AdHoc): CallPlan {
  return {
    ...failing('activity', name),
    begin(call) {
      const idempotencyKey = keyOf(run, call, options.idempotencyKey ?? null)
      new LocalActivity(run, call, { tenant, activityId: name, rules, idempotencyKey, input: null, perform }).begin()
    },
  }
}

interface Undo {
  readonly tenant: string
  readonly activity: AnyActivity
  readonly given: unknown
  readonly output: unknown
  readonly rules: ActivityRules
}

function undoPlan(run: Run, { tenant, activity, given, output, rules }: Undo): CallPlan {
  const perform = (context: ActivityContext) => activity.compensate(given, withOutput(context, output))
  return {
    ...failing('compensation', activity.id),
    begin(call) {
      const input = encodeValue(given, `Input of activity "${activity.id}"`)
      const idempotencyKey = keyOf(run, call, null)
      new LocalActivity(run, call, { tenant, activityId: activity.id, rules, idempotencyKey, input, perform }).begin()
    },
  }
}

/** The context is a view of its attempt: what it makes on demand must stay so. */
function withOutput(context: ActivityContext, output: unknown): CompensationContext<unknown> {
  return Object.create(context, { output: { value: output, enumerable: true } }) as CompensationContext<unknown>
}

function failing(
  kind: 'activity' | 'compensation',
  name: string,
): Pick<CallPlan, 'kind' | 'name' | 'verb' | 'errorOf'> {
  const errorOf = ({ sequence, attempt, error }: HistoryEntry) =>
    new ActivityFailedError(name, sequence, attempt, decodeValue(error) as Error)
  return { kind, name, verb: 'run', errorOf }
}

function keyOf(run: Run, call: Call, own: string | null): string {
  return own ?? `${run.executionId}:${call.sequence}`
}

function performOf(activity: AnyActivity, given: unknown): (context: ActivityContext) => unknown {
  const { schema, id } = activity
  if (!schema) return (context) => activity.run(given, context)
  return async (context) => await activity.run(await validate(schema, given, `Input of activity "${id}"`), context)
}

function checkOutput({ id, outputSchema }: AnyActivity): ((output: unknown) => Promise<unknown>) | undefined {
  return outputSchema ? (output) => validate(outputSchema, output, `Output of activity "${id}"`) : undefined
}
