import {
  type ActivityContext,
  type ActivityRules,
  type AnyActivity,
  activityRules,
  type CallOptions,
  rulesOfCall,
} from '../job/activity/activity.ts'
import type { HistoryEntry, NewEntry } from '../job/activity/history.ts'
import { retryAfterOf } from '../job/rules/retry.ts'
import { validate } from '../job/type/standard-schema.ts'
import type { Logger } from '../logger.ts'
import { asActivity } from './activity-scope.ts'
import { ActivityAttempt, type AttemptDeps, AttemptedCall } from './attempts.ts'
import type { Call, CallPlan } from './call.ts'
import { endChild } from './child.ts'
import { decodeValue, encodeValue } from './codec.ts'
import { ActivityFailedError, ActivityTimeoutError, errorOf } from './errors.ts'
import { RoutedActivity } from './routed-activity.ts'
import type { Run } from './run.ts'

export const PLAIN_RULES = activityRules({})

interface Given {
  readonly run: Run
  readonly tenant: string
  readonly rules: ActivityRules
  /** Encoded. */
  readonly input: string | null
  /** The idempotency key that the caller has chosen. */
  readonly ownKey: string | null
}

/** A call of an activity, performed on the node of its run. */
abstract class ActivityCall extends AttemptedCall implements AttemptDeps {
  readonly verb = 'run'
  readonly given: Given
  /** The total time counts from here. */
  #startedAt = 0
  /** The encoded details of the last heartbeat. */
  #details: string | null = null

  constructor(kind: 'activity' | 'compensation', name: string, given: Given) {
    super(given.run, kind, name, given.rules)
    this.given = given
  }

  protected abstract perform(attempt: ActivityAttempt): unknown

  /** Validates the output. */
  protected check(performed: Promise<unknown>): Promise<unknown> {
    return performed
  }

  override begin(call: Call): void {
    this.#startedAt = call.recorded?.startedAt ?? this.run.host.now()
    this.#details = call.recorded?.details ?? null
    super.begin(call)
  }

  errorOf({ name, sequence, attempt, error }: HistoryEntry): Error {
    return new ActivityFailedError(name, sequence, attempt, decodeValue(error) as Error)
  }

  get logger(): Logger {
    return this.run.host.log
  }

  after(delayMs: number, call: () => void): () => void {
    return this.run.host.after(delayMs, call)
  }

  onHeartbeat(details: unknown, attempt: number): void {
    this.#details = encodeValue(details, `Heartbeat of activity "${this.name}"`)
    this.noteAttempt(attempt)
  }

  protected override fields(): Partial<NewEntry> {
    return { input: this.given.input, details: this.#details }
  }

  protected override attempt(attempt: number): void {
    const sure = this.run.host.makeSure()
    if (sure) void this.#attemptOnceSure(sure, attempt)
    else this.#attempt(attempt)
  }

  /** Another node may have performed the activity by now; it must not be performed twice. */
  async #attemptOnceSure(sure: Promise<void>, attempt: number): Promise<void> {
    const { effects } = this.run
    effects.enter()
    try {
      await sure
      effects.whenLive(() => {
        if (this.call.isOpen) this.#attempt(attempt)
      })
    } catch (error) {
      effects.breakOff('Whether a run is still held could not be found out', { activity: this.name, error })
    } finally {
      effects.leave()
    }
  }

  #attempt(attempt: number): void {
    const { run, name } = this
    const leftMs = this.#leftMs()
    if (leftMs !== null && leftMs <= 0) {
      this.fail(attempt - 1, new ActivityTimeoutError(name, 'total', this.rules.totalMs ?? 0))
      return
    }
    const facts = this.facts(attempt)
    const context = new ActivityAttempt(
      {
        executionId: run.executionId,
        tenant: this.given.tenant,
        activityId: name,
        sequence: this.call.sequence,
        attempt,
        idempotencyKey: this.given.ownKey ?? keyOf(run, this.call),
        heartbeatDetails: this.#details === null ? undefined : decodeValue(this.#details),
      },
      this,
    )
    run.effects.enter(context)
    this.noteAttempt(attempt)
    const work = () => asActivity(run, name, (given: ActivityAttempt) => this.perform(given), context)
    this.check(context.perform(() => run.host.inActivity(facts, work), this.rules, leftMs)).then(
      (output) => this.#over(context, () => this.#complete(attempt, output)),
      (error: unknown) => this.#over(context, () => this.#failAttempt(attempt, error)),
    )
  }

  #over(context: ActivityAttempt, settle: () => void): void {
    const { effects } = this.run
    context.end()
    try {
      settle()
    } catch (error) {
      effects.breakOff('An activity could not be settled', { activity: this.name, error })
    }
    effects.leave(context)
  }

  #complete(attempt: number, value: unknown): void {
    const { effects, host } = this.run
    if (!effects.maySettle(this.call)) return
    let output: string | null
    try {
      output = encodeValue(value, `Output of activity "${this.name}"`)
    } catch (error) {
      // The work is done; a repetition would return the same value.
      this.fail(attempt, errorOf(error))
      return
    }
    const { input } = this.given
    // Without a spread, which would dominate the cost of an activity.
    effects.settle(this.call, { status: 'COMPLETED', attempt, input, output, dueAt: null, details: this.#details })
    host.tell('activity.completed', this.facts(attempt))
  }

  #failAttempt(attempt: number, thrown: unknown): void {
    const { run, call } = this
    const error = errorOf(thrown)
    const isTimeout = error instanceof ActivityTimeoutError
    // The end of an attempt that was told to end says nothing about its work.
    if (!run.effects.maySettle(call) || (call.isGivenUp && !isTimeout) || run.isSuspending) return
    const delayMs = this.#delayAfter(attempt, error)
    const leftMs = this.#leftMs()
    const isLast = delayMs === null || (isTimeout && error.timeout === 'total') || call.isGivenUp
    if (isLast || (leftMs !== null && delayMs >= leftMs)) this.fail(attempt, error)
    else this.retryAfter(delayMs, attempt, error)
  }

  #delayAfter(attempt: number, error: Error): number | null {
    const delayMs = this.delayAfter(attempt, error)
    return delayMs === null ? null : (retryAfterOf(error, this.run.host.now()) ?? delayMs)
  }

  /** The rest of the time for all attempts. */
  #leftMs(): number | null {
    const { totalMs } = this.rules
    return totalMs === null ? null : this.#startedAt + totalMs - this.run.host.now()
  }
}

