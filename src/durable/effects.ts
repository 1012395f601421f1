import type { CancelTimer } from '../clock.ts'
import type { NewEntry } from '../job/activity/history.ts'
import type { Call, Calls, EntryDraft, Settling } from './call.ts'
import type { RunHost, RunStop } from './host.ts'
import type { Completion, Journal } from './journal.ts'
import { Waits } from './waits.ts'

/** Work in flight that can be told to stop. */
interface Abortable {
  abort(reason: Error): void
}

/** Where the run is. Only a live run starts anything. */
export type Phase = 'replaying' | 'live' | 'away' | 'over'

/** The state machine, as far as its effects depend on it. */
interface Machine {
  readonly phase: Phase
  readonly isOver: boolean
  readonly isSuspending: boolean
  /** It is decided what to undo. */
  readonly isUndoing: boolean
  /** The number of calls that the code has made. */
  readonly sequence: number
  time(): number
  /** Performs the next action of the run. */
  onTurn(): void
  stop(stop: RunStop): void
}

/** Notes without another record are recorded after so long. */
const NOTES_MS = 200

/**
 * The effects of a run and of its calls: what they start, wait for, record and have in flight. They decide nothing: an answer of the host goes into the journal, and the
 * run acts, in the next turn of the event loop, or at once if this turn has delivered nothing.
 */
export class Effects {
  readonly #host: RunHost
  readonly #run: Machine
  readonly #journal: Journal
  readonly #calls: Calls
  readonly #waits: Waits
  readonly #abortables = new Set<Abortable>()
  readonly #timers = new Map<string, CancelTimer>()
  /** Starts that wait until the run is live. */
  #held: (() => void)[] = []
  #inFlight = 0
  #isTurnScheduled = false
  #isHearing = false
  #news: Promise<void> | null = null
  #onQuiet: (() => void) | null = null

  constructor(host: RunHost, run: Machine, journal: Journal, calls: Calls) {
    this.#host = host
    this.#run = run
    this.#journal = journal
    this.#calls = calls
    this.#waits = new Waits(host)
  }

  // Turns.

