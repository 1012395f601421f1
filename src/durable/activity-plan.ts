import {
  type ActivityContext,
  type ActivityRules,
  type AnyActivity,
  activityRules,
  type CallOptions,
  type CompensationContext,
  rulesOfCall,
} from '../job/activity/activity.ts'
import type { HistoryEntry } from '../job/activity/history.ts'
import { validate } from '../job/type/standard-schema.ts'
import type { ActivityAttempt } from './activity-attempt.ts'
import type { Call, CallPlan } from './call.ts'
import { endChild } from './child.ts'
import { decodeValue, encodeValue } from './codec.ts'
import { ActivityFailedError } from './errors.ts'
import { LocalActivity, type LocalWork } from './local-activity.ts'
import { RoutedActivity } from './routed-activity.ts'
import type { Run } from './run.ts'

export const PLAIN_RULES = activityRules({})

/** What calls of activities have in common. A class, since one is made for each call. */
abstract class ActivityPlan implements CallPlan {
  readonly kind: 'activity' | 'compensation'
  readonly name: string
  readonly verb = 'run'
  protected readonly run: Run
  protected readonly tenant: string
  protected readonly rules: ActivityRules
  /** Encoded. */
  protected readonly input: string | null

  constructor(kind: 'activity' | 'compensation', name: string, made: Made) {
    this.kind = kind
    this.name = name
    this.run = made.run
    this.tenant = made.tenant
    this.rules = made.rules
    this.input = made.input
  }

  abstract begin(call: Call): void

  errorOf({ name, sequence, attempt, error }: HistoryEntry): Error {
    return new ActivityFailedError(name, sequence, attempt, decodeValue(error) as Error)
  }

  protected perform(
    call: Call,
    idempotencyKey: string,
    perform: LocalWork['perform'],
    check?: LocalWork['check'],
  ): void {
    const { tenant, name: activityId, rules, input } = this
    const work = { tenant, activityId, rules, idempotencyKey, input, perform, check }
    new LocalActivity(this.run, call, work).begin()
  }
}

interface Made {
  readonly run: Run
  readonly tenant: string
  readonly rules: ActivityRules
  readonly input: string | null
}

/** A call of a declared activity: where its run is, or in a queue of its own. */
class DeclaredPlan extends ActivityPlan {
  readonly #activity: AnyActivity
  readonly #given: unknown
  readonly #ownKey: string | null

  constructor(made: Made, activity: AnyActivity, given: unknown, ownKey: string | null) {
    super('activity', activity.id, made)
    this.#activity = activity
    this.#given = given
    this.#ownKey = ownKey
  }

  onCalled({ sequence }: Call): void {
    if (!this.#activity.hasCompensation) return
    const { run } = this
    run.unwinding.cleanUps.add(sequence, (output) => run.call(new UndoPlan(this, this.#activity, output)))
  }

  begin(call: Call): void {
    const key = this.#ownKey ?? keyOf(this.run, call)
    const { queue } = this.rules
    if (queue === null)
      this.perform(
        call,
        key,
        performOf(this.#activity, () => this.#input(), this.#ownKey),
        checkOf(this.#activity),
      )
    else this.#route(call, queue, key)
  }

  giveUp({ childId }: Call): void {
    if (childId !== null) endChild(this.run, childId)
  }

  /** What was given when it was called, for each attempt anew: what an attempt does to it is nothing that the code would see in a replay. */
  #input(): unknown {
    const given = this.#given
    return typeof given === 'object' && given !== null ? decodeValue(this.input) : given
  }

  made(): Made {
    const { run, tenant, rules, input } = this
    return { run, tenant, rules, input }
  }

  #route(call: Call, queue: string, defaultKey: string): void {
    const { run, rules, input } = this
    const activity = this.#activity
    const key = async () => this.#ownKey ?? activity.keyOf(await checked(activity, this.#input())) ?? defaultKey
    new RoutedActivity(run, call, { activity, rules: { ...rules, queue }, key, input }).begin()
  }
}

/** A call of a function that has a name only. */
class AdHocPlan extends ActivityPlan {
  readonly #perform: (context: ActivityContext) => unknown
  readonly #ownKey: string | null

  constructor(made: Made, name: string, perform: (context: ActivityContext) => unknown, ownKey: string | null) {
    super('activity', name, made)
    this.#perform = perform
    this.#ownKey = ownKey
  }

  begin(call: Call): void {
    this.perform(call, this.#ownKey ?? keyOf(this.run, call), this.#perform)
  }
}

/** Undoes an activity, with the input that is recorded: what the code has made of it since is not what was done. */
class UndoPlan extends ActivityPlan {
  readonly #activity: AnyActivity
  readonly #output: unknown

  constructor(done: DeclaredPlan, activity: AnyActivity, output: unknown) {
    super('compensation', activity.id, done.made())
    this.#activity = activity
    this.#output = output
  }

  begin(call: Call): void {
    const activity = this.#activity
    this.perform(call, keyOf(this.run, call), async (context) => {
      const input = await checked(activity, decodeValue(this.input))
      return await activity.compensate(input, withOutput(context, this.#output))
    })
  }
}

export function activityPlan(
  run: Run,
  tenant: string,
  activity: AnyActivity,
  given: unknown,
  options: CallOptions | undefined,
): CallPlan {
  const rules = options ? rulesOfCall(activity.rules, options) : activity.rules
  const input = encodeValue(given, `Input of activity "${activity.id}"`)
  return new DeclaredPlan({ run, tenant, rules, input }, activity, given, options?.idempotencyKey ?? null)
}

export function adHocPlan(
  run: Run,
  tenant: string,
  name: string,
  perform: (context: ActivityContext) => unknown,
  options: CallOptions | undefined,
): CallPlan {
  const rules = options ? rulesOfCall(PLAIN_RULES, options) : PLAIN_RULES
  return new AdHocPlan({ run, tenant, rules, input: null }, name, perform, options?.idempotencyKey ?? null)
}

/** What an attempt makes on demand must stay so. */
function withOutput(context: ActivityContext, output: unknown): CompensationContext<unknown> {
  return {
    executionId: context.executionId,
    tenant: context.tenant,
    activityId: context.activityId,
    sequence: context.sequence,
    attempt: context.attempt,
    idempotencyKey: context.idempotencyKey,
    heartbeatDetails: context.heartbeatDetails,
    logger: context.logger,
    heartbeat: context.heartbeat,
    get signal() {
      return context.signal
    },
    output,
  }
}

/** The same in every attempt of a call, and in no other call: numbers begin anew with each generation. */
function keyOf({ executionId, generation }: Run, { sequence }: Call): string {
  return generation === 0 ? `${executionId}:${sequence}` : `${executionId}:${generation}:${sequence}`
}

function performOf(
  activity: AnyActivity,
  given: () => unknown,
  ownKey: string | null,
): (attempt: ActivityAttempt) => unknown {
  const perform = (input: unknown, attempt: ActivityAttempt) => {
    if (ownKey === null) attempt.idempotencyKey = activity.keyOf(input) ?? attempt.idempotencyKey
    return activity.run(input, attempt)
  }
  if (!activity.schema) return (attempt) => perform(given(), attempt)
  return async (attempt) => await perform(await checked(activity, given()), attempt)
}

function checked({ id, schema }: AnyActivity, given: unknown): unknown {
  return schema ? validate(schema, given, `Input of activity "${id}"`) : given
}

function checkOf({ id, outputSchema }: AnyActivity): ((output: unknown) => Promise<unknown>) | undefined {
  return outputSchema ? (output) => validate(outputSchema, output, `Output of activity "${id}"`) : undefined
}
