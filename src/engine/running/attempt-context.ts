import { decodeValue, encodeValue } from '../../durable/codec.ts'
import { LazyAbort } from '../../durable/lazy-abort.ts'
import { PontualError } from '../../errors.ts'
import type { PredecessorResult } from '../../job/execution/execution.ts'
import { storableText } from '../../job/execution/payload.ts'
import type { JobContext } from '../../job/type/job-type.ts'
import type { Logger } from '../../logger.ts'
import type { ClaimedExecution, Held } from '../../store/leases.ts'
import type { MisfireInfo } from '../../time/misfire/resolve.ts'
import { invalidOption } from '../../time/require.ts'
import { ExecutionLog, type ExecutionLogOptions } from './execution-log.ts'
import type { Settlement } from './settlement.ts'

export interface AttemptContextParts {
  readonly claimed: ClaimedExecution
  readonly misfire: MisfireInfo | null
  readonly settlement: Settlement
  readonly log: Omit<ExecutionLogOptions, 'held' | 'attempt' | 'facts' | 'batcher' | 'persist'>
}

/** Does the work of one attempt. */
export type Handler = (input: unknown, context: AttemptContext, claimed: ClaimedExecution) => unknown

const NOBODY: readonly PredecessorResult[] = Object.freeze([])

/** What a handler is given. Signal and log are made when they are first asked for: most handlers ask for neither. */
export class AttemptContext implements JobContext {
  readonly executionId: string
  readonly jobType: string
  readonly jobId: string | null
  readonly tenant: string
  readonly attempt: number
  readonly maxAttempts: number
  readonly scheduledAt: number | null
  readonly misfire: MisfireInfo | null
  /** Read before the handler runs, where there are any. */
  predecessors: readonly PredecessorResult[] = NOBODY
  readonly idempotencyKey: string
  readonly #parts: AttemptContextParts
  readonly #abort = new LazyAbort()
  #log: ExecutionLog | null = null
  #progress: ProgressReport | null = null
  #sayProgress: ((fraction: number, note?: string) => void) | null = null
  #isOver = false

  constructor(parts: AttemptContextParts) {
    const { body, attempt } = parts.claimed
    this.executionId = body.id
    this.jobType = body.jobType
    this.jobId = body.jobId
    this.tenant = body.tenant
    this.attempt = attempt
    this.maxAttempts = body.maxAttempts
    this.scheduledAt = body.scheduledAt
    this.misfire = parts.misfire
    this.idempotencyKey = body.idempotencyKey ?? body.id
    this.#parts = parts
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  get logger(): Logger {
    this.#log ??= this.#openLog()
    return this.#log.logger
  }

  /** Bound, since handlers take it out of the context. */
  get progress(): (fraction: number, note?: string) => void {
    this.#sayProgress ??= (fraction, note) => {
      if (this.#isOver) return
      this.#progress ??= new ProgressReport(this.#parts.claimed, this.#parts.settlement)
      this.#progress.say(fraction, note)
    }
    return this.#sayProgress
  }

  get checkpoint(): (state: unknown) => Promise<void> {
    return (state) => this.#keepCheckpoint(state)
  }

  get lastCheckpoint(): <State = unknown>() => Promise<State | undefined> {
    return async <State>() => {
      const text = await this.#parts.settlement.lastCheckpoint(this.executionId)
      return text === null ? undefined : (decodeValue(text) as State)
    }
  }

  abort(reason: Error): void {
    this.#abort.abort(reason)
  }

  /** Resolves when all is kept that was said so far. */
  async kept(): Promise<void> {
    await this.#log?.kept()
  }

  /** The attempt is over, and no more is kept. Where the handler said anything: resolves when that is. */
  end(): Promise<void> | null {
    this.#isOver = true
    return this.#log || this.#progress ? this.#keepAll() : null
  }

  async #keepCheckpoint(state: unknown): Promise<void> {
    const { executionId, epoch } = this.#parts.claimed
    const text = encodeValue(state, 'State of checkpoint')
    if (this.#isOver) throw gone()
    // JSON for nothing at all.
    if (!(await this.#parts.settlement.checkpoint({ executionId, epoch, state: text ?? 'null' }))) throw gone()
  }

  async #keepAll(): Promise<void> {
    await this.#log?.end()
    await this.#progress?.end()
  }

  #openLog(): ExecutionLog {
    const { claimed, log, settlement } = this.#parts
    const { executionId, jobType, attempt } = this
    const opened = new ExecutionLog({
      ...log,
      batcher: settlement.logs,
      persist: (ask) => settlement.persist(ask),
      held: claimed,
      attempt,
      facts: { executionId, jobType, attempt },
    })
    if (this.#isOver) void opened.end()
    return opened
  }
}

function gone(): PontualError {
  return new PontualError('execution.gone', 'The execution has ended, or was cancelled or taken by another node.')
}

const MAX_NOTE_LENGTH = 1_000

/** How far an attempt is: the latest word is sent, never two at once, and none after its end. */
class ProgressReport {
  readonly #held: Held
  readonly #settlement: Settlement
  #latest: { readonly fraction: number; readonly note: string | null } | null = null
  #sending: Promise<void> | null = null
  #isOver = false

  constructor({ executionId, epoch }: Held, settlement: Settlement) {
    this.#held = { executionId, epoch }
    this.#settlement = settlement
  }

  say(fraction: number, note: string | null = null): void {
    requireFraction(fraction)
    if (this.#isOver) return
    this.#latest = { fraction, note: note === null ? null : storableText(String(note), MAX_NOTE_LENGTH) }
    this.#sending ??= this.#send()
  }

  /** Waits until the last word is kept. */
  async end(): Promise<void> {
    this.#isOver = true
    await this.#sending
  }

  async #send(): Promise<void> {
    while (this.#latest) {
      const latest = this.#latest
      this.#latest = null
      // How far it is matters less than that it goes on.
      await this.#settlement.progress({ ...this.#held, ...latest }).catch(() => false)
    }
    this.#sending = null
  }
}

export function requireFraction(fraction: number): void {
  if (typeof fraction === 'number' && fraction >= 0 && fraction <= 1) return
  throw invalidOption(fraction, 'progress', 'a number from 0 to 1')
}
