import type { CancelTimer } from '../../clock.ts'
import { decodeValue, encodeOutput, encodeValue } from '../../durable/codec.ts'
import { PontualError } from '../../errors.ts'
import { NonRetryableError, TimeoutError } from '../../job/execution/failure.ts'
import { inputFrom } from '../../job/execution/predecessor.ts'
import { UnreadableError } from '../../job/execution/unreadable.ts'
import { isRetryable, type RetryRules } from '../../job/rules/retry.ts'
import type { AnyJobType } from '../../job/type/job-type.ts'
import { InvalidPayloadError, validate } from '../../job/type/standard-schema.ts'
import type { ClaimedExecution } from '../../store/leases.ts'
import type { EngineStore } from '../../store/store.ts'
import type { MisfireInfo } from '../../time/misfire/resolve.ts'
import { inRunSpan, isTracing } from '../telemetry/tracing.ts'
import { AttemptContext, type Handler } from './attempt-context.ts'
import type { Chains } from './chains.ts'
import { runAs } from './current-execution.ts'
import { factsOf, type Outcome, type OutcomeDeps, recordOutcome } from './outcome.ts'
import { CacheAnswer } from './result-cache.ts'

/** What every attempt of an engine shares. */
export interface AttemptDeps extends OutcomeDeps {
  readonly store: EngineStore
  readonly chains: Chains
  /** Rules of job types that have none. */
  readonly defaultTimeoutMs: number | null
  readonly defaultRetry: RetryRules
}

/** What an attempt is about. */
export interface AttemptPlan {
  readonly claimed: ClaimedExecution
  readonly type: AnyJobType
  readonly handler: Handler
  /** What it stands for, where that was decided at its claim. */
  readonly misfire?: MisfireInfo | null | undefined
  /** How the attempt went is decided, whether or not its handler was called. */
  readonly onDecided?: (() => void) | undefined
}

/** `gone`: cancelled, or taken by another node. `shutdown`: the node stops; a handler that ends without a result is given back unspent. */
export type AbortReason = 'gone' | 'shutdown'

/** The reason of an aborted signal. */
export function abortError(reason: AbortReason): PontualError {
  return reason === 'gone'
    ? new PontualError('execution.gone', 'The execution was cancelled or taken by another node.')
    : new PontualError('node.stopping', 'The node is shutting down.')
}

/** How long a handler may continue after its attempt is over before that is logged. */
const STRAY_MS = 1_000
/** How long a blocked event loop may hold the lease beyond a timeout. */
const BLOCKED_MS = 5_000

const NO_TIMER: CancelTimer = () => {}
const HAND_BACK: Outcome = { kind: 'handBack' }

/** One try of an execution by this node, from claim to what is recorded of it. */
export class Attempt {
  readonly claimed: ClaimedExecution
  /** After how long the handler has to end; null for never. */
  readonly timeoutMs: number | null
  readonly #type: AnyJobType
  readonly #handler: Handler
  readonly #deps: AttemptDeps
  readonly #startedAt: number
  readonly #misfire: MisfireInfo | null
  readonly #onDecided: (() => void) | undefined
  #context: AttemptContext | null = null
  #interruptedBy: Outcome | null = null
  /** Set while it is open how the attempt goes. */
  #resolve: ((outcome: Outcome) => void) | null = null
  #handling: Promise<Outcome> | null = null
  #stopTimer: CancelTimer = NO_TIMER
  #isLeaving = false
  #hasConcluded = false

  constructor({ claimed, type, handler, misfire, onDecided }: AttemptPlan, deps: AttemptDeps) {
    this.#onDecided = onDecided
    this.#misfire = misfire ?? claimed.body.options?.misfire ?? null
    this.#handler = handler
    this.claimed = claimed
    const { activity, timeoutMs } = claimed.body.options ?? {}
    this.timeoutMs = timeoutMs ?? type.timeoutMs ?? (activity ? null : deps.defaultTimeoutMs)
    this.#type = type
    this.#deps = deps
    this.#startedAt = deps.env.monotonic()
  }

