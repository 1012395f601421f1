import { type CancelTimer, eventLoopTurn } from '../clock.ts'
import { decodeValue, encodeValue } from '../durable/codec.ts'
import { PontualError } from '../errors.ts'
import { NonRetryableError, TimeoutError } from '../job/failure.ts'
import type { AnyJobType } from '../job/job-type.ts'
import { decodePayload, encodePayload } from '../job/payload.ts'
import { inputFrom } from '../job/predecessor.ts'
import { isRetryable, type RetryRules } from '../job/retry.ts'
import { InvalidPayloadError, validate } from '../job/standard-schema.ts'
import { UnreadableError } from '../job/unreadable.ts'
import type { ClaimedExecution } from '../store/leases.ts'
import type { Store } from '../store/store.ts'
import type { MisfireInfo } from '../time/misfire/resolution.ts'
import { AttemptContext } from './attempt-context.ts'
import type { Chains } from './chains.ts'
import { runAs } from './current-execution.ts'
import type { Handler } from './handler.ts'
import { factsOf, type Outcome, type RecordSurroundings, recordOutcome } from './record-outcome.ts'
import { CacheAnswer } from './result-cache.ts'

/** What every attempt of an engine shares. */
export interface AttemptSurroundings extends RecordSurroundings {
  readonly store: Store
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

/** `gone`: cancelled, or taken by another node. `shutdown`: the node goes, and gives it back unspent. */
export type AbortReason = 'gone' | 'shutdown'

/** A handler that was told to stop at shutdown may take so long to do it. */
const LAST_WORDS_MS = 1_000
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
  readonly #around: AttemptSurroundings
  readonly #startedAt: number
  readonly #misfire: MisfireInfo | null
  readonly #onDecided: (() => void) | undefined
  #context: AttemptContext | null = null
  #interruptedBy: Outcome | null = null
  /** Set while it is open how the attempt goes. */
  #resolve: ((outcome: Outcome) => void) | null = null
  #handling: Promise<Outcome> | null = null
  #stopTimer: CancelTimer = NO_TIMER
  #stopLeaving: CancelTimer = NO_TIMER
  #isLeaving = false
  #hasConcluded = false

  constructor({ claimed, type, handler, misfire, onDecided }: AttemptPlan, around: AttemptSurroundings) {
    this.#onDecided = onDecided
    this.#misfire = misfire ?? claimed.body.options?.misfire ?? null
    this.#handler = handler
    this.claimed = claimed
    const { activity, timeoutMs } = claimed.body.options ?? {}
    this.timeoutMs = timeoutMs ?? type.timeoutMs ?? (activity ? null : around.defaultTimeoutMs)
    this.#type = type
    this.#around = around
    this.#startedAt = around.env.monotonic()
  }

