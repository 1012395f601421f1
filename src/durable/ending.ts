import type { HistoryEntry } from '../job/activity/history.ts'
import { decodeValue, encodeValue } from './codec.ts'
import { CancelledError, CompensationFailedError, errorOf, ForgottenAwaitError, RunTimeoutError } from './errors.ts'
import type { RunStop } from './host.ts'
import type { Replay } from './replay.ts'

/** How the code has ended. */
export type CodeEnd =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'error'; readonly error: Error }
  | { readonly kind: 'continued'; readonly input: string | null }

/** `undo`: activities are aborted and completed ones compensated before the run fails. */
export type Conclusion = RunStop | { readonly kind: 'undo'; readonly reason: Error }

interface Termination {
  readonly status: 'CANCELLED' | 'TIMEOUT'
  readonly error: Error
}

export interface EndFacts {
  /** The recorded entries that the code has not followed. */
  readonly replay: Replay | null
  /** The number of calls that the code has made. */
  readonly calls: number
  /** Calls whose result the code never used. */
  readonly forgotten: ConstructorParameters<typeof ForgottenAwaitError>[0]
}

/** Code that makes so many calls after it was told to end ignores the error. */
const MAX_REFUSALS = 1_000

/**
 * The stages of a run between its code and its end (see the diagram in `run.ts`). Each transition changes only this object and returns what the run has to do; it has no
 * effects.
 */
export class Ending {
  #stage: 'running' | 'unwinding' | 'ended' | 'stopping' | 'undoing' = 'running'
  #end: CodeEnd | null = null
  /** Its caller was told that the run ends as CANCELLED. */
  #cancelRequest: CancelledError | null = null
  /** A termination is being recorded, or recorded. */
  #isTerminationPlaced = false
  #termination: Termination | null = null
  #refusals = 0

  /** The code was told to end and has not ended yet. */
  get isUnwinding(): boolean {
    return this.#stage === 'unwinding'
  }

  /** It is decided what to undo: completions of calls that were given up no longer count. */
  get isUndoing(): boolean {
    return this.#stage === 'undoing'
  }

  get hasEnded(): boolean {
    return this.#end !== null
  }

  get isCancelled(): boolean {
    return this.#termination?.status === 'CANCELLED'
  }

  /** The error that a call throws after a termination; null while calls are accepted. */
  get refusal(): Error | null {
    return this.#termination?.error ?? null
  }

  /** False once the code has made too many calls to be heeding the error. */
  countRefusal(): boolean {
    this.#refusals += 1
    return this.#refusals <= MAX_REFUSALS
  }

