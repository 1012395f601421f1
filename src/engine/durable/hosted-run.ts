import type { CancelTimer } from '../../clock.ts'
import { outsideActivity } from '../../durable/activity-scope.ts'
import { decodeValue } from '../../durable/codec.ts'
import { type ContextFacts, durableContext } from '../../durable/context.ts'
import type { ChildRequest, RunHost, RunStop, StepEvent, StepFacts } from '../../durable/host.ts'
import { Run } from '../../durable/run.ts'
import { activityTypeId } from '../../job/activity/activity-type.ts'
import type { DurableContext, DurableTransaction } from '../../job/activity/durable-context.ts'
import type { HistoryEntry, NewEntry, News, RecordAnswer } from '../../job/activity/history.ts'
import type { PredecessorResult } from '../../job/execution/execution.ts'
import { inputFrom } from '../../job/execution/predecessor.ts'
import { requireReadable, UnreadableError } from '../../job/execution/unreadable.ts'
import type { AnyJobType, JobContext } from '../../job/type/job-type.ts'
import { validate } from '../../job/type/standard-schema.ts'
import { type Logger, loggerTo, takesLevel } from '../../logger.ts'
import type { ClaimedExecution, Held } from '../../store/leases.ts'
import type { AttemptContext } from '../running/attempt-context.ts'
import { runAs } from '../running/current-execution.ts'
import { factsOf } from '../running/outcome.ts'
import { inActivitySpan, inEnqueueSpan, type OpenSpan, type TraceContext } from '../telemetry/tracing.ts'
import { childExecution } from './child-execution.ts'
import { type DurableDeps, WriteOrder } from './run-writes.ts'

/** The attempt that holds a run. */
export interface Seat {
  readonly claimed: ClaimedExecution
  readonly context: AttemptContext
  /** The span of the attempt. */
  readonly trace: TraceContext
  /** By the monotonic clock. */
  readonly claimedAt: number
  onIdle(dueAt: number | null): void
  onStop(stop: RunStop): void
  /** Reads the news and passes them to the run. */
  askForNews(): Promise<void>
}

export interface HostedRunPlan {
  readonly type: AnyJobType
  readonly entries: readonly HistoryEntry[]
  readonly predecessors: readonly PredecessorResult[]
  readonly seat: Seat
}

/** A run on this node, and its port to the engine. It may wait in memory and continue under another attempt. */
export class HostedRun implements RunHost {
  readonly run: Run
  readonly logger: Logger
  readonly log: Logger
  readonly #deps: DurableDeps
  readonly #type: AnyJobType
  readonly #order = new WriteOrder()
  /** Resolves when the last requested child is built: children are sent in the order of their requests. */
  #made: Promise<unknown> = Promise.resolve()
  /** Calls that a transaction has completed. An earlier note on them may reach the store later, and is dropped. */
  readonly #settled = new Set<number>()
  #seat: Seat
  /** The last instant, by the monotonic clock, at which the store confirmed the lease. */
  #heldAt: number

