import type { CalledAs, HistoryEntry } from '../job/activity/history.ts'
import type { Call } from './call.ts'
import type { Step } from './step.ts'

interface Watched extends CalledAs {
  readonly sequence: number
  readonly step: Step
}

/** So many may be watched before those that were looked at are let go. */
const LOOK_THROUGH_AT = 32

/** The calls that the code of a run has made and that matter still. */
export class Calls {
  readonly #pending = new Map<number, Call>()
  /** Settled ones that nobody had looked at by then, and steps that stand for several calls. */
  #watched: Watched[] = []
  #lookThroughAt = LOOK_THROUGH_AT

  get hasPending(): boolean {
    return this.#pending.size > 0
  }

  isPending(sequence: number): boolean {
    return this.#pending.has(sequence)
  }

  add(call: Call): void {
    this.#pending.set(call.sequence, call)
  }

  watch(watched: Watched): void {
    this.#watched.push(watched)
    if (this.#watched.length < this.#lookThroughAt) return
    this.#watched = this.#watched.filter(({ step }) => !step.isAwaited)
    this.#lookThroughAt = LOOK_THROUGH_AT + 2 * this.#watched.length
  }

  /** Settles the call that an entry is about, where somebody still waits for it. */
  conclude(entry: HistoryEntry): void {
    const call = this.#pending.get(entry.sequence)
    if (!call) return
    this.#pending.delete(entry.sequence)
    call.conclude(entry)
    if (!call.step.isAwaited) this.watch(call)
  }

  giveUp(reason: Error | null): void {
    const pending = [...this.#pending.values()]
    this.#pending.clear()
    for (const call of pending) call.giveUp(reason)
  }

  /** Those whose result nobody ever looked at. */
  get forgotten(): readonly (CalledAs & { readonly sequence: number })[] {
    return [...this.#watched, ...this.#pending.values()]
      .filter(({ step }) => !step.isAwaited)
      .map(({ kind, name, sequence }) => ({ kind, name, sequence }))
  }
}
