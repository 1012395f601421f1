import type { CancelTimer } from '../clock.ts'
import { PontualError } from '../errors.ts'
import { NonRetryableError, TimeoutError } from '../job/failure.ts'
import type { AnyJobType, JobContext } from '../job/job-type.ts'
import { decodePayload, encodePayload } from '../job/payload.ts'
import { isRetryable, type RetryRules } from '../job/retry.ts'
import { InvalidPayloadError, validate } from '../job/standard-schema.ts'
import type { Logger } from '../logger.ts'
import type { ClaimedExecution } from '../store/leases.ts'
import type { Store } from '../store/store.ts'
import type { MisfireInfo } from '../time/misfire/resolution.ts'
import { runAs } from './current-execution.ts'
import { ExecutionLog } from './execution-log.ts'
import { decideOverload } from './overload.ts'
import type { ProgressReporter } from './progress-reporter.ts'
import { factsOf, type Outcome, type RecordSurroundings, recordOutcome } from './record-outcome.ts'

/** What every attempt of an engine shares. */
export interface AttemptSurroundings extends RecordSurroundings {
  readonly logger: Logger
  readonly store: Store
  readonly progress: ProgressReporter
  /** Rules of job types that have none. */
  readonly defaultTimeoutMs: number | null
  readonly defaultRetry: RetryRules
}

/** `gone`: cancelled, or taken by another node. `shutdown`: the node goes, and gives it back unspent. */
export type AbortReason = 'gone' | 'shutdown'

/** A handler that was told to stop at shutdown may take so long to do it. */
const LAST_WORDS_MS = 1_000
/** How long a blocked event loop may hold the lease beyond a timeout. */
const BLOCKED_MS = 5_000