  constructor({ type, entries, predecessors, seat }: HostedRunPlan, deps: DurableDeps) {
    this.#deps = deps
    this.#type = type
    this.#seat = seat
    this.#heldAt = seat.claimedAt
    const { body, attempt } = seat.claimed
    const facts = { executionId: body.id, jobType: type.id, attempt }
    const { logger } = deps
    this.logger = loggerTo(
      (level, message, fields) => logger[level](message, { ...facts, ...fields }),
      (level) => takesLevel(logger, level),
    )
    this.log = loggerTo((level, message, fields) => this.#seat.context.logger[level](message, fields))
    const input = entries.find(({ kind }) => kind === 'input')
    const payload = input ? input.input : body.payload
    const given = payload === null && !input ? inputFrom(predecessors) : decodeValue(payload)
    const options = {
      executionId: body.id,
      host: this,
      startedAt: deps.time.now(),
      timeoutMs: body.options?.timeoutMs ?? type.timeoutMs,
      // The copied history of a fork may be old.
      timeoutFrom: body.options?.isForked && !input ? body.createdAt : undefined,
      entries,
      seed: body.options?.seed,
    }
    this.run = new Run(options, (run) => this.#perform(run, given, predecessors))
  }

  /** The lease of the run. */
  get held(): Held {
    return this.#seat.claimed
  }

  begin(): void {
    // An activity may have triggered the claim.
    outsideActivity(() => this.run.begin())
  }

  /** Another attempt holds the run from now on. */
  moveTo(seat: Seat): void {
    this.#seat = seat
    this.#heldAt = seat.claimedAt
  }

  /** The store has confirmed the lease at an instant. */
  wasHeldAt(instant: number): void {
    this.#heldAt = Math.max(this.#heldAt, instant)
  }

  /** Unreadable news end the run. */
  hear(news: News, onUnreadable: (stop: UnreadableStop) => void): void {
    const stop = findUnreadable(null, [], news)
    if (!stop) {
      outsideActivity(() => this.run.hear(news))
      return
    }
    this.run.abandon(stop.error)
    onUnreadable(stop)
  }

  comeBack(): void {
    outsideActivity(() => this.run.comeBack())
  }

  #perform(run: Run, given: unknown, predecessors: readonly PredecessorResult[]): unknown {
    const { context } = this.#seat
    const log = loggerTo((level, message, fields) => {
      if (run.phase !== 'replaying') this.log[level](message, fields)
    })
    const facts = factsOfRun(context)
    const durable = durableContext(run, facts, log, this.#type.signals)
    return runAs(this.#jobContext(run, facts, log, predecessors), () => this.#call(given, durable))
  }

  /** The result of `currentExecution()` in a durable job and in its activities. */
  #jobContext(run: Run, facts: ContextFacts, logger: Logger, predecessors: readonly PredecessorResult[]): JobContext {
    // Another attempt may hold the run by now.
    const current = () => this.#seat.context
    return {
      ...facts,
      maxAttempts: current().maxAttempts,
      predecessors,
      logger,
      get signal() {
        return run.abort.signal
      },
      progress: (fraction, note) => {
        if (run.phase !== 'replaying') current().progress(fraction, note)
      },
      checkpoint: (state) => current().checkpoint(state),
      lastCheckpoint: <State>() => current().lastCheckpoint<State>(),
    }
  }

  #call(given: unknown, context: DurableContext): unknown {
    const { schema, id } = this.#type
    if (!schema) return this.#type.run(given, context)
    return validate(schema, given, `Input of job type "${id}"`).then((input) => this.#type.run(input, context))
  }

  // The port of the run.

  now(): number {
    return this.#deps.time.now()
  }

  get marginMs(): number {
    return this.#deps.time.marginMs
  }

  random(): number {
    return this.#deps.env.random()
  }

  uuid(): string {
    return this.#deps.env.uuid(this.now())
  }

  after(delayMs: number, call: () => void): CancelTimer {
    return this.#deps.env.after(delayMs, call)
  }

  nextTurn(call: () => void): void {
    this.#deps.env.nextTurn(call)
  }

  inActivity<Result>(facts: StepFacts, perform: () => Result): Result {
    return inActivitySpan(facts, perform, this.#seat.trace)
  }

  tell(event: StepEvent, facts: StepFacts): void {
    const { telemetry } = this.#deps
    if (telemetry.hears(event)) telemetry.tell(event, { ...factsOf(this.#seat.claimed), ...facts })
  }

  record(entries: readonly NewEntry[], discards?: readonly number[]): Promise<RecordAnswer> {
    const { executionId, epoch } = this.held
    return this.#order.write('record', () => {
      const valid = this.#settled.size === 0 ? entries : entries.filter((entry) => !this.#isOutdated(entry))
      return this.#confirming(this.#deps.writes.record({ executionId, epoch, entries: valid, discards }))
    })
  }

  /** Any answer confirms the lease: a refusal stops the run. */
  async #confirming<Answer>(asked: Promise<Answer>): Promise<Answer> {
    const askedAt = this.#deps.env.monotonic()
    const answer = await asked
    this.wasHeldAt(askedAt)
    return answer
  }

  makeSure(): Promise<void> | null {
    return this.#isInDoubt() ? this.#makeSure() : null
  }

  async #makeSure(): Promise<void> {
    while (this.#isInDoubt() && !this.run.isOver) await this.askForNews()
  }

  #isInDoubt(): boolean {
    return this.#deps.env.monotonic() - this.#heldAt > this.#deps.sureForMs
  }

  #isOutdated({ position, sequence }: NewEntry): boolean {
    return position === null && this.#settled.has(sequence)
  }

  transact(work: (transaction: DurableTransaction) => Promise<readonly NewEntry[]>): Promise<boolean> {
    const { executionId, epoch } = this.held
    const { store } = this.#deps
    return this.#order.write('transaction', async () => {
      const item = await store.histories.transact({ executionId, epoch }, async (client) => ({
        executionId,
        epoch,
        entries: await work({
          query: async <Row>(text: string, values: readonly unknown[] = []) =>
            rowsOf<Row>(await client.query(text, [...values])),
        }),
      }))
      for (const { position, sequence } of item?.entries ?? []) if (position !== null) this.#settled.add(sequence)
      return item !== null
    })
  }

  async startChild(entries: readonly NewEntry[], request: ChildRequest): Promise<boolean> {
    const { executionId, epoch } = this.held
    const { writes, time } = this.#deps
    const { claimed, trace: parent } = this.#seat
    const jobType = 'job' in request ? request.job.id : activityTypeId(request.activity.id)
    // It takes its place among the writes before it is built: entries that are recorded meanwhile are newer.
    return await this.#order.write('child', async () => {
      const send = async ({ trace, setId }: OpenSpan) => {
        setId(request.id)
        const making = this.#made.then(() => childExecution(this.#deps, claimed.body, request, trace))
        this.#made = making.catch(() => {})
        const child = await making
        const isHeld = await this.#confirming(writes.startChild({ executionId, epoch, entries, child }))
        const { runAt, delayMs } = child
        this.#deps.onMade(delayMs === undefined ? runAt : time.now() + delayMs)
        return isHeld
      }
      return await inEnqueueSpan({ jobType }, send, parent)
    })
  }

  async cancelChild(id: string, { unlessStarted }: { readonly unlessStarted: boolean }): Promise<boolean> {
    const { store, settlement } = this.#deps
    if (unlessStarted) {
      const [child] = await settlement.persist(() => store.executions.find([id]))
      if (!child || child.epoch > 0) return false
    }
    const reason = 'The execution that waited for it has given it up.'
    const [result] = await settlement.persist(() => store.executions.cancel([{ id, reason }]))
    this.#deps.onChanged()
    return result === 'cancelled'
  }

  askForNews(): Promise<void> {
    return this.#seat.askForNews()
  }

  onIdle(dueAt: number | null): void {
    this.#seat.onIdle(dueAt)
  }

  onRestless(): void {
    const { executionId } = this.held
    this.#deps.writes.wake(executionId).then(
      () => this.#deps.onMade(null),
      (error: unknown) => this.logger.error('A run that wants to go on could not be woken', { error }),
    )
  }

  onStop(stop: RunStop): void {
    this.#seat.onStop(stop)
  }
}