/** A call of a declared activity: performed here, or in a queue of its own. */
class DeclaredCall extends ActivityCall {
  readonly #activity: AnyActivity
  readonly #value: unknown

  constructor(given: Given, activity: AnyActivity, value: unknown) {
    super('activity', activity.id, given)
    this.#activity = activity
    this.#value = value
  }

  onCalled({ sequence }: Call): void {
    if (!this.#activity.hasCompensation) return
    const { run } = this
    run.cleanUps.add(sequence, (output) => run.call(new Compensation(this.given, this.#activity, output)))
  }

  override begin(call: Call): void {
    const { queue } = this.rules
    if (queue === null) super.begin(call)
    else this.#route(call, queue)
  }

  giveUp({ childId }: Call): void {
    if (childId !== null) endChild(this.run, childId)
  }

  protected override perform(attempt: ActivityAttempt): unknown {
    const activity = this.#activity
    const start = (input: unknown) => {
      if (this.given.ownKey === null) attempt.idempotencyKey = activity.keyOf(input) ?? attempt.idempotencyKey
      return activity.run(input, attempt)
    }
    return activity.schema ? checked(activity, this.#input()).then(start) : start(this.#input())
  }

  protected override check(performed: Promise<unknown>): Promise<unknown> {
    const { id, outputSchema } = this.#activity
    if (!outputSchema) return performed
    return performed.then((output) => validate(outputSchema, output, `Output of activity "${id}"`))
  }

  /** The value at the time of the call, decoded for each attempt: the code must not see changes that an attempt makes, because a replay would not. */
  #input(): unknown {
    const value = this.#value
    return typeof value === 'object' && value !== null ? decodeValue(this.given.input) : value
  }

  #route(call: Call, queue: string): void {
    const activity = this.#activity
    const { run, rules, input, ownKey } = this.given
    const key = async () => ownKey ?? activity.keyOf(await checked(activity, this.#input())) ?? keyOf(run, call)
    new RoutedActivity(run, call, { activity, rules: { ...rules, queue }, key, input }).begin()
  }
}

/** A call of a named function. */
class AdHocCall extends ActivityCall {
  readonly #perform: (context: ActivityContext) => unknown

  constructor(given: Given, name: string, perform: (context: ActivityContext) => unknown) {
    super('activity', name, given)
    this.#perform = perform
  }

  protected override perform(attempt: ActivityAttempt): unknown {
    return this.#perform(attempt)
  }
}

/** Undoes an activity, with its recorded input: the code may have changed the value since. */
class Compensation extends ActivityCall {
  readonly #activity: AnyActivity
  readonly #output: unknown

  constructor(given: Given, activity: AnyActivity, output: unknown) {
    super('compensation', activity.id, { ...given, ownKey: null })
    this.#activity = activity
    this.#output = output
  }

  protected override async perform(attempt: ActivityAttempt): Promise<unknown> {
    const input = await checked(this.#activity, decodeValue(this.given.input))
    attempt.output = this.#output
    return await this.#activity.compensate(input, attempt)
  }
}

export function activityPlan(
  run: Run,
  tenant: string,
  activity: AnyActivity,
  value: unknown,
  options: CallOptions | undefined,
): CallPlan {
  const rules = options ? rulesOfCall(activity.rules, options) : activity.rules
  const input = encodeValue(value, `Input of activity "${activity.id}"`)
  return new DeclaredCall({ run, tenant, rules, input, ownKey: options?.idempotencyKey ?? null }, activity, value)
}

export function adHocPlan(
  run: Run,
  tenant: string,
  name: string,
  perform: (context: ActivityContext) => unknown,
  options: CallOptions | undefined,
): CallPlan {
  const rules = options ? rulesOfCall(PLAIN_RULES, options) : PLAIN_RULES
  return new AdHocCall({ run, tenant, rules, input: null, ownKey: options?.idempotencyKey ?? null }, name, perform)
}

/** The same in every attempt of a call, and in no other call: numbers start again in each generation. */
function keyOf({ executionId, generation }: Run, { sequence }: Call): string {
  return generation === 0 ? `${executionId}:${sequence}` : `${executionId}:${generation}:${sequence}`
}

async function checked({ id, schema }: AnyActivity, input: unknown): Promise<unknown> {
  return schema ? await validate(schema, input, `Input of activity "${id}"`) : input
}