/** One try of an execution by this node, from claim to what is recorded of it. */
export class Attempt {
  readonly claimed: ClaimedExecution
  readonly #type: AnyJobType
  readonly #around: AttemptSurroundings
  readonly #log: ExecutionLog
  readonly #controller = new AbortController()
  readonly #startedAt: number
  #interrupt: (outcome: Outcome) => void = () => {}
  readonly #interrupted = new Promise<Outcome>((resolve) => {
    this.#interrupt = resolve
  })
  #isLeaving = false
  #misfire: MisfireInfo | null

  constructor(claimed: ClaimedExecution, type: AnyJobType, around: AttemptSurroundings) {
    this.claimed = claimed
    this.#type = type
    this.#around = around
    this.#startedAt = around.env.monotonic()
    this.#misfire = claimed.body.options?.misfire ?? null
    this.#log = new ExecutionLog({
      held: claimed,
      attempt: claimed.attempt,
      time: around.time,
      logs: around.store.logs,
      batcher: around.settlement.logs,
      logger: around.logger,
      facts: { executionId: claimed.executionId, jobType: type.id, attempt: claimed.attempt },
      onRefused: () => this.abort('gone'),
    })
  }

  /** Milliseconds from now after which a lease must not be prolonged for it; null where it has no timeout. */
  get mustEndInMs(): number | null {
    const timeoutMs = this.#timeoutMs
    return timeoutMs === null ? null : this.#startedAt + timeoutMs + BLOCKED_MS - this.#around.env.monotonic()
  }

  abort(reason: AbortReason): void {
    if (reason === 'gone') {
      this.#interrupt({ kind: 'gone' })
      this.#controller.abort(
        new PontualError('execution.gone', 'The execution was cancelled or taken by another node.'),
      )
      return
    }
    this.#isLeaving = true
    this.#around.env.after(LAST_WORDS_MS, () => this.#interrupt({ kind: 'handBack' }))
    this.#controller.abort(new PontualError('node.stopping', 'The node is shutting down.'))
  }

  /** Never rejects, except where the store does not take what is to be recorded. */
  async run(): Promise<void> {
    if (!(await this.#isStillWanted())) return
    const outcome = await this.#perform()
    await this.#record(outcome)
  }

  async #isStillWanted(): Promise<boolean> {
    const { store, time, telemetry } = this.#around
    const { body } = this.claimed
    const decision = await decideOverload(store, this.claimed, time.now())
    if (decision.missed !== null && body.jobId !== null) {
      const { job, count, policy } = decision.missed
      const facts = { jobId: body.jobId, job, tenant: body.tenant, nextFireAt: null }
      telemetry.tell('job.misfired', { ...facts, missed: count, policy, cause: 'overload' })
    }
    if (decision.isDropped) return false
    this.#misfire ??= decision.misfire
    return true
  }

  async #perform(): Promise<Outcome> {
    const stopTimer = this.#startTimer()
    let isOver = false
    const handling = this.#handle().finally(() => {
      isOver = true
    })
    const outcome = await Promise.race([handling, this.#interrupted])
    stopTimer()
    if (!isOver) this.#watchStray(handling)
    return outcome
  }

  #startTimer(): CancelTimer {
    const timeoutMs = this.#timeoutMs
    if (timeoutMs === null) return () => {}
    return this.#around.env.after(timeoutMs, () => {
      const error = new TimeoutError(timeoutMs)
      this.#interrupt({ kind: 'failure', status: 'TIMEOUT', error, isRetryable: true })
      this.#controller.abort(error)
    })
  }

  get #timeoutMs(): number | null {
    return this.claimed.body.options?.timeoutMs ?? this.#type.timeoutMs ?? this.#around.defaultTimeoutMs
  }

  async #handle(): Promise<Outcome> {
    const { telemetry } = this.#around
    const { body, attempt } = this.claimed
    const attributes = { 'pontual.execution.id': body.id, 'pontual.job.type': body.jobType, 'pontual.attempt': attempt }
    try {
      const output = await telemetry.inSpan(`run ${body.jobType}`, attributes, body.options?.traceparent, () =>
        this.#call(),
      )
      return { kind: 'success', output: encodePayload(output, `Output of job type "${body.jobType}"`) }
    } catch (error) {
      if (this.#isLeaving) return { kind: 'handBack' }
      const isHopeless = error instanceof InvalidPayloadError || error instanceof NonRetryableError
      return { kind: 'failure', status: 'FAILED', error, isRetryable: !isHopeless && isRetryable(this.#retry, error) }
    }
  }

  async #call(): Promise<unknown> {
    const { body } = this.claimed
    const payload = decodePayload(body.payload)
    const { schema } = this.#type
    const input: unknown = schema ? await validate(schema, payload, `Input of job type "${body.jobType}"`) : payload
    const context = this.#contextOf()
    return await runAs(context, () => this.#type.run(input, context) as unknown)
  }

  #contextOf(): JobContext {
    const { claimed } = this
    const { id, jobType, jobId, tenant, maxAttempts, scheduledAt, idempotencyKey } = claimed.body
    return {
      executionId: id,
      jobType,
      jobId,
      tenant,
      attempt: claimed.attempt,
      maxAttempts,
      scheduledAt,
      misfire: this.#misfire,
      idempotencyKey: idempotencyKey ?? id,
      signal: this.#controller.signal,
      logger: this.#log.logger,
      progress: (fraction, note) => this.#around.progress.report(claimed, fraction, note),
    }
  }

  get #retry(): RetryRules {
    return this.claimed.body.options?.retry ?? this.#type.retry ?? this.#around.defaultRetry
  }

  /** A handler that goes on after its attempt is over holds no slot, but somebody should know. */
  #watchStray(handling: Promise<Outcome>): void {
    const { logger, env } = this.#around
    let isOver = false
    const over = handling.then(() => {
      isOver = true
    })
    env.after(LAST_WORDS_MS, () => {
      if (isOver) return
      const facts = factsOf(this.claimed)
      logger.error('A handler ignores its signal and goes on, although its attempt is over', facts)
      void over.then(() => logger.warn('A handler that had ignored its signal has ended', facts))
    })
  }

  async #record(outcome: Outcome): Promise<void> {
    // After its end an execution takes neither lines nor progress.
    if (outcome.kind !== 'gone') await Promise.all([this.#log.flush(), this.#around.progress.flush(this.claimed)])
    const durationMs = Math.round(this.#around.env.monotonic() - this.#startedAt)
    await recordOutcome(this.#around, { claimed: this.claimed, retry: this.#retry, durationMs }, outcome)
  }
}
