import { ActivityAttempt } from '../../durable/attempts.ts'
import { decodeValue, encodeValue } from '../../durable/codec.ts'
import type { ActivityRules, AnyActivity } from '../../job/activity/activity.ts'
import { validate } from '../../job/type/standard-schema.ts'
import type { ClaimedExecution } from '../../store/leases.ts'
import type { AttemptContext, Handler } from '../running/attempt-context.ts'
import type { OutcomeDeps } from '../running/outcome.ts'
import type { Settlement } from '../running/settlement.ts'
import { inActivitySpan } from '../telemetry/tracing.ts'

type HandlerSurroundings = Pick<OutcomeDeps, 'env' | 'logger' | 'settlement'>

/** Performs an activity that has a queue of its own, on behalf of the run that called it. */
export function activityHandler(activity: AnyActivity, around: HandlerSurroundings): Handler {
  return (input, context, claimed) => perform(activity, around, input, context, claimed)
}

async function perform(
  activity: AnyActivity,
  { env, logger, settlement }: HandlerSurroundings,
  given: unknown,
  context: AttemptContext,
  claimed: ClaimedExecution,
): Promise<unknown> {
  const { body, attempt, epoch } = claimed
  const { sequence = 0, idempotencyKey = body.id, attemptMs, heartbeatMs } = body.options?.activity ?? {}
  const rules: ActivityRules = {
    ...activity.rules,
    attemptMs: attemptMs === undefined ? activity.rules.attemptMs : attemptMs,
    heartbeatMs: heartbeatMs === undefined ? activity.rules.heartbeatMs : heartbeatMs,
  }
  const details = new HeartbeatDetails(settlement, claimed)
  const trial = new ActivityAttempt(
    {
      executionId: body.options?.parent ?? body.id,
      tenant: body.tenant,
      activityId: activity.id,
      sequence,
      attempt,
      idempotencyKey,
      heartbeatDetails: epoch > 1 ? await details.last() : undefined,
    },
    {
      logger: context.logger,
      after: (delayMs, call) => env.after(delayMs, call),
      onHeartbeat: (told) =>
        details.keep(told, (error) => logger.warn('What a heartbeat told could not be kept', { error })),
    },
  )
  const stop = () => trial.abort(context.signal.reason as Error)
  if (context.signal.aborted) stop()
  else context.signal.addEventListener('abort', stop, { once: true })
  try {
    const { schema, outputSchema, id } = activity
    const input = schema ? await validate(schema, given, `Input of activity "${id}"`) : given
    // It may have been lost, or cancelled, while the rest was got ready.
    context.signal.throwIfAborted()
    const told = { activity: id, sequence, attempt }
    const work = (given: ActivityAttempt) => inActivitySpan(told, () => activity.run(input, given))
    const output = await trial.perform(work, rules, null)
    return outputSchema ? await validate(outputSchema, output, `Output of activity "${id}"`) : output
  } finally {
    trial.end()
    context.signal.removeEventListener('abort', stop)
    await details.kept()
  }
}

/** What heartbeats tell: the latest is kept, for the next attempt. */
class HeartbeatDetails {
  readonly #settlement: Settlement
  readonly #claimed: ClaimedExecution
  #latest: string | null = null
  #sending: Promise<void> | null = null

  constructor(settlement: Settlement, claimed: ClaimedExecution) {
    this.#settlement = settlement
    this.#claimed = claimed
  }

  async last(): Promise<unknown> {
    return decodeValue(await this.#settlement.lastCheckpoint(this.#claimed.executionId))
  }

  keep(told: unknown, onError: (error: unknown) => void): void {
    this.#latest = encodeValue(told, 'Heartbeat') ?? this.#latest
    this.#sending ??= this.#send().catch(onError)
  }

  async kept(): Promise<void> {
    await this.#sending
  }

  async #send(): Promise<void> {
    const { executionId, epoch } = this.#claimed
    try {
      while (this.#latest !== null) {
        const state = this.#latest
        this.#latest = null
        await this.#settlement.checkpoint({ executionId, epoch, state })
      }
    } finally {
      this.#sending = null
    }
  }
}
