import { CancelledError } from '../../durable/errors.ts'
import type { RunStop } from '../../durable/host.ts'
import { BARE } from '../../durable/journal.ts'
import { PontualError } from '../../errors.ts'
import type { Divergence } from '../../job/activity/divergence.ts'
import type { HistoryEntry, NewEntry, News } from '../../job/activity/history.ts'
import type { ExecutionBody, PredecessorResult } from '../../job/execution/execution.ts'
import type { AnyJobType } from '../../job/type/job-type.ts'
import type { LoadedRun } from '../../store/histories.ts'
import type { ClaimedExecution, Held } from '../../store/leases.ts'
import type { MisfireInfo } from '../../time/misfire/resolve.ts'
import { type AbortReason, abortError } from '../running/attempt.ts'
import { AttemptContext } from '../running/attempt-context.ts'
import { factsOf, type Outcome, recordOutcome } from '../running/outcome.ts'
import { inRunSpan, type OpenSpan, type TraceContext } from '../telemetry/tracing.ts'
import { findUnreadable, HostedRun, type Seat } from './hosted-run.ts'
import type { DurableDeps } from './run-writes.ts'

export interface DurableAttemptPlan {
  readonly claimed: ClaimedExecution
  readonly type: AnyJobType
  readonly misfire?: MisfireInfo | null | undefined
}

/** Runs that wait in memory. */
interface WaitingRuns {
  put(hosted: HostedRun): void
  take(held: Held): HostedRun | null
}

/** A run that waits for less time stays: leaving and returning would take as long. */
const LINGER_MS = 250
/** A run that stopped for a temporary reason is resumed after so long. */
const PAUSE_MS = 1_000

/** One attempt of a durable execution on this node: from its claim until it is parked, ends, or is lost to another node. */
export class DurableAttempt implements Seat {
  readonly claimed: ClaimedExecution
  readonly context: AttemptContext
  /** The run enforces its own timeout, which includes waits. */
  readonly timeoutMs = null
  readonly mustEndInMs = null
  readonly #type: AnyJobType
  readonly #deps: DurableDeps
  readonly #waiting: WaitingRuns
  readonly claimedAt: number
  #hosted: HostedRun | null = null
  #span: OpenSpan | null = null
  #abortedBy: AbortReason | null = null
  #isSuspending = false
  #hasConcluded = false
  #parking: Promise<boolean> | null = null
  #reading: Promise<void> | null = null
  /** A read of the news has not succeeded yet: the store reports news once, so it is repeated. */
  #owesNews = false
  #end: () => void = () => {}
  #fail: (reason: unknown) => void = () => {}

  constructor({ claimed, type, misfire }: DurableAttemptPlan, deps: DurableDeps, waiting: WaitingRuns) {
    const { time, store, settlement, logger, env } = deps
    this.claimed = claimed
    this.#type = type
    this.#deps = deps
    this.#waiting = waiting
    this.claimedAt = env.monotonic()
    this.context = new AttemptContext({
      claimed,
      misfire: misfire ?? claimed.body.options?.misfire ?? null,
      settlement,
      log: { time, logger, logs: store.logs, onRefused: () => this.abort('gone') },
    })
  }

  get trace(): TraceContext {
    return this.#span?.trace ?? {}
  }

