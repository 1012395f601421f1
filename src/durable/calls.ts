import type { CalledAs, HistoryEntry } from '../job/history.ts'
import type { Call } from './call.ts'
import type { Step } from './step.ts'

interface Watched extends CalledAs {
  readonly sequence: number
  readonly step: Step
}

/** The calls that the code of a run has made and that matter still. */
export class Calls {
  readonly #pending = new Map<number, Call>()
  /** Settled ones that nobody had looked at by then, and steps that stand for several calls. */
  readonly #watched: Watched[] = []

  get hasPending(): boolean {
    return this.#pending.size > 0
  }

  add(call: Call): void {
    this.#pending.set(call.sequence, call)
  }

  watch(watched: Watched): void {
    this.#watched.push(watched)
  }

  /** Settles the call that an entry is about, where somebody still waits for it. */
  conclude(entry: HistoryEntry): void {
    const call = this.#pending.get(entry.sequence)
    if (!call) return
    this.#pending.delete(entry.sequence)
    call.conclude(entry)
    if (!call.step.isAwaited) this.#watched.push(call)
  }

  giveUp(reason: Error | null): void {
    for (const call of this.#pending.values()) call.giveUp(reason)
    this.#pending.clear()
  }

  /** Those whose result nobody ever looked at. */
  get forgotten(): readonly (CalledAs & { readonly sequence: number })[] {
    return [...this.#watched, ...this.#pending.values()]
      .filter(({ step }) => !step.isAwaited)
      .map(({ kind, name, sequence }) => ({ kind, name, sequence }))
  }
}
