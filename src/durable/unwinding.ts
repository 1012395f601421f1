import type { CancelTimer } from '../clock.ts'
import type { HistoryEntry, NewEntry } from '../job/activity/history.ts'
import { asCleanUp, insideCleanUp } from './activity-scope.ts'
import { atInstant } from './at-instant.ts'
import type { Calls } from './calls.ts'
import { CleanUps } from './clean-ups.ts'
import { decodeValue, encodeValue } from './codec.ts'
import { errorOf } from './error-of.ts'
import { CancelledError, CompensationFailedError, ForgottenAwaitError, RunTimeoutError } from './errors.ts'
import type { Gate } from './gate.ts'
import type { RunHost, RunStop } from './host.ts'
import { BARE, type Ledger } from './ledger.ts'
import { endlessStep, OpenStep, type Step } from './step.ts'
import type { Work } from './work.ts'

/** How a run is to end that was cancelled, or ran out of time. */
interface Doom {
  readonly status: 'CANCELLED' | 'TIMEOUT'
  readonly error: Error
}

/** How the code has ended. */
type CodeEnd =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'error'; readonly error: Error }
  | { readonly kind: 'continued'; readonly input: string | null }

/** A run, as far as its end is concerned. */
interface Ending {
  readonly host: RunHost
  readonly ledger: Ledger
  readonly gate: Gate
  readonly work: Work
  readonly calls: Calls
  readonly startedAt: number
  readonly sequence: number
  readonly isOver: boolean
  time(): number
  stop(stop: RunStop): void
  breakOff(message: string, fields: Readonly<Record<string, unknown>>): void
}

/** How long code, and what goes on for it, may take to end after it was told to. */
const UNWIND_MS = 10_000
/** Code that makes so many calls after it was told to end does not listen. */
const MAX_REFUSALS = 1_000

/** How a run comes to its end: by its code, by cancellation, by its timeout; and what is undone then. */
export class Unwinding {
  readonly cleanUps = new CleanUps()
  readonly #run: Ending
  #controller: AbortController | null = null
  #abortReason: Error | null = null
  /** Somebody wants it cancelled. */
  #asked: CancelledError | null = null
  /** That it is to end is on its way to the store, or there. */
  #isDoomPlaced = false
  #doom: Doom | null = null
  #end: CodeEnd | null = null
  #isConcluding = false
  #isUndoing = false
  /** How many calls were not taken since it was told to end. */
  #refusals = 0
  #whenQuiet: (() => void) | null = null
  #stopTimer: CancelTimer = () => {}

  constructor(run: Ending) {
    this.#run = run
  }

  /** Aborted when the run is cancelled, or has run out of time. Made when it is first asked for. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      if (this.#abortReason) this.#controller.abort(this.#abortReason)
    }
    return this.#controller.signal
  }

  abort(reason: Error): void {
    this.#abortReason ??= reason
    this.#controller?.abort(this.#abortReason)
  }

  /** Whether the code was told to end, and has not yet. */
  get isUnwinding(): boolean {
    return this.#doom !== null && this.#end === null
  }

  /** Whether it is decided what is to be undone. */
  get isUndoing(): boolean {
    return this.#isUndoing
  }