  abort(reason: AbortReason): void {
    if (this.#abortedBy === 'gone' || this.#hasConcluded) return
    this.#abortedBy = reason
    // A run that has not started checks this before it starts.
    if (!this.#hosted) return
    if (reason === 'shutdown') {
      this.#hosted.run.interrupt(abortError(reason))
      return
    }
    this.#hosted.run.abandon(abortError(reason))
    this.#conclude({ kind: 'lost' })
  }

  /** Abandons activities that still run, and records nothing. null if the end of the attempt is being recorded. */
  strand(): ClaimedExecution | null {
    if (!this.#hosted || this.#hasConcluded || this.#parking) return null
    this.#hasConcluded = true
    this.#hosted.run.abandon(abortError('shutdown'))
    this.#end()
    return this.claimed
  }

  /** Starts nothing more, and leaves as soon as nothing is in flight. */
  suspend(): void {
    this.#isSuspending = true
    this.#hosted?.run.suspend()
  }

  /** The store has news for the run. */
  hear(): void {
    // The store does not park a run with unread news, so an attempt that is about to leave reads them anyway.
    if (!this.#hosted || this.#hasConcluded || this.#parking) return
    this.askForNews().catch((error: unknown) => this.#deps.logger.warn('What has come could not be read', { error }))
  }

  /** Rejects only if the store rejects the record of its end. */
  async run(): Promise<void> {
    await inRunSpan(this.claimed, (span) => {
      this.#span = span
      return this.#perform()
    })
  }

  async #perform(): Promise<void> {
    const over = new Promise<void>((resolve, reject) => {
      this.#end = resolve
      this.#fail = reject
    })
    // It may reject before it is awaited.
    over.catch(() => {})
    try {
      await this.#takeUp()
    } catch (error) {
      this.#break(error)
    }
    await over
  }

  async #takeUp(): Promise<void> {
    const { claimed } = this
    const { writes } = this.#deps
    const kept = this.#waiting.take(claimed)
    if (kept) {
      this.#hosted = kept
      kept.moveTo(this)
      await this.askForNews()
      if (this.#isSuspending) kept.run.suspend()
      return kept.comeBack()
    }
    if (claimed.epoch === 1 && !claimed.body.options?.isForked) return await this.#start([])
    const loaded = await writes.load(claimed)
    if (!loaded) return this.#conclude({ kind: 'lost' })
    const divergence = lackOfProgress(loaded, claimed.body)
    if (divergence) return this.#conclude({ kind: 'diverged', divergence })
    // Nothing is recorded, so there is nothing to undo.
    if (loaded.cancellation && loaded.entries.length === 0) {
      const error = new CancelledError(loaded.cancellation.reason)
      return this.#conclude({ kind: 'failure', status: 'CANCELLED', error })
    }
    await this.#start(loaded.entries, loaded)
  }

  async #start(entries: readonly HistoryEntry[], news?: News): Promise<void> {
    const predecessors = await this.#predecessors()
    if (this.#abortedBy === 'gone') return this.#conclude({ kind: 'lost' })
    if (this.#abortedBy === 'shutdown' || this.#isSuspending) return this.#conclude({ kind: 'suspended' })
    const unreadable = findUnreadable(this.claimed.body.payload, entries, news)
    if (unreadable) return this.#conclude(unreadable)
    const hosted = new HostedRun({ type: this.#type, entries, predecessors, seat: this }, this.#deps)
    this.#hosted = hosted
    if (news) hosted.hear(news, (stop) => this.#conclude(stop))
    hosted.begin()
  }

  async #predecessors(): Promise<readonly PredecessorResult[]> {
    const isChained = this.claimed.body.options?.isFollower || this.#type.followers.length > 0
    return isChained ? await this.#deps.chains.begin(this.claimed, this.#type) : []
  }

  askForNews(): Promise<void> {
    this.#owesNews = true
    // Requests during a read share it.
    this.#reading ??= this.#hearNews().finally(() => {
      this.#reading = null
    })
    return this.#reading
  }

  /** The run must not leave meanwhile: the store reports news once. */
  async #hearNews(): Promise<void> {
    const hosted = this.#hosted
    const askedAt = this.#deps.env.monotonic()
    hosted?.run.effects.enter()
    try {
      const news = await this.#deps.writes.news(this.claimed)
      hosted?.wasHeldAt(askedAt)
      if (!news) this.abort('gone')
      else if (!this.#hasConcluded) hosted?.hear(news, (stop) => this.#conclude(stop))
      this.#owesNews = false
    } finally {
      hosted?.run.effects.leave()
    }
  }

  onIdle(dueAt: number | null): void {
    const hosted = this.#hosted
    const isSoon = dueAt !== null && dueAt - this.#deps.time.now() <= LINGER_MS
    if (this.#owesNews) this.hear()
    if (!hosted || this.#hasConcluded || this.#parking || isSoon || this.#owesNews) return
    hosted.run.goAway()
    this.#parking = this.#park(hosted, dueAt).finally(() => {
      this.#parking = null
    })
    this.#parking.catch((error: unknown) => this.#break(error))
  }

  /** The store rejects its records. The recovery of this node releases the execution. */
  #break(error: unknown): void {
    this.#hasConcluded = true
    this.#hosted?.run.abandon(new PontualError('execution.gone', 'The store does not take what the run has come to.'))
    this.#fail(error)
  }

  /** Resolves to true if the run was parked. */
  async #park(hosted: HostedRun, dueAt: number | null): Promise<boolean> {
    const { writes, onMade } = this.#deps
    const { executionId, epoch } = this.claimed
    await this.context.kept()
    const answer = await writes.park({ executionId, epoch, dueAt })
    if (answer === 'lost') {
      this.abort('gone')
      return false
    }
    if (answer === 'news') {
      if (this.#hasConcluded) return false
      await this.askForNews()
      hosted.comeBack()
      return false
    }
    if (dueAt !== null) onMade(dueAt)
    if (!this.#hasConcluded) {
      this.#hasConcluded = true
      void this.context.end()
      if (!hosted.run.isOver) this.#waiting.put(hosted)
      this.#tellParked(dueAt)
      this.#end()
    }
    return true
  }

  onStop(stop: RunStop): void {
    this.#conclude(stop)
  }

  #conclude(stop: RunStop): void {
    if (this.#hasConcluded) return
    this.#hasConcluded = true
    this.#settle(stop).then((isOver) => {
      if (isOver) this.#end()
    }, this.#fail)
  }

  /** Resolves to false if the attempt continues. */
  async #settle(stop: RunStop): Promise<boolean> {
    const hasLeft = this.#parking ? await this.#parking.catch(() => false) : false
    if (hasLeft) return true
    if (stop.kind === 'continued') return !(await this.#continue(stop.input))
    await this.context.end()
    if (stop.kind === 'success') await this.#finish({ kind: 'success', output: stop.output })
    else if (stop.kind === 'failure') await this.#finish({ ...stop, isRetryable: false })
    else if (stop.kind === 'diverged') await this.#diverge(stop.divergence)
    else if (stop.kind === 'suspended') await this.#giveBack()
    else this.#tellRefused('record')
    return true
  }

  /** A refused end means that the execution is being cancelled, or held by another node. */
  async #finish(outcome: Outcome): Promise<void> {
    const { env, defaultRetry: retry } = this.#deps
    const durationMs = Math.round(env.monotonic() - this.claimedAt)
    if (outcome.kind === 'failure') this.#span?.fail(outcome.error)
    const isAccepted = await recordOutcome(this.#deps, { claimed: this.claimed, retry, durationMs }, outcome)
    if (!isAccepted) await this.#giveBack()
  }

  async #giveBack(): Promise<void> {
    const { writes, settlement, telemetry, time, onMade } = this.#deps
    const { executionId, epoch } = this.claimed
    if (!this.#isSuspending && this.#abortedBy === null) {
      const dueAt = time.now() + PAUSE_MS
      const answer = await writes.park({ executionId, epoch, dueAt })
      if (answer === 'parked') return onMade(dueAt)
      if (answer === 'lost') return this.#tellRefused('release')
    }
    if (!(await settlement.release(this.claimed))) return this.#tellRefused('release')
    telemetry.tell('execution.released', factsOf(this.claimed))
    onMade(null)
  }

  /** Starts again with another input. Resolves to false if the run is no longer held. */
  async #continue(input: string | null): Promise<boolean> {
    const { writes, time } = this.#deps
    const { executionId, epoch } = this.claimed
    const entry = inputEntry(input, time.now(), (this.#hosted?.run.generation ?? 0) + 1)
    if (!(await writes.continueAs({ executionId, epoch, entry }))) {
      this.#tellRefused('continueAs')
      return false
    }
    this.#hasConcluded = false
    this.#hosted = null
    await this.#start([entry])
    // Earlier signals belong to the new input.
    if (this.#hosted) this.askForNews().catch((error: unknown) => this.#break(error))
    return true
  }

  async #diverge(divergence: Divergence): Promise<void> {
    const { writes, telemetry } = this.#deps
    const { executionId, epoch } = this.claimed
    if (!(await writes.diverge({ executionId, epoch, divergence }))) return this.#tellRefused('diverge')
    telemetry.tell('execution.diverged', { ...factsOf(this.claimed), divergence })
  }

  #tellParked(dueAt: number | null): void {
    const { telemetry } = this.#deps
    if (telemetry.hears('execution.parked')) telemetry.tell('execution.parked', { ...factsOf(this.claimed), dueAt })
  }

  #tellRefused(write: string): void {
    const { telemetry } = this.#deps
    telemetry.tell('execution.refused', { ...factsOf(this.claimed), epoch: this.claimed.epoch, write })
  }
}

/** The least number of nodes lost with a run before the run counts as the cause, however few attempts its job has. */
const LEAST_LOSSES = 4

/** The reason to park a run that seems to kill its nodes; null if it may continue. */
function lackOfProgress(
  { lostSinceProgress }: Pick<LoadedRun, 'lostSinceProgress'>,
  { maxAttempts }: Pick<ExecutionBody, 'maxAttempts'>,
): Divergence | null {
  if (lostSinceProgress < Math.max(maxAttempts, LEAST_LOSSES)) return null
  const message = `The nodes that ran it were lost ${lostSinceProgress} times in a row, and nothing was recorded meanwhile. Resume it once the cause is removed.`
  return { reason: 'noProgress', message, attempts: lostSinceProgress }
}

/** The only entry of a run that continues with another input. */
function inputEntry(input: string | null, at: number, generation: number): NewEntry {
  return {
    ...BARE,
    sequence: 0,
    kind: 'input',
    name: 'input',
    status: 'COMPLETED',
    attempt: generation,
    input,
    startedAt: at,
    endedAt: at,
  }
}
