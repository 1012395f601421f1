import type { HistoryEntry, NewEntry, News } from '../job/activity/history.ts'
import { asCleanUp, insideCleanUp, requireOutsideActivity } from './activity-scope.ts'
import { Call, type CallPlan, Calls, endlessStep, OpenStep, type Step } from './call.ts'
import { encodeValue } from './codec.ts'
import { Effects, type Phase } from './effects.ts'
import { CleanUps, type CodeEnd, Ending } from './ending.ts'
import { errorOf, RunOverError } from './errors.ts'
import type { RunHost, RunOptions, RunStop } from './host.ts'
import { Inbox } from './inbox.ts'
import { BARE, Journal } from './journal.ts'
import { LazyAbort } from './lazy-abort.ts'
import { SeededRandom } from './seeded-random.ts'
import { atInstant } from './waits.ts'

/** Code, and activities in flight, may take so long to end after they were told to. */
const UNWIND_MS = 10_000
/** Code that makes fewer calls than recorded may compute for so long before its history counts as a mismatch. */
const STALL_MS = 10_000

/**
 * A durable run in memory: the state machine between the author's code and the store.
 *
 *   phase   replaying ──history followed──▶ live ◀──goAway, comeBack──▶ away        any ──stop, abandon──▶ over
 *           (a first run starts live)
 *
 *   stage   running ──termination delivered──▶ unwinding
 *              │                                   │ the code ends, makes 1,000 refused calls, or takes 10 s
 *              └───────── the code ends ───────────┴─▶ ended ──output, continueAs──▶ over
 *                                                        │ error, termination
 *                                                        └─▶ stopping ──quiet, or 10 s──▶ undoing ──▶ over
 *
 * A call takes its number synchronously. The replay delivers its completion if one is recorded; otherwise the call starts once the run is live, so code that does not
 * match its history has no effect. A completion takes three steps: it is given a position, recorded by the host, and delivered to the code. A turn of the event loop
 * delivers at most one, in the order of the positions, in the first run as in a replay, so everything that follows from a completion happens before the next one.
 * Code that waits holds a promise that never settles: a run leaves its slot, or the process, without anything thrown into the code. A termination (cancellation or timeout)
 * is a completion too; it is recorded before any call is given up, so a replay gives up the same calls.
 * Calls, answers of the host, news and requests of the node change the state and schedule a turn. The turn performs the one action that `#nextAction` decides from the
 * state. `Ending` holds the stage and decides how the run ends; `Journal` and `Calls` hold data; none of them has effects or calls back. Effects go to the `RunHost`.
 */
export class Run {
  readonly executionId: string
  readonly host: RunHost
  /** The number of `continueAs` before this input. */
  readonly generation: number
  /** By the time of the run. */
  readonly startedAt: number
  readonly random: SeededRandom
  readonly inbox = new Inbox()
  readonly cleanUps = new CleanUps()
  readonly calls = new Calls()
  readonly effects: Effects
  /** Aborts the code when the run is cancelled, or has exceeded its timeout. */
  readonly abort = new LazyAbort()
  readonly #options: RunOptions
  readonly #code: (run: Run) => unknown
  readonly #journal: Journal
  readonly #ending = new Ending()
  #phase: Phase
  #isSuspending = false
  /** Nothing is recorded or delivered yet. */
  #isFresh: boolean
  #sequence = 0
  #now: number

