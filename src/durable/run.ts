import type { CalledAs, HistoryEntry, News } from '../job/activity/history.ts'
import { insideActivity } from './activity-scope.ts'
import { Call, type CallPlan, type Settling } from './call.ts'
import { Calls } from './calls.ts'
import { encodeValue } from './codec.ts'
import { MisplacedCallError, RunOverError } from './errors.ts'
import { Gate } from './gate.ts'
import type { RunHost, RunStop } from './host.ts'
import { Inbox } from './inbox.ts'
import { Ledger } from './ledger.ts'
import { Patches } from './patches.ts'
import { SeededRandom } from './seeded-random.ts'
import { endlessStep, type Step, stepOf } from './step.ts'
import { Telling } from './telling.ts'
import { Unwinding } from './unwinding.ts'
import { Work } from './work.ts'

export interface RunOptions {
  readonly executionId: string
  readonly host: RunHost
  /** The author's code, with its input and its context. */
  readonly code: (run: Run) => unknown
  /** When it first began, where nothing is recorded that says so. */
  readonly startedAt: number
  /** From then until its end, waits included; null for any time. */
  readonly timeoutMs: number | null
  /** From when its timeout counts, where that is not when it first began. */
  readonly timeoutFrom?: number | undefined
  /** Its history; none for one that begins for the first time. */
  readonly entries: readonly HistoryEntry[]
  /** What its chance begins from. Default: its id. One whose history was copied has that of the other. */
  readonly seed?: string | undefined
}

/**
 * A durable execution in memory: the author's code, and what it waits for. Each call takes a number when it is made; each settlement takes a place in an order, is
 * recorded, and is then given to the code.
 */
export class Run {
  readonly executionId: string
  readonly host: RunHost
  /** How often it has begun anew with another input. */
  readonly generation: number
  /** By its own time. */
  readonly startedAt: number
  readonly inbox = new Inbox()
  readonly calls = new Calls()
  readonly random: SeededRandom
  readonly telling: Telling
  readonly gate: Gate
  readonly work: Work
  readonly unwinding: Unwinding
  readonly ledger: Ledger
  readonly #options: RunOptions
  readonly #patches: Patches
  #sequence = 0
  #now: number
  /** Whether nothing was settled in it yet, nor recorded. */
  #isFresh: boolean
  #news: Promise<void> | null = null

  constructor(options: RunOptions) {
    const { entries, executionId, host, startedAt } = options
    this.#options = options
    this.executionId = executionId
    this.host = host
    this.generation = entries.find(({ kind }) => kind === 'input')?.attempt ?? 0
    // Time only grows in a run: of what it has called, the first is dated with its beginning.
    this.startedAt = entries.reduce((first, entry) => Math.min(first, entry.startedAt), startedAt)
    this.#now = this.startedAt
    this.#isFresh = entries.length === 0
    const seed = options.seed ?? executionId
    this.random = new SeededRandom(this.generation === 0 ? seed : `${seed}:${this.generation}`)
    this.telling = new Telling(host)
    this.gate = new Gate(host, entries.length > 0)
    this.work = new Work(() => this.ledger.turn())
    this.unwinding = new Unwinding(this)
    this.ledger = new Ledger({
      host,
      entries,
      work: this.work,
      sequence: () => this.#sequence,
      isPending: (sequence) => this.calls.isPending(sequence),
      apply: (entry) => this.#apply(entry),
      onLive: () => this.gate.open(),
      onRest: () => this.#rest(),
      isUnwinding: () => this.unwinding.isUnwinding,
      onDiverged: (divergence) => this.stop({ kind: 'diverged', divergence }),
      onLost: () => this.stop({ kind: 'lost' }),
    })
    this.#patches = new Patches(this.ledger, entries)
  }

  /** The run's own time: when it began, or when the last thing was settled. */
  get now(): number {
    return this.#now
  }

  /** How many calls the code has made. */
  get sequence(): number {
    return this.#sequence
  }

  get isReplaying(): boolean {
    return this.gate.phase === 'replaying'
  }

  get isOver(): boolean {
    return this.gate.phase === 'over'
  }

  // What the context does.

