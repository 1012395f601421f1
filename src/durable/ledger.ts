import type { CancelTimer } from '../clock.ts'
import type { Divergence, HistoryEntry, NewEntry } from '../job/activity/history.ts'
import type { EntryDraft } from './call.ts'
import type { RunHost } from './host.ts'
import { Replay } from './replay.ts'
import type { Work } from './work.ts'

/** Something that is settled, and on its way to the code. */
export interface Placed {
  readonly entry: NewEntry
  readonly beside: readonly NewEntry[]
  /** All that is to be recorded with it. */
  readonly entries: readonly NewEntry[]
  isRecorded: boolean
}

export interface LedgerOptions {
  readonly host: RunHost
  readonly entries: readonly HistoryEntry[]
  readonly work: Work
  /** How many calls the code has made. */
  sequence(): number
  /** Whether the code still waits for how a call ends. */
  isPending(sequence: number): boolean
  /** Gives an entry to the code. */
  apply(entry: HistoryEntry): void
  /** The code has followed all that is recorded. */
  onLive(): void
  /** There is nothing to be given to the code, and all of it that could run has run. */
  onRest(): void
  /** Whether code that stands still has been told to end, and has time left to do so. */
  isUnwinding(): boolean
  onDiverged(divergence: Divergence): void
  onLost(): void
}

/** Code that neither calls nor ends may be about to: it is given so long before its history counts as not fitting. */
const STANDSTILL_MS = 10_000
/** What nobody waits for is recorded with the next thing somebody does, or after so long. */
const BESIDE_MS = 200

const NOTHING: readonly NewEntry[] = []

/** What is recorded of a run, in the order in which the code is given it: one thing in each turn of the event loop, in a replay as in the first run. */
export class Ledger {
  readonly #options: LedgerOptions
  readonly #host: RunHost
  /** In the order of their places. */
  readonly #places: Placed[] = []
  /** By the place of the call. */
  readonly #beside = new Map<number, () => NewEntry>()
  #replay: Replay | null
  #position: number
  #hasTurnAhead = false
  #isClosed = false
  #stopStandstill: CancelTimer | null = null
  #stopBeside: CancelTimer | null = null

  constructor(options: LedgerOptions) {
    const { host, entries } = options
    this.#options = options
    this.#host = host
    this.#replay = entries.length > 0 ? new Replay(entries) : null
    this.#position = entries.reduce((last, { position }) => Math.max(last, position ?? 0), 0)
  }

  /** What the code has not followed yet; null once it has. */
  get replay(): Replay | null {
    return this.#replay
  }

  /** Whether something is on its way to the code. */
  get isBusy(): boolean {
    return this.#places.length > 0
  }