  constructor(options: RunOptions, code: (run: Run) => unknown) {
    this.#code = code
    const { entries, executionId, host, startedAt } = options
    this.#options = options
    this.executionId = executionId
    this.host = host
    this.generation = entries.find(({ kind }) => kind === 'input')?.attempt ?? 0
    // The time of a run never goes back, so the earliest of its entries is dated with its start.
    this.startedAt = entries.reduce((first, entry) => Math.min(first, entry.startedAt), startedAt)
    this.#now = this.startedAt
    this.#isFresh = entries.length === 0
    this.#phase = this.#isFresh ? 'live' : 'replaying'
    const seed = options.seed ?? executionId
    this.random = new SeededRandom(this.generation === 0 ? seed : `${seed}:${this.generation}`)
    this.#journal = new Journal(entries)
    this.effects = new Effects(host, this, this.#journal, this.calls)
  }

  /** The time of the run: its start, or its last completion. */
  get now(): number {
    return this.#now
  }

  /** The number of calls that the code has made. */
  get sequence(): number {
    return this.#sequence
  }

  get phase(): Phase {
    return this.#phase
  }

  get isOver(): boolean {
    return this.#phase === 'over'
  }

  get isSuspending(): boolean {
    return this.#isSuspending
  }

  get isUndoing(): boolean {
    return this.#ending.isUndoing
  }

  // The author's code.

  call(plan: CallPlan): Step {
    const refused = this.#refuse(plan.verb)
    if (refused) return refused
    this.#sequence += 1
    const sequence = this.#sequence
    const { replay } = this.#journal
    const recorded = replay?.entryOf(sequence) ?? null
    const call = new Call({ plan, sequence, recorded, startedAt: this.#isFresh ? this.#now : this.time() })
    const divergence = replay?.differenceOf(sequence, plan) ?? null
    if (divergence) {
      this.stop({ kind: 'diverged', divergence })
      return call.step
    }
    this.calls.add(call)
    call.called()
    if (recorded === null || recorded.position === null) this.effects.whenLive(() => call.begin())
    this.effects.scheduleTurn()
    return call.step
  }

  /** Ends the code where it is; the run starts again with another input. */
  continueAs(input: string | null): Step {
    const refused = this.#refuse('continueAs')
    if (!refused) this.#codeEnded({ kind: 'continued', input })
    return refused ?? endlessStep()
  }

  /** Decides whether the run takes the path of changed code. */
  patched(id: string): boolean {
    if (!this.mayCall('patched')) return false
    const isTaken = this.#journal.isPatched(id, this.#sequence, this.#now)
    if (this.#journal.hasNotes) this.effects.scheduleTurn()
    return isTaken
  }

  /** False if a call has no effect because the run is over; throws inside an activity. */
  mayCall(verb: string): boolean {
    requireOutsideActivity(this, verb)
    return !this.isOver
  }

  // The node.

  begin(): void {
    const { timeoutMs, timeoutFrom = this.startedAt } = this.#options
    if (timeoutMs !== null) this.#expireAt(timeoutFrom + timeoutMs, timeoutMs)
    Promise.resolve()
      .then(() => this.#code(this))
      .then(
        (value) => this.#codeEnded({ kind: 'value', value }),
        (error: unknown) => this.#codeEnded({ kind: 'error', error: errorOf(error) }),
      )
    if (this.#phase === 'live') this.#goLive()
    this.effects.scheduleTurn()
  }

  /** Takes signals, ended children and a cancellation that the store has for the run. */
  hear({ signals, children, cancellation }: News): void {
    if (this.isOver) return
    this.effects.hear(() => {
      this.inbox.addSignals(signals)
      this.inbox.addEnds(children)
      const output = encodeValue(cancellation?.reason, 'Reason')
      if (!cancellation || !this.#ending.requestCancel(output)) return
      this.effects.whenLive(() => this.#placeTermination({ name: 'cancel', output }))
    })
  }

  /** Leaves the slot and stays in memory: the run starts nothing until it is back. */
  goAway(): void {
    if (this.#phase !== 'live') return
    this.#phase = 'away'
    this.effects.hold()
  }

  comeBack(): void {
    if (this.#phase !== 'away') return
    this.#goLive()
    this.effects.scheduleTurn()
  }

  /** Starts nothing more; stops as soon as nothing is in flight. */
  suspend(): void {
    this.#isSuspending = true
    if (this.#phase === 'replaying') this.stop({ kind: 'suspended' })
    else this.effects.scheduleTurn()
  }

  /** The node stops: activities in flight are aborted, and their results still count. */
  interrupt(reason: Error): void {
    if (this.isOver) return
    this.suspend()
    this.effects.abort(reason)
  }

  /** The node has lost the run: work in flight is aborted, and nothing more is recorded. */
  abandon(reason: Error): void {
    if (this.isOver) return
    this.#close()
    this.abort.abort(reason)
    this.effects.abort(reason)
  }

  /** The store's time, but never before the time of the run. */
  time(): number {
    return Math.max(this.#now, this.host.now())
  }

  stop(stop: RunStop): void {
    if (this.isOver) return
    const hasEnded = stop.kind === 'success' || stop.kind === 'failure' || stop.kind === 'continued'
    this.#close()
    // Code that has ended does not see an abort.
    if (!hasEnded) this.abort.abort(new RunOverError(false))
    if (this.effects.isBusy) this.effects.abort(new RunOverError(hasEnded))
    this.host.onStop(stop)
  }

  // Turns and transitions.

  #nextAction() {
    const { replay, next, hasNotes } = this.#journal
    if (replay) {
      if (replay.expectedCalls > this.#sequence) return 'stall'
      return replay.next ? 'replay' : 'goLive'
    }
    if (next) return next.isRecorded ? 'deliver' : 'wait'
    const { isBusy, awaitsQuiet } = this.effects
    if (awaitsQuiet && (!isBusy || this.isUndoing)) return 'undo'
    if (isBusy || this.#phase !== 'live') return 'wait'
    if (hasNotes) return 'recordNotes'
    if (this.#isSuspending) return 'suspend'
    return this.calls.hasPending ? 'idle' : 'wait'
  }

  onTurn(): void {
    const { effects } = this
    const action = this.#nextAction()
    if (action === 'stall') effects.startTimer('stall', STALL_MS, () => this.#stalled())
    else if (action === 'replay' || action === 'goLive') effects.stopTimer('stall')
    if (action === 'replay') this.#deliver(this.#journal.replay?.advance())
    else if (action === 'deliver') this.#deliver(this.#journal.takeRecorded())
    else if (action === 'goLive') this.#endReplay()
    else if (action === 'undo') this.#startUndoing()
    else if (action === 'recordNotes') effects.recordNotes()
    else if (action === 'suspend') this.stop({ kind: 'suspended' })
    else if (action === 'idle') this.host.onIdle(effects.nextDueAt)
    else effects.recordNotesSoon()
  }

  #endReplay(): void {
    this.#journal.endReplay()
    this.#goLive()
    this.effects.scheduleTurn()
  }

  /** The same turn continues with its next action. */
  #startUndoing(): void {
    this.effects.endQuiet()
    this.onTurn()
  }

  /** Gives a completion to the code. */
  #deliver(entry: HistoryEntry | undefined): void {
    if (!entry) return
    this.#isFresh = false
    this.#now = Math.max(this.#now, entry.endedAt ?? 0)
    if (this.#phase === 'replaying') this.#emitReplayed(entry)
    if (entry.kind === 'cancellation') this.#terminate(entry)
    else this.cleanUps.notice(entry)
    this.calls.conclude(entry)
    this.effects.scheduleTurn()
  }

  #emitReplayed({ kind, sequence, name, attempt }: HistoryEntry): void {
    if (kind !== 'activity' && kind !== 'compensation' && kind !== 'transaction') return
    this.host.tell('activity.replayed', { sequence, activity: name, attempt })
  }

  #stalled(): void {
    const { replay } = this.#journal
    // Code that was told to end has the time of its unwinding.
    if (this.#ending.isUnwinding) this.onTurn()
    else if (replay) this.stop({ kind: 'diverged', divergence: replay.standstillAt(this.#sequence) })
  }

  #goLive(): void {
    this.#phase = 'live'
    this.effects.release()
  }

  #close(): void {
    this.#phase = 'over'
    this.effects.close()
  }

  // The end.

  /** The step of a call that is not accepted; null if it is. */
  #refuse(verb: string): Step | null {
    if (!this.mayCall(verb)) return endlessStep()
    if (this.#ending.hasEnded) {
      if (insideCleanUp(this)) return null
      // It does not throw: no code handles the error, and an unhandled rejection would end the process.
      this.host.logger.error('A durable job made a call after it had ended: is an await missing?', { call: verb })
      return endlessStep()
    }
    const error = this.#ending.refusal
    if (!error) return null
    if (!this.#ending.countRefusal()) {
      this.#codeEnded({ kind: 'error', error })
      return endlessStep()
    }
    // In the next turn: code that catches every error and tries again must not block the event loop.
    const open = new OpenStep()
    this.host.nextTurn(() => open.reject(error))
    return open.step
  }

  #expireAt(dueAt: number, timeoutMs: number): void {
    const output = encodeValue(timeoutMs, 'Timeout')
    atInstant(this, dueAt, (onEarly) =>
      this.#placeTermination({ name: 'timeout', output, dueAt, isTimer: true }, onEarly),
    )
  }

  #placeTermination(how: Pick<NewEntry, 'name' | 'output'> & Partial<NewEntry>, onEarly?: () => void): void {
    if (this.isOver || !this.#ending.placeTermination()) return
    const times = { startedAt: this.startedAt, endedAt: this.time(), calls: this.#sequence }
    this.effects.recordEntry({ ...BARE, kind: 'cancellation', ...how, ...times }, () => {
      this.#ending.withdrawTermination()
      onEarly?.()
      this.#conclude()
    })
  }

  #terminate(entry: HistoryEntry): void {
    const error = this.#ending.terminate(entry)
    this.abort.abort(error)
    if (this.#ending.isUnwinding) {
      this.effects.abort(error)
      this.calls.giveUp(error)
      this.effects.startTimer('unwind', UNWIND_MS, () => this.#codeEnded({ kind: 'error', error }))
    } else this.#conclude()
  }

  #codeEnded(end: CodeEnd): void {
    const conclude = () => {
      if (this.isOver || !this.#ending.endCode(end)) return
      this.effects.stopTimer('unwind')
      this.#conclude()
    }
    if (this.#phase === 'away') this.effects.whenLive(conclude)
    else conclude()
  }

  #conclude(): void {
    if (this.isOver) return
    const { replay } = this.#journal
    const conclusion = this.#ending.conclude({ replay, calls: this.#sequence, forgotten: this.calls.forgotten })
    if (conclusion?.kind === 'undo') void this.#undo(conclusion.reason)
    else if (conclusion) this.stop(conclusion)
  }

  async #undo(reason: Error): Promise<void> {
    try {
      this.effects.abort(reason)
      this.calls.giveUp(null)
      await this.effects.untilQuiet(UNWIND_MS, () => this.#ending.startUndoing())
      if (this.isOver) return
      this.#ending.startUndoing()
      const isOver = () => this.isOver
      const { replay } = this.#journal
      const { isCancelled } = this.#ending
      const failures = await asCleanUp(this, () => this.cleanUps.perform({ replay, isCancelled, isOver }))
      if (this.isOver) return
      const divergence = this.#journal.replay?.remainderAfter(this.#sequence)
      if (divergence) return this.stop({ kind: 'diverged', divergence })
      this.effects.whenLive(() => this.stop(this.#ending.failureOf(reason, failures)))
    } catch (error) {
      this.effects.breakOff('A run could not be brought to its end', { error })
    }
  }
}
