import type { CalledAs, HistoryEntry, News } from '../job/history.ts'
import { insideActivity } from './activity-scope.ts'
import { Call, type CallPlan, type Settling } from './call.ts'
import { Calls } from './calls.ts'
import { encodeValue } from './codec.ts'
import { MisplacedCallError } from './errors.ts'
import type { RunHost, RunStop } from './host.ts'
import { Inbox } from './inbox.ts'
import { Ledger } from './ledger.ts'
import { SeededRandom } from './seeded-random.ts'
import { openStep, type Step } from './step.ts'
import { Unwinding } from './unwinding.ts'
import { Waits } from './waits.ts'

export interface RunOptions {
  readonly executionId: string
  readonly host: RunHost
  /** The author's code, with its input and its context. */
  readonly code: (run: Run) => unknown
  /** When it first began, where nothing is recorded that says so. */
  readonly startedAt: number
  /** From then until its end, waits included; null for any time. */
  readonly timeoutMs: number | null
  /** Its history; none for one that begins for the first time. */
  readonly entries: readonly HistoryEntry[]
}

/** Something that goes on on behalf of a run, and can be told to end. */
export interface UnderWay {
  abort(reason: Error): void
}

/** `replaying`: the code follows what is recorded, and nothing new is begun. `away`: it has left its slot, and begins nothing. */
type Phase = 'replaying' | 'live' | 'away' | 'over'

/**
 * A durable execution in memory: the author's code, and what it waits for. Each call takes a number when it is made; each settlement takes a place in an order, is
 * recorded, and is then given to the code.
 */
export class Run {
  readonly executionId: string
  readonly host: RunHost
  readonly inbox = new Inbox()
  readonly random: SeededRandom
  readonly ledger: Ledger
  readonly unwinding: Unwinding
  readonly #options: RunOptions
  readonly #waits: Waits
  readonly #calls = new Calls()
  /** How to stop what goes on on its behalf. */
  readonly #underWay = new Set<UnderWay>()
  /** Begun once the code has followed what is recorded, or the run is back. */
  #held: (() => void)[] = []
  #phase: Phase
  #sequence = 0
  #now: number
  /** Attempts, records and questions under way. */
  #active = 0
  #isSuspending = false
  #hasNews = false
  /** How it stopped, where that is for good. */
  #end: RunStop['kind'] | null = null

  constructor(options: RunOptions) {
    const { entries, executionId, host, startedAt } = options
    this.#options = options
    this.executionId = executionId
    this.host = host
    this.random = new SeededRandom(executionId)
    this.#waits = new Waits(host)
    this.unwinding = new Unwinding(this)
    this.ledger = new Ledger({
      host,
      entries,
      sequence: () => this.#sequence,
      apply: (entry) => this.#apply(entry),
      enter: () => this.enter(),
      leave: () => this.leave(),
      onLive: () => this.#goOn(),
      onRest: () => this.#rest(),
      onDiverged: (divergence) => this.stop({ kind: 'diverged', divergence }),
      onLost: () => this.stop({ kind: 'lost' }),
    })
    const { replay } = this.ledger
    this.#phase = replay ? 'replaying' : 'live'
    this.#now = replay?.startedAt ?? startedAt
  }

  /** The run's own time: when it began, or when the last thing was settled. */
  get now(): number {
    return this.#now
  }

  get sequence(): number {
    return this.#sequence
  }

  get isReplaying(): boolean {
    return this.#phase === 'replaying'
  }

  get isOver(): boolean {
    return this.#phase === 'over'
  }

  get isSuspending(): boolean {
    return this.#isSuspending
  }

  get isQuiet(): boolean {
    return this.#active === 0
  }

