import type { CancelTimer } from '../clock.ts'
import type { CalledAs, HistoryEntry, NewEntry } from '../job/history.ts'
import { CleanUps } from './clean-ups.ts'
import { decodeValue, encodeValue } from './codec.ts'
import { CancelledError, CompensationFailedError, ForgottenAwaitError, RunTimeoutError } from './errors.ts'
import type { RunHost, RunStop } from './host.ts'
import { BARE, type Ledger } from './ledger.ts'

/** How a run is to end that was cancelled, or ran out of time. */
interface Doom {
  readonly status: 'CANCELLED' | 'TIMEOUT'
  readonly error: Error
}

/** A run, as far as its end is concerned. */
interface Ending {
  readonly host: RunHost
  readonly ledger: Ledger
  readonly now: number
  readonly sequence: number
  readonly isOver: boolean
  readonly isQuiet: boolean
  /** Calls whose result nobody ever looked at. */
  readonly forgotten: readonly (CalledAs & { readonly sequence: number })[]
  wait(dueAt: number, fire: () => void): () => void
  whenBack(begin: () => void): void
  abortUnderWay(reason: Error): void
  giveUpPending(reason: Error | null): void
  stop(stop: RunStop): void
}

/** How long code, and what goes on for it, may take to end after it was told to. */
const UNWIND_MS = 10_000

/** How a run comes to its end: by its code, by cancellation, by its timeout; and what is undone then. */
export class Unwinding {
  readonly cleanUps = new CleanUps()
  readonly #run: Ending
  readonly #abort = new AbortController()
  #doom: Doom | null = null
  #isDoomRecorded = false
  #hasCodeEnded = false
  #isCleaning = false
  #whenQuiet: (() => void) | null = null
  #stopTimer: CancelTimer = () => {}

  constructor(run: Ending) {
    this.#run = run
  }

  /** Aborted when the run is cancelled, or has run out of time. */
  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** Why no call is taken now; null where one is. */
  get refusal(): Error | null {
    return this.#isCleaning ? null : (this.#doom?.error ?? null)
  }

  follow(code: Promise<unknown>): void {
    code.then(
      (value) => this.#codeEnded(null, value),
      (error: unknown) => this.#codeEnded(errorOf(error), undefined),
    )
  }

  expireAt(dueAt: number, timeoutMs: number): void {
    const output = encodeValue(timeoutMs, 'Timeout')
    this.#run.wait(dueAt, () => this.#record({ name: 'timeout', output, dueAt, isTimer: true }))
  }

  cancel(reason: string | null): void {
    this.#record({ name: 'cancel', output: reason })
  }

  /** Takes note of what is given to the code, now or again. */
  notice(entry: HistoryEntry): void {
    if (entry.kind === 'cancellation') this.#unwind(entry)
    else this.cleanUps.notice(entry)
  }

  onQuiet(): void {
    this.#whenQuiet?.()
    this.#whenQuiet = null
  }

  close(reason: Error): void {
    this.#stopTimer()
    this.#abort.abort(reason)
    this.onQuiet()
  }

  /** That it is to end stands in its history before anything is given up, so that a replay gives up the same. */
  #record(how: Pick<NewEntry, 'name' | 'output'> & Partial<NewEntry>): void {
    const run = this.#run
    if (this.#isDoomRecorded || run.isOver) return
    this.#isDoomRecorded = true
    const at = Math.max(run.now, run.host.now())
    const entry = { ...BARE, kind: 'cancellation', ...how, startedAt: at, endedAt: at, calls: run.sequence } as const
    run.ledger.settle(entry, () => {
      this.#isDoomRecorded = false
      run.wait(at + 1, () => this.#record(how))
    })
  }

  #unwind({ name, output }: HistoryEntry): void {
    this.#isDoomRecorded = true
    const value = decodeValue(output)
    const doom: Doom =
      name === 'timeout'
        ? { status: 'TIMEOUT', error: new RunTimeoutError(Number(value)) }
        : { status: 'CANCELLED', error: new CancelledError(typeof value === 'string' ? value : null) }
    this.#doom = doom
    // What was begun to undo a failure is brought to its end.
    if (this.#hasCodeEnded) return
    this.#abort.abort(doom.error)
    this.#run.abortUnderWay(doom.error)
    this.#run.giveUpPending(doom.error)
    this.#stopTimer = this.#run.host.after(UNWIND_MS, () => this.#codeEnded(doom.error, undefined))
  }

  #codeEnded(error: Error | null, value: unknown): void {
    const run = this.#run
    if (run.isOver || this.#hasCodeEnded) return
    this.#hasCodeEnded = true
    this.#stopTimer()
    if (error || this.#doom) return void this.#cleanUp(error)
    const divergence = run.ledger.replay?.remainderAfter(run.sequence) ?? null
    if (divergence) return run.whenBack(() => run.stop({ kind: 'diverged', divergence }))
    if (run.forgotten.length > 0) return void this.#cleanUp(new ForgottenAwaitError(run.forgotten))
    try {
      const output = encodeValue(value, 'The output of the job')
      run.whenBack(() => run.stop({ kind: 'success', output }))
    } catch (cause) {
      void this.#cleanUp(errorOf(cause))
    }
  }

  async #cleanUp(error: Error | null): Promise<void> {
    const run = this.#run
    const reason = this.#doom?.error ?? error ?? new CancelledError(null)
    run.abortUnderWay(reason)
    run.giveUpPending(null)
    await this.#untilQuiet()
    if (run.isOver) return
    this.#isCleaning = true
    const failures = await this.cleanUps.perform({
      replay: run.ledger.replay,
      isCancelled: this.#doom?.status === 'CANCELLED',
      isOver: () => run.isOver,
    })
    if (run.isOver) return
    const divergence = run.ledger.replay?.remainderAfter(run.sequence) ?? null
    if (divergence) return run.stop({ kind: 'diverged', divergence })
    const final = this.#doom?.error ?? reason
    run.whenBack(() =>
      run.stop({
        kind: 'failure',
        status: this.#doom?.status ?? 'FAILED',
        error: failures.length > 0 ? new CompensationFailedError(final, failures) : final,
      }),
    )
  }

  /** Until nothing goes on, or what does has had its time. */
  #untilQuiet(): Promise<void> {
    const run = this.#run
    if (run.isQuiet) return Promise.resolve()
    return new Promise((resolve) => {
      this.#stopTimer = run.host.after(UNWIND_MS, resolve)
      this.#whenQuiet = () => {
        this.#stopTimer()
        resolve()
      }
    })
  }
}

export function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}
