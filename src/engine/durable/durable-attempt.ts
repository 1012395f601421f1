import { CancelledError } from '../../durable/errors.ts'
import type { RunStop } from '../../durable/host.ts'
import { PontualError } from '../../errors.ts'
import type { Divergence, HistoryEntry, News } from '../../job/activity/history.ts'
import type { PredecessorResult } from '../../job/execution/execution.ts'
import type { AnyJobType } from '../../job/type/job-type.ts'
import type { ClaimedExecution } from '../../store/leases.ts'
import type { MisfireInfo } from '../../time/misfire/resolution.ts'
import { type AbortReason, abortError } from '../running/attempt.ts'
import { AttemptContext } from '../running/attempt-context.ts'
import { factsOf, type Outcome, recordOutcome } from '../running/outcome.ts'
import { inRunSpan, type OpenSpan, type TraceContext } from '../telemetry/tracing.ts'
import { findUnreadable } from './find-unreadable.ts'
import { HostedRun, type Seat } from './hosted-run.ts'
import { inputEntry } from './input-entry.ts'
import { lackOfProgress } from './lack-of-progress.ts'
import { NewsReader } from './news-reader.ts'
import type { RunCache } from './run-cache.ts'
import type { DurableSurroundings } from './surroundings.ts'

export interface DurableAttemptPlan {
  readonly claimed: ClaimedExecution
  readonly type: AnyJobType
  readonly misfire?: MisfireInfo | null | undefined
}

/** A run that waits for less than this stays: to leave and to come back would take as long. */
const LINGER_MS = 250
/** What could not go on for a reason that may pass is taken up again after so long. */
const PAUSE_MS = 1_000

/** One stretch of a durable execution on this node: from its claim until it waits, ends, or goes to somebody else. */
export class DurableAttempt implements Seat {
  readonly claimed: ClaimedExecution
  readonly context: AttemptContext
  /** Its timeout is for all of its run, waits included, and kept by the run. */
  readonly timeoutMs = null
  readonly mustEndInMs = null
  readonly #type: AnyJobType
  readonly #around: DurableSurroundings
  readonly #cache: RunCache
  readonly claimedAt: number
  #hosted: HostedRun | null = null
  #span: OpenSpan | null = null
  #abortedBy: AbortReason | null = null
  #isSuspending = false
  #hasConcluded = false
  #parking: Promise<boolean> | null = null
  readonly #news = new NewsReader(() => this.#hearNews())
  #end: () => void = () => {}
  #fail: (reason: unknown) => void = () => {}