  /** False if a cancellation was requested before: the store repeats the request. */
  requestCancel(reason: string | null): boolean {
    if (this.#cancelRequest) return false
    this.#cancelRequest = cancelledError(reason)
    return true
  }

  /** False if a termination is placed already, or comes too late. */
  placeTermination(): boolean {
    if (this.#isTerminationPlaced || this.#stage === 'stopping' || this.#stage === 'undoing') return false
    this.#isTerminationPlaced = true
    return true
  }

  withdrawTermination(): void {
    this.#isTerminationPlaced = false
  }

  /** The termination is delivered. Returns its error; `isUnwinding` then tells whether the code still runs. */
  terminate({ name, output }: HistoryEntry): Error {
    this.#isTerminationPlaced = true
    this.#termination =
      name === 'timeout'
        ? { status: 'TIMEOUT', error: new RunTimeoutError(Number(decodeValue(output))) }
        : { status: 'CANCELLED', error: cancelledError(output) }
    if (this.#stage === 'running') this.#stage = 'unwinding'
    return this.#termination.error
  }

  /** False if the code has ended before. */
  endCode(end: CodeEnd): boolean {
    if (this.#end) return false
    this.#end = end
    this.#stage = 'ended'
    return true
  }

  /** Decides how the run continues after its code has ended; null while the code runs, or while a termination may still come before its end. */
  conclude({ replay, calls, forgotten }: EndFacts): Conclusion | null {
    const end = this.#end
    if (!end || this.#stage !== 'ended' || this.#isTerminationAhead(replay, calls)) return null
    const termination = this.#termination
    const failure = termination?.error ?? (end.kind === 'error' ? end.error : null)
    // A mismatch is found before anything is given up. After a termination, or in a run that was undoing, the remaining entries are compensations.
    const isUndone = termination !== null || (failure !== null && replay?.isUndoneAfter(calls))
    const divergence = isUndone ? null : replay?.remainderAfter(calls)
    if (divergence) return { kind: 'diverged', divergence }
    if (failure) return this.#undo(failure)
    if (forgotten.length > 0) return this.#undo(new ForgottenAwaitError(forgotten))
    if (end.kind === 'continued') return { kind: 'continued', input: end.input }
    try {
      const value = end.kind === 'value' ? end.value : undefined
      return { kind: 'success', output: encodeValue(value, 'The output of the job') }
    } catch (error) {
      return this.#undo(errorOf(error))
    }
  }

  #undo(reason: Error): Conclusion {
    this.#stage = 'stopping'
    return { kind: 'undo', reason }
  }

  startUndoing(): void {
    this.#stage = 'undoing'
  }

  /** The failure after all clean-up. A requested cancellation was confirmed to its caller, so the run ends as CANCELLED in any case. */
  failureOf(reason: Error, failures: readonly string[]): RunStop {
    const status = this.#cancelRequest ? 'CANCELLED' : (this.#termination?.status ?? 'FAILED')
    const final = this.#cancelRequest && !this.isCancelled ? this.#cancelRequest : reason
    const error = failures.length > 0 ? new CompensationFailedError(final, failures) : final
    return { kind: 'failure', status, error }
  }

  #isTerminationAhead(replay: Replay | null, calls: number): boolean {
    if (this.#termination) return false
    if (this.#isTerminationPlaced || replay?.isToldToEndWithin(calls)) return true
    // A run that was undoing when its cancellation was requested continues to undo.
    return this.#cancelRequest !== null && !replay?.isUndoneAfter(calls)
  }
}

function cancelledError(reason: string | null): CancelledError {
  const value = decodeValue(reason)
  return new CancelledError(typeof value === 'string' ? value : null)
}

/** An activity with a compensation, and its end if that is known. */
interface Undoable {
  readonly sequence: number
  readonly undo: (output: unknown) => PromiseLike<unknown>
  ended: HistoryEntry | null
}

/** A function of `ctx.onCancel`, at its place among the calls. */
interface Handed {
  readonly sequence: number
  readonly cleanUp: () => unknown
}

interface CleanUpOptions {
  /** The recorded entries that the code has not followed. */
  readonly replay: Replay | null
  readonly isCancelled: boolean
  readonly isOver: () => boolean
}

/** The clean-up of a run that fails or is cancelled: compensations and `onCancel` functions, the latest first. */
export class CleanUps {
  readonly #undoables = new Map<number, Undoable>()
  readonly #handed: Handed[] = []

  /** Adds the compensation of an activity that was called. */
  add(sequence: number, undo: Undoable['undo']): void {
    this.#undoables.set(sequence, { sequence, undo, ended: null })
  }

  onCancel(sequence: number, cleanUp: () => unknown): void {
    this.#handed.push({ sequence, cleanUp })
  }

  notice(entry: HistoryEntry): void {
    if (this.#undoables.size === 0) return
    const undoable = this.#undoables.get(entry.sequence)
    if (undoable) undoable.ended = entry
  }

  /** Continues after a failure. Returns the messages of all failures. */
  async perform({ replay, isCancelled, isOver }: CleanUpOptions): Promise<string[]> {
    const failures: string[] = []
    for (const cleanUp of this.#inReverse(replay, isCancelled)) {
      if (isOver()) break
      try {
        await cleanUp()
      } catch (error) {
        failures.push(errorOf(error).message)
      }
    }
    return failures
  }

  #inReverse(replay: Replay | null, isCancelled: boolean): (() => unknown)[] {
    const undos = [...this.#undoables.values()].flatMap(({ sequence, undo, ended }) => {
      // An end that the replay has not delivered counts too.
      const entry = ended ?? replay?.entryOf(sequence)
      if (entry?.status === 'FAILED' && !hasRunOutOfTime(entry)) return []
      const perform = () => undo(entry?.status === 'COMPLETED' ? decodeValue(entry.output) : undefined) as unknown
      return [{ sequence, perform }]
    })
    const handed = isCancelled
      ? this.#handed.toReversed().map(({ sequence, cleanUp }) => ({ sequence, perform: cleanUp }))
      : []
    // A function that was added after a call runs before that call is undone.
    return [...handed, ...undos].toSorted((a, b) => b.sequence - a.sequence).map(({ perform }) => perform)
  }
}

/** An activity that timed out may have done its work. */
function hasRunOutOfTime({ error }: HistoryEntry): boolean {
  const thrown = decodeValue(error)
  return thrown instanceof Error && 'code' in thrown && thrown.code === 'activity.timeout'
}
