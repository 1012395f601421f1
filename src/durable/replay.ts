import type { CalledAs, Divergence } from '../job/activity/divergence.ts'
import type { HistoryEntry } from '../job/activity/history.ts'

/** The recorded history of a run that starts again, and the position that its code has reached. Pure: it compares and decides. */
export class Replay {
  readonly #bySequence: ReadonlyMap<number, HistoryEntry>
  /** The completions, in their order. */
  readonly #settled: readonly HistoryEntry[]
  /** The number of the last recorded call. */
  readonly lastSequence: number
  #followed = 0

  constructor(entries: readonly HistoryEntry[]) {
    this.#bySequence = new Map(entries.map((entry) => [entry.sequence, entry]))
    this.#settled = entries
      .filter(({ position, kind }) => position !== null && kind !== 'patch' && kind !== 'input')
      .toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0))
    this.lastSequence = entries.reduce((last, { sequence }) => Math.max(last, sequence), 0)
  }

  entryOf(sequence: number): HistoryEntry | undefined {
    return this.#bySequence.get(sequence)
  }

  /** The next completion; undefined after the last one. */
  get next(): HistoryEntry | undefined {
    return this.#settled[this.#followed]
  }

  /** The number of calls that the code must have made before the next completion. */
  get expectedCalls(): number {
    const { next } = this
    return next ? Math.max(next.sequence, next.calls) : this.lastSequence
  }

  /** The next completion; the code has followed it from now on. */
  advance(): HistoryEntry | undefined {
    this.#followed += 1
    return this.#settled[this.#followed - 1]
  }

  /** True if a termination was delivered within so many calls, and the code has not reached it. */
  isToldToEndWithin(calls: number): boolean {
    const told = this.#settled.findIndex(({ kind }) => kind === 'cancellation')
    return told >= this.#followed && (this.#settled[told]?.calls ?? 0) <= calls
  }

  /**
   * The mismatch between a call and the recorded one; null if they fit. A call without a record fits: it may have been in progress when later calls were recorded.
   */
  differenceOf(sequence: number, called: CalledAs): Divergence | null {
    const recorded = this.#bySequence.get(sequence)
    return !recorded || isSame(recorded, called) ? null : mismatch(sequence, recorded, called)
  }

  /** The mismatch if the code ends after so many calls; null if nothing more is recorded. */
  remainderAfter(sequence: number): Divergence | null {
    const missing = this.#firstAfter(sequence)
    return missing ? mismatch(missing.sequence, missing, null) : null
  }

  /** The mismatch if the code makes no more calls. */
  standstillAt(sequence: number): Divergence {
    const remainder = this.remainderAfter(sequence)
    const { next } = this
    if (remainder || !next) return remainder ?? mismatch(sequence + 1, null, null)
    const recorded = { kind: next.kind, name: next.name }
    const message = `When ${inWords(recorded)} was settled the code had made ${next.calls} calls; now it has made ${sequence}, and makes no more.`
    return { reason: 'mismatch', message, sequence: next.sequence, recorded, called: null }
  }

  /** True if the next recorded call is a compensation. */
  isUndoneAfter(sequence: number): boolean {
    return this.#firstAfter(sequence)?.kind === 'compensation'
  }

  #firstAfter(sequence: number): HistoryEntry | undefined {
    for (let place = sequence + 1; place <= this.lastSequence; place += 1) {
      const entry = this.#bySequence.get(place)
      if (entry) return entry
    }
    return undefined
  }
}

function isSame(a: CalledAs, b: CalledAs): boolean {
  return a.kind === b.kind && a.name === b.name
}

function mismatch(sequence: number, recorded: CalledAs | null, called: CalledAs | null): Divergence {
  const place = recorded && { kind: recorded.kind, name: recorded.name }
  const asked = called && { kind: called.kind, name: called.name }
  const message = `Call ${sequence} is recorded as ${inWords(place)}, but the code called ${inWords(asked)}. Deploy code that fits the history, or use ctx.patched for what has changed.`
  return { reason: 'mismatch', message, sequence, recorded: place, called: asked }
}

function inWords(called: CalledAs | null): string {
  return called ? `${called.kind} "${called.name}"` : 'nothing'
}