  /** Lets the run act after everything that follows from its last action. */
  scheduleTurn(): void {
    if (this.#isTurnScheduled || this.#run.isOver) return
    this.#isTurnScheduled = true
    this.#host.nextTurn(this.#onTurn)
  }

  readonly #onTurn = (): void => {
    this.#isTurnScheduled = false
    if (!this.#run.isOver) this.#run.onTurn()
  }

  // Starts and waits.

  /** Calls `begin` as soon as the run is live; usually at once. */
  whenLive(begin: () => void): void {
    const { phase, isSuspending } = this.#run
    if (phase === 'live' && !isSuspending) begin()
    else if (phase !== 'over') {
      this.#held.push(begin)
      // A node that passes news is about to bring the run back.
      if (phase === 'away' && !this.#isHearing) this.#host.onRestless()
    }
  }

  /** Fires at an instant of the store's clock, or as soon as the run is live after it. Returns a function that removes the wait. */
  wait(dueAt: number, fire: () => void): () => void {
    return this.#waits.add(dueAt, () => this.whenLive(fire))
  }

  get nextDueAt(): number | null {
    return this.#waits.nextDueAt
  }

  /** The run is live: starts what was held. */
  release(): void {
    const held = this.#held
    this.#held = []
    for (const begin of held) this.whenLive(begin)
    // A start may have ended the run.
    if (this.#run.phase === 'live') this.#waits.turnOn()
  }

  /** The run is away: its instants pass unnoticed. */
  hold(): void {
    this.#waits.turnOff()
  }

  /** The node passes news. */
  hear(take: () => void): void {
    this.#news ??= Promise.resolve()
    this.#isHearing = true
    try {
      take()
    } finally {
      this.#isHearing = false
    }
  }

  /** Reads the news when the code first waits for some. */
  needNews(): Promise<void> {
    this.#news ??= this.#askForNews()
    return this.#news
  }

  // Work in flight.

  /** The run must not leave while anything is in flight. */
  get isBusy(): boolean {
    return this.#inFlight > 0
  }

  /** The run does not leave before `leave`. Work that is passed is aborted when the run ends. */
  enter(work?: Abortable): void {
    this.#inFlight += 1
    if (work) this.#abortables.add(work)
  }

  leave(work?: Abortable): void {
    this.#inFlight -= 1
    if (work) this.#abortables.delete(work)
    if (this.#inFlight === 0) this.scheduleTurn()
  }

  abort(reason: Error): void {
    for (const work of this.#abortables) work.abort(reason)
  }

  /**
   * Resolves when nothing is in flight. After `limitMs` activities that do not stop are left alone, but records in flight are awaited: a replay decides by them.
   */
  untilQuiet(limitMs: number, onLimit: () => void): Promise<void> {
    // One turn in any case, so that everything that follows from the end of the code has happened, here as in a replay.
    if (this.#journal.replay || (!this.isBusy && !this.#journal.next)) {
      return new Promise((resolve) => this.#host.nextTurn(resolve))
    }
    this.startTimer('unwind', limitMs, () => {
      onLimit()
      this.scheduleTurn()
    })
    return new Promise((resolve) => {
      this.#onQuiet = resolve
    })
  }

  get awaitsQuiet(): boolean {
    return this.#onQuiet !== null
  }

  endQuiet(): void {
    this.stopTimer('unwind')
    this.#onQuiet?.()
    this.#onQuiet = null
  }

  // Records.

  /** Once it is decided what to undo, a call that was given up does not complete: a replay decides by the recorded entries. */
  maySettle(call: Call): boolean {
    return !(this.#run.isOver || call.isSettled || (call.isGivenUp && this.#run.isUndoing))
  }

  /** Completes a call. `onEarly`: the store finds that a timer is not due yet. */
  settle(call: Call, settling: Settling, onEarly?: () => void): void {
    if (this.maySettle(call)) this.#record(this.place(call, settling), call, onEarly)
  }

  /** Gives the completion of a call its position. The caller records its entries and then confirms or withdraws it. */
  place(call: Call, settling: Settling): Completion {
    call.isSettled = true
    const entry = call.entry(settling)
    entry.endedAt = this.#run.time()
    entry.calls = this.#run.sequence
    return this.#journal.place(entry)
  }

  /** Records a completion that belongs to no call. */
  recordEntry(entry: EntryDraft, onEarly: () => void): void {
    this.#record(this.#journal.place(entry), null, onEarly)
  }

  confirm(completion: Completion): void {
    completion.isRecorded = true
    if (!this.#isTurnScheduled) this.#onTurn()
  }

  withdraw(completion: Completion, call: Call | null): void {
    this.#journal.withdraw(completion, (sequence) => this.#calls.isPending(sequence))
    if (call) call.isSettled = false
    this.scheduleTurn()
  }

  /** Notes the progress of a call. Most notes are replaced before `change` is needed. */
  note(call: Call, change: () => Partial<NewEntry>): void {
    if (call.isSettled || this.#run.isOver) return
    this.#journal.note(call.sequence, () => call.entry(change()))
    this.scheduleTurn()
  }

  /** The notes, for a record that a call makes itself. */
  takeNotes(sequence: number): readonly NewEntry[] {
    return this.#journal.takeNotes(sequence)
  }

  recordNotes(): void {
    if (this.#journal.hasNotes) this.#send(this.#journal.takeNotes(), undefined, () => {})
  }

  recordNotesSoon(): void {
    if (this.#journal.hasNotes) this.startTimer('notes', NOTES_MS, () => this.recordNotes())
  }

  /** Removes a signal from the inbox of the store. */
  discard(signalId: number, onDone: () => void): void {
    this.#send([], [signalId], onDone)
  }

  /** Stops the run after a failure that is not its fault: the next node to take it up may succeed. */
  breakOff(message: string, fields: Readonly<Record<string, unknown>>): void {
    if (this.#run.isOver) return
    this.#host.logger.error(message, fields)
    this.#run.stop({ kind: 'suspended' })
  }

  /** Starts the timer of a name unless it runs. */
  startTimer(name: string, delayMs: number, fire: () => void): void {
    if (this.#timers.has(name)) return
    const stop = this.#host.after(delayMs, () => {
      this.#timers.delete(name)
      fire()
    })
    this.#timers.set(name, stop)
  }

  stopTimer(name: string): void {
    this.#timers.get(name)?.()
    this.#timers.delete(name)
  }

  close(): void {
    this.#held = []
    this.#waits.clear()
    for (const name of this.#timers.keys()) this.stopTimer(name)
  }

  async #askForNews(): Promise<void> {
    this.enter()
    try {
      await this.#host.askForNews()
    } catch (error) {
      this.breakOff('What was sent to a run could not be read', { error })
    } finally {
      this.leave()
    }
  }

  #record(completion: Completion, call: Call | null, onEarly?: () => void): void {
    this.#send(completion.entries, undefined, (isEarly) => {
      if (!isEarly) return this.confirm(completion)
      this.withdraw(completion, call)
      onEarly?.()
    })
  }

  #send(
    entries: readonly NewEntry[],
    discards: readonly number[] | undefined,
    onRecorded: (isEarly: boolean) => void,
  ): void {
    this.enter()
    this.#host.record(entries, discards).then(
      (answer) => {
        if (answer === 'refused') this.#run.stop({ kind: 'lost' })
        else if (!this.#run.isOver) onRecorded(answer === 'early')
        this.leave()
      },
      (error: unknown) => {
        this.#host.logger.error('What a run has come to could not be recorded', { error })
        this.#run.stop({ kind: 'lost' })
        this.leave()
      },
    )
  }
}