function factsOfRun(context: AttemptContext): ContextFacts {
  const { executionId, jobType, jobId, tenant, attempt, scheduledAt, misfire, idempotencyKey } = context
  return { executionId, jobType, jobId, tenant, attempt, scheduledAt, misfire, idempotencyKey }
}

/** The rows of a query result: a list, or the result object of `pg` and PGlite. */
function rowsOf<Row>(answer: unknown): readonly Row[] {
  if (Array.isArray(answer)) return answer as Row[]
  const rows = (answer as { readonly rows?: unknown } | null | undefined)?.rows
  return Array.isArray(rows) ? (rows as Row[]) : []
}

/** The end of a run whose stored data cannot be read. */
export interface UnreadableStop {
  readonly kind: 'failure'
  readonly status: 'FAILED' | 'CANCELLED'
  readonly error: UnreadableError
}

/** The end of a run if a part of its payload, its history or its news cannot be read; null if all can. */
export function findUnreadable(
  payload: string | null,
  entries: readonly HistoryEntry[],
  news?: News,
): UnreadableStop | null {
  try {
    if (!entries.some(({ kind }) => kind === 'input')) requireReadable(payload)
    for (const { input, output, error } of entries) for (const text of [input, output, error]) requireReadable(text)
    for (const signal of news?.signals ?? []) requireReadable(signal.payload)
    for (const child of news?.children ?? []) requireReadable(child.output)
    return null
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error
    // A run that is being cancelled ends in no other way.
    return { kind: 'failure', status: news?.cancellation ? 'CANCELLED' : 'FAILED', error }
  }
}