  /** Milliseconds from now after which a lease must not be prolonged for its handler; null where there is no such limit. */
  get mustEndInMs(): number | null {
    if (this.timeoutMs === null || this.#hasConcluded) return null
    return this.#startedAt + this.timeoutMs + BLOCKED_MS - this.#deps.env.monotonic()
  }

  /**
   * The steps of an attempt: open its context, read the results of predecessors and check the input, call the handler until it ends or is
   * interrupted, turn the end into an outcome, store the log and the progress, and record the outcome. Rejects only if the store does not
   * accept the record.
   */
  async run(): Promise<void> {
    const context = this.#openContext()
    this.#context = context
    const outcome = this.#interruptedBy ?? (this.#isLeaving ? HAND_BACK : await this.#perform(context))
    this.#onDecided?.()
    const stored = context.end()
    // Most handlers log nothing; an attempt that is gone stores nothing.
    if (stored && outcome.kind !== 'gone') await stored
    const durationMs = Math.round(this.#deps.env.monotonic() - this.#startedAt)
    await recordOutcome(this.#deps, { claimed: this.claimed, retry: this.#retry, durationMs }, outcome)
  }

  #openContext(): AttemptContext {
    const { claimed } = this
    const { time, store, settlement, logger } = this.#deps
    return new AttemptContext({
      claimed,
      misfire: this.#misfire,
      settlement,
      log: { time, logger, logs: store.logs, onRefused: () => this.abort('gone') },
    })
  }

  /** The handler's outcome, or what came before it. */
  #perform(context: AttemptContext): Promise<Outcome> {
    return new Promise((resolve) => {
      this.#resolve = resolve
      this.#stopTimer = this.#startTimer()
      const handling = this.#handle(context)
      this.#handling = handling
      void handling.then((outcome) => this.#conclude(outcome))
    })
  }

  #startTimer(): CancelTimer {
    const { timeoutMs } = this
    if (timeoutMs === null) return NO_TIMER
    return this.#deps.env.after(timeoutMs, () => {
      const error = new TimeoutError(timeoutMs)
      this.#end({ kind: 'failure', status: 'TIMEOUT', error, isRetryable: isRetryable(this.#retry, error) })
      this.#signal(error)
    })
  }

  async #handle(context: AttemptContext): Promise<Outcome> {
    const { body } = this.claimed
    let output: unknown
    try {
      output = await (isTracing() ? this.#callInSpan(context) : this.#call(context))
    } catch (error: unknown) {
      if (this.#isLeaving) return HAND_BACK
      return { kind: 'failure', status: 'FAILED', error, isRetryable: this.#mayRetry(error) }
    }
    const answer = this.#type.cache !== null && output instanceof CacheAnswer ? output : null
    if (answer?.kept) return { kind: 'success', output: answer.kept.output, cachedFrom: answer.kept.executionId }
    try {
      const text = this.#encode(answer ? answer.output : output, `Output of job type "${body.jobType}"`)
      return { kind: 'success', output: text, cacheAt: answer?.place }
    } catch (error) {
      // The work is done: to do it again would give the same output.
      return { kind: 'failure', status: 'FAILED', error, isRetryable: false }
    }
  }

  #callInSpan(context: AttemptContext): Promise<unknown> {
    return inRunSpan(this.claimed, async () => await this.#call(context))
  }

  /** Calls the handler at once where nothing has to be waited for first. */
  #call(context: AttemptContext): unknown {
    const { body } = this.claimed
    const { schema, followers } = this.#type
    if (schema || body.options?.isFollower || followers.length > 0) return this.#callPrepared(context)
    return runAs(context, this.#handler, decodeValue(body.payload), context, this.claimed)
  }

  async #callPrepared(context: AttemptContext): Promise<unknown> {
    const { body } = this.claimed
    const { schema, followers } = this.#type
    if (body.options?.isFollower || followers.length > 0) {
      context.predecessors = await this.#deps.chains.begin(this.claimed, this.#type)
    }
    const payload = body.payload === null ? inputFrom(context.predecessors) : decodeValue(body.payload)
    const input: unknown = schema ? await validate(schema, payload, `Input of job type "${body.jobType}"`) : payload
    // What was interrupted meanwhile does not begin.
    if (this.#interruptedBy) return undefined
    if (this.#isLeaving) throw abortError('shutdown')
    return await runAs(context, this.#handler, input, context, this.claimed)
  }

  /** The output of an activity is a value of a durable run. */
  #encode(output: unknown, thing: string): string | null {
    return this.claimed.body.options?.activity ? encodeValue(output, thing) : encodeOutput(output, thing)
  }

  /** What was thrown may throw in turn when it is looked at, as a revoked proxy does. */
  #mayRetry(error: unknown): boolean {
    try {
      const isHopeless = [InvalidPayloadError, NonRetryableError, UnreadableError].some((kind) => error instanceof kind)
      return !isHopeless && isRetryable(this.#retry, error)
    } catch {
      return true
    }
  }

  get #retry(): RetryRules {
    return this.claimed.body.options?.retry ?? this.#type.retry ?? this.#deps.defaultRetry
  }

  abort(reason: AbortReason): void {
    if (reason === 'gone') {
      this.#end({ kind: 'gone' })
      this.#signal(abortError('gone'))
      return
    }
    this.#isLeaving = true
    // An attempt that has not begun is handed back when it would begin; one that has ended is about to be recorded.
    if (this.#resolve) this.#signal(abortError('shutdown'))
  }

  /** Gives up on a handler that still runs, without recording anything. null if none runs: the attempt is about to be recorded. */
  strand(): ClaimedExecution | null {
    if (!this.#resolve) return null
    this.#conclude({ kind: 'gone' })
    return this.claimed
  }

  #end(outcome: Outcome): void {
    this.#interruptedBy ??= outcome
    if (!this.#resolve) return
    // One in an isolate is killed before long.
    if (this.#handling && !this.#type.isolation) this.#watchStray(this.#handling)
    this.#conclude(outcome)
  }

  #conclude(outcome: Outcome): void {
    this.#stopTimer()
    this.#hasConcluded = true
    this.#resolve?.(outcome)
    this.#resolve = null
  }

  #signal(reason: Error): void {
    this.#context?.abort(reason)
  }

  /** A handler that continues after its attempt is over holds no slot, but is logged. */
  #watchStray(handling: Promise<Outcome>): void {
    const { logger, env } = this.#deps
    let isOver = false
    const tell = () => {
      if (isOver) return
      const facts = factsOf(this.claimed)
      logger.error('A handler ignores its signal and goes on, although its attempt is over', facts)
      void handling.then(() => logger.warn('A handler that had ignored its signal has ended', facts))
    }
    const cancel = env.after(STRAY_MS, tell)
    void handling.then(() => {
      isOver = true
      cancel()
    })
  }
}