  /** Makes a call: it has its number from here on. */
  call(plan: CallPlan): Step {
    if (!this.mayCall(plan.verb)) return endlessStep()
    const refused = this.unwinding.refuse(plan.verb)
    if (refused) return refused
    this.#sequence += 1
    const sequence = this.#sequence
    const { replay } = this.ledger
    const recorded = replay?.entryOf(sequence) ?? null
    const call = new Call({ plan, sequence, recorded, startedAt: this.#isFresh ? this.#now : this.time() })
    const divergence = replay?.differenceOf(sequence, plan) ?? null
    if (divergence) {
      this.stop({ kind: 'diverged', divergence })
      return call.step
    }
    this.calls.add(call)
    call.called()
    if (recorded === null || recorded.position === null) this.gate.whenLive(() => call.begin())
    this.ledger.turn()
    return call.step
  }

  /** Two calls, of which the second depends on the first, as one step for the author. */
  callBoth<First>(first: Step<First>, second: (value: First) => Step, called: CalledAs): Step {
    const sequence = this.#sequence
    const step = stepOf(first.then(second))
    this.calls.watch({ ...called, sequence, step })
    return step
  }

  /** Leaves the code where it is, and asks for a new beginning. */
  continueAs(input: string | null): Step {
    if (!this.mayCall('continueAs')) return endlessStep()
    return this.unwinding.refuse('continueAs') ?? this.unwinding.continueAs(input)
  }

  /** Whether this run takes the path of changed code. */
  patched(id: string): boolean {
    return this.mayCall('patched') && this.#patches.isTaken(id, this.#sequence, this.#now)
  }

  /** Whether a call can still mean anything; throws where it must not be made. */
  mayCall(verb: string): boolean {
    const activity = insideActivity(this)
    if (activity === undefined) return !this.isOver
    const where = `inside activity "${activity}": what an activity does is recorded as one. Call it from the job`
    throw new MisplacedCallError(`ctx.${verb}`, where)
  }

  // What the node does.

  begin(): void {
    const { code, timeoutMs, timeoutFrom = this.startedAt } = this.#options
    if (timeoutMs !== null) this.unwinding.expireAt(timeoutFrom + timeoutMs, timeoutMs)
    this.unwinding.follow(Promise.resolve().then(() => code(this)))
    if (!this.isReplaying) this.gate.open()
    this.ledger.turn()
  }

  /** What has come for it. */
  hear({ signals, children, cancellation }: News): void {
    if (this.isOver) return
    this.#news ??= Promise.resolve()
    this.gate.hear(() => {
      this.inbox.addSignals(signals)
      this.inbox.addEnds(children)
      if (cancellation) this.unwinding.cancel(encodeValue(cancellation.reason, 'Reason'))
    })
  }

  /** It leaves its slot: until it is back it begins nothing. */
  goAway(): void {
    this.gate.goAway()
  }

  comeBack(): void {
    if (this.gate.phase !== 'away') return
    this.gate.open()
    this.ledger.turn()
  }

  /** Begins nothing more; stops as soon as nothing is under way. */
  suspend(): void {
    this.gate.suspend()
    if (this.isReplaying) this.stop({ kind: 'suspended' })
    else this.ledger.turn()
  }

  /** The node stops: activities under way are aborted, and their results still count. It leaves when none is left. */
  interrupt(reason: Error): void {
    if (this.isOver) return
    this.suspend()
    this.work.abort(reason)
  }

  /** It is somebody else's, or nobody's: whatever goes on is told to end, and nothing is recorded any more. */
  abandon(reason: Error): void {
    if (this.isOver) return
    this.#close()
    this.unwinding.abort(reason)
    this.work.abort(reason)
  }

  // What its own parts do.

  /** The store's time; but the time of a run never goes back. */
  time(): number {
    return Math.max(this.#now, this.host.now())
  }

  /** Settles a call: recorded first, then given to the code in its turn. `onEarly`: the store finds that it is not time yet. */
  settle(call: Call, settling: Settling, onEarly?: () => void): void {
    if (!this.maySettle(call)) return
    call.isSettled = true
    const settled = call.entry(settling)
    settled.endedAt = this.time()
    settled.calls = this.#sequence
    this.ledger.settle(
      settled,
      onEarly &&
        (() => {
          call.isSettled = false
          onEarly()
        }),
    )
  }

  /** How a call ends that was given up counts only until it is decided what is to be undone: a replay decides by what is recorded. */
  maySettle(call: Call): boolean {
    return !(this.isOver || call.isSettled || (call.isGivenUp && this.unwinding.isUndoing))
  }

  /** Records how far a call has come; nobody waits for that. */
  note(call: Call, change: Parameters<Call['entry']>[0]): void {
    if (!call.isSettled) this.ledger.putBeside(call.sequence, () => call.entry(change))
  }

  /** What was sent to it is read when it is first asked for. */
  needNews(): Promise<void> {
    this.#news ??= this.#askForNews()
    return this.#news
  }

  stop(stop: RunStop): void {
    if (this.isOver) return
    const isEnded = stop.kind === 'success' || stop.kind === 'failure' || stop.kind === 'continued'
    this.#close()
    // Code that has come to its end is not told that it was cancelled.
    if (!isEnded) this.unwinding.abort(new RunOverError(false))
    if (!this.work.isNone) this.work.abort(new RunOverError(isEnded))
    this.host.onStop(stop)
  }

  /** Something went wrong that is nobody's doing: whoever takes the run up next may fare better. */
  breakOff(message: string, fields: Readonly<Record<string, unknown>>): void {
    if (this.isOver) return
    this.host.logger.error(message, fields)
    this.stop({ kind: 'suspended' })
  }

  #close(): void {
    this.gate.close()
    this.ledger.close()
    this.unwinding.close()
  }

  #apply(entry: HistoryEntry): void {
    this.#isFresh = false
    this.#now = Math.max(this.#now, entry.endedAt ?? 0)
    if (this.isReplaying) this.telling.replayed(entry)
    this.unwinding.notice(entry)
    this.calls.conclude(entry)
  }

  #rest(): void {
    if (this.ledger.isBusy) return
    this.unwinding.onRest()
    if (!this.work.isNone || this.gate.phase !== 'live' || this.ledger.flush()) return
    if (this.gate.isSuspending) this.stop({ kind: 'suspended' })
    else if (this.calls.hasPending) this.host.onIdle(this.gate.nextDueAt)
  }

  async #askForNews(): Promise<void> {
    this.work.enter()
    try {
      await this.host.askForNews()
    } catch (error) {
      this.breakOff('What was sent to a run could not be read', { error })
    } finally {
      this.work.leave()
    }
  }
}