  /** Settles something: it takes its place, is recorded, and is given to the code after all that took theirs before. */
  settle(settled: EntryDraft, onEarly?: () => void): void {
    if (this.#isClosed) return
    const placed = this.place(settled)
    this.#record(placed.entries, undefined, (isEarly) => {
      if (!isEarly) return this.confirm(placed)
      this.withdraw(placed)
      onEarly?.()
    })
  }

  /** Gives something its place; whoever records its entries then confirms or withdraws it. */
  place(entry: EntryDraft): Placed {
    this.#position += 1
    entry.position = this.#position
    const beside = this.takeBeside(entry.sequence)
    const entries = beside.length > 0 ? [...beside, entry] : [entry]
    const placed: Placed = { entry, beside, entries, isRecorded: false }
    this.#places.push(placed)
    return placed
  }

  confirm(placed: Placed): void {
    placed.isRecorded = true
    // At once where nothing was given to the code in this turn.
    if (!this.#hasTurnAhead) this.#deliver()
  }

  /** Its place stays empty, and what was to be recorded beside it is recorded with something else, unless it has been overtaken. */
  withdraw(placed: Placed): void {
    this.#places.splice(this.#places.indexOf(placed), 1)
    for (const entry of placed.beside) {
      if (!this.#isOvertaken(entry)) this.#beside.set(entry.sequence, () => entry)
    }
    this.turn()
  }

  /** Records something that nobody waits for. A later word on the same call takes its place: most are never made. */
  putBeside(sequence: number, entry: () => NewEntry): void {
    if (this.#isClosed) return
    this.#beside.set(sequence, entry)
    this.turn()
  }

  /** What stands beside, for whoever records something of this run; but for what is said of the very call that is recorded. */
  takeBeside(except: number): readonly NewEntry[] {
    if (this.#beside.size === 0) return NOTHING
    this.#beside.delete(except)
    if (this.#beside.size === 0) return NOTHING
    return this.#makeBeside()
  }

  /** Records what stands beside. False where there is nothing. */
  flush(): boolean {
    if (this.#beside.size === 0 || this.#isClosed || this.#replay) return false
    this.#record(this.#makeBeside(), undefined, () => {})
    return true
  }

  /** Takes a signal out of the inbox that fits nothing. */
  discard(signalId: number, onDone: () => void): void {
    this.#record(NOTHING, [signalId], onDone)
  }

  /** One turn later, when all that follows from the last thing has happened, the next one goes. */
  turn(): void {
    if (this.#hasTurnAhead || this.#isClosed) return
    this.#hasTurnAhead = true
    this.#host.nextTurn(this.#onTurn)
  }

  close(): void {
    this.#isClosed = true
    this.#stopStandstill?.()
    this.#stopBeside?.()
  }

  readonly #onTurn = (): void => {
    this.#hasTurnAhead = false
    if (this.#isClosed) return
    if (this.#replay) this.#follow(this.#replay)
    else if (this.#places[0]?.isRecorded) this.#deliver()
    else this.#rest()
  }

  #makeBeside(): NewEntry[] {
    const beside = [...this.#beside.values()].map((make) => make())
    this.#beside.clear()
    return beside
  }

  #follow(replay: Replay): void {
    const { next } = replay
    const expected = next ? Math.max(next.sequence, next.calls) : replay.lastSequence
    if (expected > this.#options.sequence()) {
      this.#standStill(replay)
      return
    }
    this.#stopStandstill?.()
    this.#stopStandstill = null
    if (next) {
      replay.follow()
      this.#options.apply(next)
    } else {
      this.#replay = null
      this.#options.onLive()
    }
    this.turn()
  }

  /** The code has not made all the calls that it had made by then. */
  #standStill(replay: Replay): void {
    this.#stopStandstill ??= this.#host.after(STANDSTILL_MS, () => {
      this.#stopStandstill = null
      if (this.#options.isUnwinding()) this.#standStill(replay)
      else this.#options.onDiverged(replay.standstillAt(this.#options.sequence()))
    })
  }

  #deliver(): void {
    const [head] = this.#places
    if (head?.isRecorded && !this.#isClosed) {
      this.#places.shift()
      this.#options.apply(head.entry)
    }
    this.turn()
  }

  #rest(): void {
    this.#options.onRest()
    if (this.#beside.size === 0 || this.#isClosed) return
    this.#stopBeside ??= this.#host.after(BESIDE_MS, () => {
      this.#stopBeside = null
      this.flush()
    })
  }

  /** Whether more is known, or on its way to the store, than an entry tells. */
  #isOvertaken({ sequence }: NewEntry): boolean {
    if (this.#beside.has(sequence)) return true
    if (sequence < 0) return false
    return !this.#options.isPending(sequence) || this.#places.some(({ entry }) => entry.sequence === sequence)
  }

  #record(
    entries: readonly NewEntry[],
    discards: readonly number[] | undefined,
    onAnswer: (isEarly: boolean) => void,
  ): void {
    const { work } = this.#options
    work.enter()
    this.#host.record(entries, discards).then(
      (answer) => {
        if (answer === 'refused') this.#lose()
        else if (!this.#isClosed) onAnswer(answer === 'early')
        work.leave()
      },
      (error: unknown) => {
        this.#host.logger.error('What a run has come to could not be recorded', { error })
        this.#lose()
        work.leave()
      },
    )
  }

  #lose(): void {
    if (!this.#isClosed) this.#options.onLost()
  }
}

/** An entry that tells nothing yet. */
export const BARE: Omit<NewEntry, 'kind' | 'name'> = Object.freeze({
  sequence: -1,
  status: 'COMPLETED',
  position: null,
  calls: 0,
  attempt: 0,
  input: null,
  output: null,
  error: null,
  details: null,
  childId: null,
  startedAt: 0,
  dueAt: null,
  endedAt: null,
})