  /** What a call gets that is not taken; null where it is. */
  refuse(verb: string): Step | null {
    if (this.#end) {
      if (insideCleanUp(this.#run)) return null
      // It is not thrown: nobody waits any more for what the code does, and what nobody catches would end the process.
      this.#run.host.logger.error('A durable job made a call after it had ended: is an await missing?', { call: verb })
      return endlessStep()
    }
    return this.#doom && this.#refused(this.#doom.error)
  }

  follow(code: Promise<unknown>): void {
    code.then(
      (value) => this.#codeEnded({ kind: 'value', value }),
      (error: unknown) => this.#codeEnded({ kind: 'error', error: errorOf(error) }),
    )
  }

  /** The code goes no further. */
  continueAs(input: string | null): Step {
    this.#codeEnded({ kind: 'continued', input })
    return endlessStep()
  }

  expireAt(dueAt: number, timeoutMs: number): void {
    const output = encodeValue(timeoutMs, 'Timeout')
    atInstant(this.#run, dueAt, (onEarly) => this.#record({ name: 'timeout', output, dueAt, isTimer: true }, onEarly))
  }

  /** Told by whoever wants it cancelled, as often as the store tells of it. */
  cancel(reason: string | null): void {
    if (this.#asked) return
    this.#asked = cancelled(reason)
    this.#run.gate.whenLive(() => this.#record({ name: 'cancel', output: reason }))
  }

  /** Takes note of what is given to the code, now or again. */
  notice(entry: HistoryEntry): void {
    if (entry.kind === 'cancellation') this.#unwind(entry)
    else this.cleanUps.notice(entry)
  }

  /** Nothing is on its way to the code. */
  onRest(): void {
    if (!this.#whenQuiet || !(this.#run.work.isNone || this.#isUndoing)) return
    this.#stopTimer()
    this.#whenQuiet()
    this.#whenQuiet = null
  }

  close(): void {
    this.#stopTimer()
  }

  /** In the next turn: code that catches everything and tries again must not keep the event loop from turning. */
  #refused(error: Error): Step {
    this.#refusals += 1
    if (this.#refusals > MAX_REFUSALS) {
      this.#codeEnded({ kind: 'error', error })
      return endlessStep()
    }
    const open = new OpenStep()
    this.#run.host.nextTurn(() => open.reject(error))
    return open.step
  }

  /** That it is to end stands in its history before anything is given up, so that a replay gives up the same. */
  #record(how: Pick<NewEntry, 'name' | 'output'> & Partial<NewEntry>, onEarly?: () => void): void {
    const run = this.#run
    if (this.#isDoomPlaced || this.#isConcluding || run.isOver) return
    this.#isDoomPlaced = true
    const times = { startedAt: run.startedAt, endedAt: run.time(), calls: run.sequence }
    run.ledger.settle({ ...BARE, kind: 'cancellation', ...how, ...times }, () => {
      this.#isDoomPlaced = false
      onEarly?.()
      this.#conclude()
    })
  }

  #unwind({ name, output }: HistoryEntry): void {
    this.#isDoomPlaced = true
    const doom: Doom =
      name === 'timeout'
        ? { status: 'TIMEOUT', error: new RunTimeoutError(Number(decodeValue(output))) }
        : { status: 'CANCELLED', error: cancelled(output) }
    this.#doom = doom
    this.abort(doom.error)
    if (this.#end) {
      this.#conclude()
      return
    }
    this.#run.work.abort(doom.error)
    this.#run.calls.giveUp(doom.error)
    this.#stopTimer = this.#run.host.after(UNWIND_MS, () => this.#codeEnded({ kind: 'error', error: doom.error }))
  }

  #codeEnded(end: CodeEnd): void {
    this.#run.gate.whenBack(() => {
      if (this.#run.isOver || this.#end) return
      this.#end = end
      this.#stopTimer()
      this.#conclude()
    })
  }

  /** Comes to the end that the code has come to, once it is known whether it was cancelled before. */
  #conclude(): void {
    const end = this.#end
    const run = this.#run
    if (!end || this.#isConcluding || run.isOver || this.#isDoomAhead()) return
    this.#isConcluding = true
    const error = end.kind === 'error' ? end.error : null
    if (error || this.#doom) void this.#cleanUp(error)
    else this.#complete(end)
  }

  #complete(end: CodeEnd): void {
    const run = this.#run
    const divergence = run.ledger.replay?.remainderAfter(run.sequence) ?? null
    const { forgotten } = run.calls
    if (divergence) run.stop({ kind: 'diverged', divergence })
    else if (forgotten.length > 0) void this.#cleanUp(new ForgottenAwaitError(forgotten))
    else if (end.kind === 'continued') run.stop({ kind: 'continued', input: end.input })
    else if (end.kind === 'value') this.#succeed(end.value)
  }

  #succeed(value: unknown): void {
    let output: string | null
    try {
      output = encodeValue(value, 'The output of the job')
    } catch (error) {
      void this.#cleanUp(errorOf(error))
      return
    }
    this.#run.stop({ kind: 'success', output })
  }

  /** Whether it was told to end before its code did, or wants to be told now, and nothing says so yet in what was given to the code. */
  #isDoomAhead(): boolean {
    const { ledger, sequence } = this.#run
    if (this.#doom) return false
    if (this.#isDoomPlaced || ledger.replay?.isToldToEndWithin(sequence)) return true
    // One that was undoing when it was told goes on with that.
    return this.#asked !== null && !ledger.replay?.isUndoneAfter(sequence)
  }

  async #cleanUp(error: Error | null): Promise<void> {
    const run = this.#run
    const { replay } = run.ledger
    // Before anything is given up: what does not fit must change nothing.
    const divergence = this.#doom || replay?.isUndoneAfter(run.sequence) ? null : replay?.remainderAfter(run.sequence)
    if (divergence) return run.stop({ kind: 'diverged', divergence })
    const reason = this.#doom?.error ?? error ?? new CancelledError(null)
    try {
      run.work.abort(reason)
      run.calls.giveUp(null)
      await this.#untilQuiet()
      if (!run.isOver) await this.#undo(reason)
    } catch (cause) {
      run.breakOff('A run could not be brought to its end', { error: cause })
    }
  }

  async #undo(reason: Error): Promise<void> {
    const run = this.#run
    this.#isUndoing = true
    const { replay } = run.ledger
    const isCancelled = this.#doom?.status === 'CANCELLED'
    const failures = await asCleanUp(run, () =>
      this.cleanUps.perform({ replay, isCancelled, isOver: () => run.isOver }),
    )
    if (run.isOver) return
    const divergence = run.ledger.replay?.remainderAfter(run.sequence) ?? null
    if (divergence) return run.stop({ kind: 'diverged', divergence })
    run.gate.whenLive(() => this.#fail(reason, failures))
  }

  #fail(reason: Error, failures: readonly string[]): void {
    // Whoever asked was told that it would end as cancelled, whatever else came to it.
    const status = this.#asked ? 'CANCELLED' : (this.#doom?.status ?? 'FAILED')
    const final = this.#asked && this.#doom?.status !== 'CANCELLED' ? this.#asked : reason
    const error = failures.length > 0 ? new CompensationFailedError(final, failures) : final
    this.#run.stop({ kind: 'failure', status, error })
  }

  /** Until nothing goes on. What does not end is left to itself; but what is on its way to the store is waited for, since a replay will go by it. */
  #untilQuiet(): Promise<void> {
    const run = this.#run
    // A turn in any case, so that whatever else follows from the end of the code has happened, here as in a replay.
    if ((run.work.isNone && !run.ledger.isBusy) || run.ledger.replay) {
      return new Promise((resolve) => run.host.nextTurn(resolve))
    }
    return new Promise((resolve) => {
      this.#whenQuiet = resolve
      this.#stopTimer = run.host.after(UNWIND_MS, () => {
        this.#isUndoing = true
        run.ledger.turn()
      })
    })
  }
}

function cancelled(reason: string | null): CancelledError {
  const value = decodeValue(reason)
  return new CancelledError(typeof value === 'string' ? value : null)
}