  begin(): void {
    const { code, timeoutMs } = this.#options
    if (timeoutMs !== null) this.unwinding.expireAt(this.#now + timeoutMs, timeoutMs)
    this.unwinding.follow(Promise.resolve().then(() => code(this)))
    if (this.#phase === 'live') this.#waits.turnOn()
    this.ledger.turn()
  }

  // What the context does.

  /** Makes a call: it has its number from here on. */
  call(plan: CallPlan): Step {
    if (!this.mayCall(`ctx.${plan.verb}`)) return openStep().step
    const refusal = this.unwinding.refusal
    if (refusal) {
      const { step, reject } = openStep()
      reject(refusal)
      return step
    }
    this.#sequence += 1
    const sequence = this.#sequence
    const { replay } = this.ledger
    const recorded = replay?.entryOf(sequence) ?? null
    const call = new Call({ plan, sequence, recorded, startedAt: this.#now })
    const divergence = replay?.differenceOf(sequence, plan) ?? null
    if (divergence) {
      this.stop({ kind: 'diverged', divergence })
      return call.step
    }
    this.#calls.add(call)
    call.called()
    if (recorded === null || recorded.position === null) {
      this.whenLive(() => {
        if (!call.isGivenUp) plan.begin(call)
      })
    }
    if (replay) this.ledger.turn()
    return call.step
  }

  /** Two calls, of which the second depends on the first, as one step for the author. */
  callBoth<First>(first: Step<First>, second: (value: First) => Step, called: CalledAs): Step {
    const { step, resolve, reject } = openStep()
    const fail = (error: unknown) => reject(error as Error)
    void first.then((value) => second(value).then(resolve, fail), fail)
    this.#calls.watch({ ...called, sequence: this.#sequence, step })
    return step
  }

  /** Settles a call: recorded first, then given to the code in its turn. */
  settle(call: Call, settling: Settling, onEarly?: () => void): void {
    if (this.isOver) return
    const endedAt = Math.max(this.#now, this.host.now())
    this.ledger.settle({ ...call.entry({ endedAt, ...settling }), calls: this.#sequence }, onEarly)
  }

  /** Does something as soon as the run is live: at once, as a rule. */
  whenLive(begin: () => void): void {
    if (this.#phase === 'live' && !this.#isSuspending) return begin()
    if (this.isOver) return
    this.#held.push(begin)
    if (this.#phase === 'away') this.host.onRestless()
  }

  /** Calls at an instant by the store's clock, also if the run is somewhere else until then. Returns how to call it off. */
  wait(dueAt: number, fire: () => void): () => void {
    return this.#waits.add(dueAt, () => this.whenLive(fire))
  }

  /** Something goes on that the run must not leave for; ends with `leave`. What is handed in is aborted when the run is to end. */
  enter(work?: UnderWay): void {
    this.#active += 1
    if (work) this.#underWay.add(work)
  }

  leave(work?: UnderWay): void {
    this.#active -= 1
    if (work) this.#underWay.delete(work)
    if (this.#active === 0) this.ledger.turn()
  }

  /** Leaves the code where it is, and asks for a new beginning. */
  continueAs(input: string | null): Step {
    const divergence = this.ledger.replay?.remainderAfter(this.#sequence) ?? null
    const stop: RunStop = divergence ? { kind: 'diverged', divergence } : { kind: 'continued', input }
    this.whenBack(() => this.stop(stop))
    return openStep().step
  }

  /** Does something at once, unless the run is somewhere else. */
  whenBack(begin: () => void): void {
    if (this.#phase === 'away') this.whenLive(begin)
    else begin()
  }

  /** What was sent to it is read when it is first asked for. */
  async needNews(): Promise<void> {
    if (this.#hasNews) return
    this.enter()
    try {
      await this.host.askForNews()
    } finally {
      this.leave()
    }
  }

  /** Whether a call can still mean anything; throws where it must not be made. */
  mayCall(called: string): boolean {
    const activity = insideActivity()
    if (activity !== undefined) {
      const where = `inside activity "${activity}": what an activity does is recorded as one. Call it from the job`
      throw new MisplacedCallError(called, where)
    }
    if (this.#end === 'success' || this.#end === 'failure') {
      throw new MisplacedCallError(called, 'after its run had ended: is an await missing?')
    }
    return !this.isOver
  }

  // What the node does.

  /** What has come for it. */
  hear({ signals, children, cancellation }: News): void {
    this.#hasNews = true
    this.inbox.addSignals(signals)
    this.inbox.addEnds(children)
    if (cancellation) this.whenLive(() => this.unwinding.cancel(encodeValue(cancellation.reason, 'Reason')))
  }

  /** It leaves its slot: until it is back it begins nothing. */
  goAway(): void {
    if (this.#phase !== 'live') return
    this.#phase = 'away'
    this.#waits.turnOff()
  }

  comeBack(): void {
    if (this.#phase !== 'away') return
    this.#goOn()
    this.ledger.turn()
  }

  /** Begins nothing more; stops as soon as nothing is under way. */
  suspend(): void {
    this.#isSuspending = true
    this.ledger.turn()
  }

  /** It is somebody else's, or nobody's: whatever goes on is told to end, and nothing is recorded any more. */
  abandon(reason: Error): void {
    if (this.isOver) return
    this.#phase = 'over'
    this.#waits.clear()
    this.#held = []
    this.ledger.close()
    this.unwinding.close(reason)
    this.abortUnderWay(reason)
  }

  // What its own parts do.

  abortUnderWay(reason: Error): void {
    for (const work of this.#underWay) work.abort(reason)
  }

  /** Calls that the code has made, and that are given up: with a reason, to whoever waits for them too. */
  giveUpPending(reason: Error | null): void {
    this.#held = []
    this.#calls.giveUp(reason)
  }

  get forgotten(): Calls['forgotten'] {
    return this.#calls.forgotten
  }

  stop(stop: RunStop): void {
    if (this.isOver) return
    this.#end = stop.kind
    this.abandon(new MisplacedCallError('This', 'by a run that has ended'))
    this.host.onStop(stop)
  }

  #apply(entry: HistoryEntry): void {
    this.#now = Math.max(this.#now, entry.endedAt ?? 0)
    if (this.isReplaying) this.#tellReplayed(entry)
    this.unwinding.notice(entry)
    this.#calls.conclude(entry)
  }

  #goOn(): void {
    this.#phase = 'live'
    const held = this.#held
    this.#held = []
    for (const begin of held) this.whenLive(begin)
    this.#waits.turnOn()
  }

  #rest(): void {
    if (!this.isQuiet || this.ledger.isBusy) return
    this.unwinding.onQuiet()
    if (this.#isSuspending) return this.stop({ kind: 'suspended' })
    if (this.#phase !== 'live' || !this.#calls.hasPending || this.ledger.flush()) return
    this.host.onIdle(this.#waits.nextDueAt)
  }

  #tellReplayed({ kind, sequence, name, attempt }: HistoryEntry): void {
    if (kind !== 'activity' && kind !== 'compensation' && kind !== 'transaction') return
    this.host.logger.debug('Activity replayed', { activity: name, sequence })
    if (this.host.hears('activity.replayed')) this.host.tell('activity.replayed', { sequence, activity: name, attempt })
  }
}