  /** Milliseconds from now after which a lease must not be prolonged for its handler; null where there is no such limit. */
  get mustEndInMs(): number | null {
    if (this.timeoutMs === null || this.#hasConcluded) return null
    return this.#startedAt + this.timeoutMs + BLOCKED_MS - this.#around.env.monotonic()
  }

  abort(reason: AbortReason): void {
    if (reason === 'gone') {
      this.#end({ kind: 'gone' })
      this.#signal(new PontualError('execution.gone', 'The execution was cancelled or taken by another node.'))
      return
    }
    this.#isLeaving = true
    // What has not begun is handed back when it would, and what has ended is about to be recorded.
    if (!this.#resolve) return
    this.#stopLeaving()
    this.#stopLeaving = this.#around.env.after(LAST_WORDS_MS, () => this.#end(HAND_BACK))
    this.#signal(new PontualError('node.stopping', 'The node is shutting down.'))
  }

  /** Never rejects, except where the store does not take what is to be recorded. */
  async run(): Promise<void> {
    const context = this.#contextOf()
    this.#context = context
    const outcome = this.#interruptedBy ?? (this.#isLeaving ? HAND_BACK : await this.#perform(context))
    this.#onDecided?.()
    const lastWords = context.end()
    // There is nothing to wait for where the handler said nothing, or nobody takes it.
    if (lastWords && outcome.kind !== 'gone') await lastWords
    const durationMs = Math.round(this.#around.env.monotonic() - this.#startedAt)
    await recordOutcome(this.#around, { claimed: this.claimed, retry: this.#retry, durationMs }, outcome)
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

  #conclude(outcome: Outcome): void {
    this.#stopTimer()
    this.#stopLeaving()
    this.#hasConcluded = true
    this.#resolve?.(outcome)
    this.#resolve = null
  }

  #end(outcome: Outcome): void {
    this.#interruptedBy ??= outcome
    if (!this.#resolve) return
    // One in an isolate is killed before long.
    if (this.#handling && !this.#type.isolation) this.#watchStray(this.#handling, outcome)
    this.#conclude(outcome)
  }

  #signal(reason: Error): void {
    this.#context?.abort(reason)
  }

  #startTimer(): CancelTimer {
    const { timeoutMs } = this
    if (timeoutMs === null) return NO_TIMER
    return this.#around.env.after(timeoutMs, () => {
      const error = new TimeoutError(timeoutMs)
      this.#end({ kind: 'failure', status: 'TIMEOUT', error, isRetryable: isRetryable(this.#retry, error) })
      this.#signal(error)
    })
  }

  async #handle(context: AttemptContext): Promise<Outcome> {
    const { body } = this.claimed
    let output: unknown
    try {
      output = await (this.#around.telemetry.isTracing ? this.#callInSpan(context) : this.#call(context))
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

  /** What was thrown may throw in turn when it is looked at, as a revoked proxy does. */
  #mayRetry(error: unknown): boolean {
    try {
      const isHopeless = [InvalidPayloadError, NonRetryableError, UnreadableError].some((kind) => error instanceof kind)
      return !isHopeless && isRetryable(this.#retry, error)
    } catch {
      return true
    }
  }

  #callInSpan(context: AttemptContext): Promise<unknown> {
    const { body, attempt } = this.claimed
    const attributes = { 'pontual.execution.id': body.id, 'pontual.job.type': body.jobType, 'pontual.attempt': attempt }
    const call = async () => await this.#call(context)
    return this.#around.telemetry.inSpan(`run ${body.jobType}`, attributes, body.options?.traceparent, call)
  }

  /** Calls the handler at once where nothing has to be waited for first. */
  #call(context: AttemptContext): unknown {
    const { body } = this.claimed
    const { schema, followers } = this.#type
    if (schema || body.options?.isFollower || followers.length > 0) return this.#callPrepared(context)
    return runAs(context, this.#handler, this.#decode(body.payload), context, this.claimed)
  }

  async #callPrepared(context: AttemptContext): Promise<unknown> {
    const { body } = this.claimed
    const { schema, followers } = this.#type
    if (body.options?.isFollower || followers.length > 0) {
      context.predecessors = await this.#around.chains.begin(this.claimed, this.#type)
    }
    const payload = body.payload === null ? inputFrom(context.predecessors) : this.#decode(body.payload)
    const input: unknown = schema ? await validate(schema, payload, `Input of job type "${body.jobType}"`) : payload
    // What was interrupted meanwhile does not begin.
    if (this.#interruptedBy) return undefined
    return await runAs(context, this.#handler, input, context, this.claimed)
  }

  /** What an activity takes and gives keeps its types, as all that a durable execution does. */
  #encode(output: unknown, thing: string): string | null {
    return this.claimed.body.options?.activity ? encodeValue(output, thing) : encodePayload(output, thing)
  }

  #decode(payload: string | null): unknown {
    return this.claimed.body.options?.activity ? decodeValue(payload) : decodePayload(payload)
  }

  #contextOf(): AttemptContext {
    const { claimed } = this
    const { time, store, settlement, logger } = this.#around
    return new AttemptContext({
      claimed,
      misfire: this.#misfire,
      settlement,
      log: { time, logger, logs: store.logs, onRefused: () => this.abort('gone') },
    })
  }

  get #retry(): RetryRules {
    return this.claimed.body.options?.retry ?? this.#type.retry ?? this.#around.defaultRetry
  }

  /** A handler that goes on after its attempt is over holds no slot, but somebody should know. */
  #watchStray(handling: Promise<Outcome>, outcome: Outcome): void {
    const { logger, env } = this.#around
    let isOver = false
    const tell = () => {
      if (isOver) return
      const facts = factsOf(this.claimed)
      logger.error('A handler ignores its signal and goes on, although its attempt is over', facts)
      void handling.then(() => logger.warn('A handler that had ignored its signal has ended', facts))
    }
    // At a shutdown it has had its time, and no timer may keep the process. A member of a batch is dismissed in this turn.
    const cancel = outcome === HAND_BACK ? NO_TIMER : env.after(LAST_WORDS_MS, tell)
    if (outcome === HAND_BACK) void eventLoopTurn().then(tell)
    void handling.then(() => {
      isOver = true
      cancel()
    })
  }
}
