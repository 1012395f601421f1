import type { CancelTimer } from '../clock.ts'
import type { Divergence, HistoryEntry, NewEntry } from '../job/history.ts'
import type { RunHost } from './host.ts'
import { mismatch, Replay } from './replay.ts'

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
  /** How many calls the code has made. */
  sequence(): number
  /** Gives an entry to the code. */
  apply(entry: HistoryEntry): void
  /** Something is under way, or not any more, on behalf of the run. */
  enter(): void
  leave(): void
  /** The code has followed all that is recorded. */
  onLive(): void
  /** There is nothing to be given to the code, and all of it that could run has run. */
  onRest(): void
  onDiverged(divergence: Divergence): void
  onLost(): void
}

/** Code that neither calls nor ends may be about to: it is given so long before its history counts as not fitting. */
const STANDSTILL_MS = 2_000
/** What nobody waits for is recorded with the next thing somebody does, or after so long. */
const BESIDE_MS = 200

/** What is recorded of a run, in the order in which the code is given it: one thing in each turn of the event loop, in a replay as in the first run. */
export class Ledger {
  readonly #options: LedgerOptions
  /** In the order of their places. */
  readonly #places: Placed[] = []
  /** By the place of the call. */
  readonly #beside = new Map<number, NewEntry>()
  readonly #patched = new Map<string, boolean>()
  #replay: Replay | null
  #position: number
  #hasTurnAhead = false
  #isClosed = false
  #stopStandstill: CancelTimer | null = null
  #stopBeside: CancelTimer | null = null

  constructor(options: LedgerOptions) {
    this.#options = options
    this.#replay = options.entries.length > 0 ? new Replay(options.entries) : null
    this.#position = this.#replay?.lastPosition ?? 0
  }

  /** What the code has not followed yet; null once it has. */
  get replay(): Replay | null {
    return this.#replay
  }

  /** Settles something: it takes its place, is recorded, and is given to the code after all that took theirs before. */
  settle(settled: NewEntry, onEarly?: () => void): void {
    const placed = this.place(settled)
    void this.#record(placed.entries).then((answer) => {
      if (answer === 'recorded') this.confirm(placed)
      else if (answer === 'early') {
        this.withdraw(placed)
        onEarly?.()
      }
    })
  }

  /** Gives something its place; whoever records its entries then confirms or withdraws it. */
  place(settled: NewEntry): Placed {
    this.#position += 1
    this.#beside.delete(settled.sequence)
    const entry = { ...settled, position: this.#position }
    const beside = this.takeBeside()
    const placed: Placed = {
      entry,
      beside,
      entries: beside.length > 0 ? [...beside, entry] : [entry],
      isRecorded: false,
    }
    this.#places.push(placed)
    return placed
  }

  confirm(placed: Placed): void {
    placed.isRecorded = true
    // At once where nothing was given to the code in this turn.
    if (!this.#hasTurnAhead) this.#deliver()
  }

  /** Its place stays empty, and what was to be recorded beside it is recorded with something else. */
  withdraw(placed: Placed): void {
    this.#places.splice(this.#places.indexOf(placed), 1)
    for (const entry of placed.beside) if (!this.#beside.has(entry.sequence)) this.#beside.set(entry.sequence, entry)
    this.turn()
  }

  /** Records something that nobody waits for. A later word on the same call takes its place. */
  putBeside(entry: NewEntry): void {
    if (this.#isClosed) return
    this.#beside.set(entry.sequence, entry)
    this.#stopBeside ??= this.#options.host.after(BESIDE_MS, () => {
      this.#stopBeside = null
      this.flush()
    })
  }

  /** What stands beside, for whoever records something of this run. */
  takeBeside(): NewEntry[] {
    if (this.#beside.size === 0) return []
    const beside = [...this.#beside.values()]
    this.#beside.clear()
    return beside
  }

  /** Records what stands beside. False where there is nothing. */
  flush(): boolean {
    if (this.#beside.size === 0 || this.#isClosed) return false
    void this.#record(this.takeBeside())
    return true
  }

  /** Whether something is on its way to the code. */
  get isBusy(): boolean {
    return this.#places.length > 0
  }

  /** Whether this run takes the path of changed code: decided when it first comes there. */
  patched(id: string): boolean {
    const known = this.#patched.get(id)
    if (known !== undefined) return known
    const isRecorded = this.#replay?.hasPatch(id) ?? false
    const isNew = !isRecorded && this.#options.sequence() >= (this.#replay?.lastSequence ?? 0)
    if (isNew) {
      const { host } = this.#options
      const at = host.now()
      this.#position += 1
      const place = { sequence: -2 - (this.#replay?.patchCount ?? 0) - this.#patched.size, position: this.#position }
      this.putBeside({ ...BARE, ...place, kind: 'patch', name: id, startedAt: at, endedAt: at })
    }
    this.#patched.set(id, isRecorded || isNew)
    return isRecorded || isNew
  }

  /** One turn later, when all that follows from the last thing has happened, the next one goes. */
  turn(): void {
    if (this.#hasTurnAhead || this.#isClosed) return
    this.#hasTurnAhead = true
    this.#options.host.nextTurn(() => {
      this.#hasTurnAhead = false
      if (this.#isClosed) return
      if (this.#replay) this.#follow(this.#replay)
      else if (this.#places[0]?.isRecorded) this.#deliver()
      else this.#options.onRest()
    })
  }

  close(): void {
    this.#isClosed = true
    this.#stopStandstill?.()
    this.#stopBeside?.()
  }

  #follow(replay: Replay): void {
    const { next } = replay
    if (!next) {
      this.#replay = null
      this.#options.onLive()
      return this.turn()
    }
    const calls = this.#options.sequence()
    if (next.sequence > calls || next.calls > calls) {
      this.#stopStandstill ??= this.#options.host.after(STANDSTILL_MS, () =>
        this.#options.onDiverged(mismatch(next.sequence, next, null)),
      )
      return
    }
    this.#stopStandstill?.()
    this.#stopStandstill = null
    replay.follow()
    this.#options.apply(next)
    this.turn()
  }

  #deliver(): void {
    const [head] = this.#places
    if (head?.isRecorded && !this.#isClosed) {
      this.#places.shift()
      this.#options.apply(head.entry)
    }
    this.turn()
  }

  async #record(entries: readonly NewEntry[]): Promise<'recorded' | 'early' | 'lost'> {
    this.#options.enter()
    try {
      const answer = await this.#options.host.record(entries)
      if (answer !== 'refused') return answer
      this.#lose()
    } catch (error) {
      this.#options.host.logger.error('What a run has come to could not be recorded', { error })
      this.#lose()
    } finally {
      this.#options.leave()
    }
    return 'lost'
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