  constructor({ claimed, type, misfire }: DurableAttemptPlan, around: DurableSurroundings, cache: RunCache) {
    const { time, store, settlement, logger, env } = around
    this.claimed = claimed
    this.#type = type
    this.#around = around
    this.#cache = cache
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
    // A run that has not begun checks this before it does.
    if (!this.#hosted) return
    if (reason === 'shutdown') {
      this.#hosted.run.interrupt(abortError(reason))
      return
    }
    this.#hosted.run.abandon(abortError(reason))
    this.#conclude({ kind: 'lost' })
  }

  /** Gives up on activities that still run, without recording anything. null if the attempt is about to be recorded. */
  strand(): ClaimedExecution | null {
    if (!this.#hosted || this.#hasConcluded || this.#parking) return null
    this.#hasConcluded = true
    this.#hosted.run.abandon(abortError('shutdown'))
    this.#end()
    return this.claimed
  }

  /** Begins nothing more, and leaves as soon as nothing is under way. */
  suspend(): void {
    this.#isSuspending = true
    this.#hosted?.run.suspend()
  }

  /** Something has come for it. */
  hear(): void {
    // One that is about to leave is not let go by the store, as long as nobody has read what has come.
    if (!this.#hosted || this.#hasConcluded || this.#parking) return
    this.askForNews().catch((error: unknown) => this.#around.logger.warn('What has come could not be read', { error }))
  }

  /** Never rejects, except where the store does not take what is to be recorded. */
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
    // It may be over while it is still taken up: nobody looks at it then.
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
    const { writes } = this.#around
    const kept = this.#cache.take(claimed)
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
    // Nothing is known to have been done: there is nothing to undo.
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
    const hosted = new HostedRun({ type: this.#type, entries, predecessors, seat: this }, this.#around)
    this.#hosted = hosted
    if (news) hosted.hear(news, (stop) => this.#conclude(stop))
    hosted.begin()
  }

  async #predecessors(): Promise<readonly PredecessorResult[]> {
    const isChained = this.claimed.body.options?.isFollower || this.#type.followers.length > 0
    return isChained ? await this.#around.chains.begin(this.claimed, this.#type) : []
  }

  askForNews(): Promise<void> {
    return this.#news.read()
  }

  /** The run must not leave meanwhile: what was read is not told again. */
  async #hearNews(): Promise<void> {
    const hosted = this.#hosted
    const askedAt = this.#around.env.monotonic()
    hosted?.run.effects.enter()
    try {
      const news = await this.#around.writes.news(this.claimed)
      hosted?.wasHeldAt(askedAt)
      if (!news) this.abort('gone')
      else if (!this.#hasConcluded) hosted?.hear(news, (stop) => this.#conclude(stop))
    } finally {
      hosted?.run.effects.leave()
    }
  }

  onIdle(dueAt: number | null): void {
    const hosted = this.#hosted
    const isSoon = dueAt !== null && dueAt - this.#around.time.now() <= LINGER_MS
    if (this.#news.isOwed) this.hear()
    if (!hosted || this.#hasConcluded || this.#parking || isSoon || this.#news.isOwed) return
    hosted.run.goAway()
    this.#parking = this.#park(hosted, dueAt).finally(() => {
      this.#parking = null
    })
    this.#parking.catch((error: unknown) => this.#break(error))
  }

  /** The store takes nothing of it: whoever looks at what this node holds gives it back. */
  #break(error: unknown): void {
    this.#hasConcluded = true
    this.#hosted?.run.abandon(new PontualError('execution.gone', 'The store does not take what the run has come to.'))
    this.#fail(error)
  }

  /** Whether it has left. */
  async #park(hosted: HostedRun, dueAt: number | null): Promise<boolean> {
    const { writes, onMade } = this.#around
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
      if (!hosted.run.isOver) this.#cache.put(hosted)
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

  /** Whether this is its end. */
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

  /** One that is refused is being cancelled, or somebody else's. */
  async #finish(outcome: Outcome): Promise<void> {
    const { env, defaultRetry: retry } = this.#around
    const durationMs = Math.round(env.monotonic() - this.claimedAt)
    if (outcome.kind === 'failure') this.#span?.fail(outcome.error)
    const isAccepted = await recordOutcome(this.#around, { claimed: this.claimed, retry, durationMs }, outcome)
    if (!isAccepted) await this.#giveBack()
  }

  async #giveBack(): Promise<void> {
    const { writes, settlement, telemetry, time, onMade } = this.#around
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

  /** Begins anew where it stands. Whether it does. */
  async #continue(input: string | null): Promise<boolean> {
    const { writes, time } = this.#around
    const { executionId, epoch } = this.claimed
    const entry = inputEntry(input, time.now(), (this.#hosted?.run.generation ?? 0) + 1)
    if (!(await writes.continueAs({ executionId, epoch, entry }))) {
      this.#tellRefused('continueAs')
      return false
    }
    this.#hasConcluded = false
    this.#hosted = null
    await this.#start([entry])
    // What was sent to it before is for what it is now.
    if (this.#hosted) this.askForNews().catch((error: unknown) => this.#break(error))
    return true
  }

  async #diverge(divergence: Divergence): Promise<void> {
    const { writes, telemetry } = this.#around
    const { executionId, epoch } = this.claimed
    if (!(await writes.diverge({ executionId, epoch, divergence }))) return this.#tellRefused('diverge')
    telemetry.tell('execution.diverged', { ...factsOf(this.claimed), divergence })
  }

  #tellParked(dueAt: number | null): void {
    const { telemetry } = this.#around
    if (telemetry.hears('execution.parked')) telemetry.tell('execution.parked', { ...factsOf(this.claimed), dueAt })
  }

  #tellRefused(write: string): void {
    const { telemetry } = this.#around
    telemetry.tell('execution.refused', { ...factsOf(this.claimed), epoch: this.claimed.epoch, write })
  }
}
