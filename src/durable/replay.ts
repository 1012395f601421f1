import type { CalledAs, Divergence, HistoryEntry } from '../job/history.ts'

/** What is recorded of a run that begins anew, and how far the code has followed it. */
export class Replay {
  readonly #bySequence: ReadonlyMap<number, HistoryEntry>
  /** What was settled, in that order. */
  readonly #settled: readonly HistoryEntry[]
  readonly #patches: ReadonlySet<string>
  /** The place of the last call that is recorded. */
  readonly lastSequence: number
  #followed = 0

  constructor(entries: readonly HistoryEntry[]) {
    this.#bySequence = new Map(entries.map((entry) => [entry.sequence, entry]))
    this.#settled = entries
      .filter(({ position, kind }) => position !== null && kind !== 'patch' && kind !== 'input')
      .toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0))
    this.#patches = new Set(entries.filter(({ kind }) => kind === 'patch').map(({ name }) => name))
    this.lastSequence = Math.max(0, ...this.#bySequence.keys())
  }

  /** When the run first began: its first call was made then. */
  get startedAt(): number | null {
    return this.#bySequence.get(1)?.startedAt ?? this.#bySequence.get(0)?.startedAt ?? null
  }

  get patchCount(): number {
    return this.#patches.size
  }

  entryOf(sequence: number): HistoryEntry | undefined {
    return this.#bySequence.get(sequence)
  }

  get lastPosition(): number {
    return this.#settled.at(-1)?.position ?? 0
  }

  /** The next that is to be settled; undefined once the code has followed all. */
  get next(): HistoryEntry | undefined {
    return this.#settled[this.#followed]
  }

  follow(): void {
    this.#followed += 1
  }

  hasPatch(id: string): boolean {
    return this.#patches.has(id)
  }

  /** Why a call is not the one that is recorded in its place; null where it is, or comes after all that is recorded. */
  differenceOf(sequence: number, called: CalledAs): Divergence | null {
    const recorded = this.#bySequence.get(sequence)
    if (recorded ? isSame(recorded, called) : sequence > this.lastSequence) return null
    return mismatch(sequence, recorded ?? null, called)
  }

  /** Why the end of the code, or its standstill, does not fit what is recorded; null where it does. */
  remainderAfter(sequence: number): Divergence | null {
    if (sequence >= this.lastSequence) return null
    return mismatch(sequence + 1, this.#bySequence.get(sequence + 1) ?? null, null)
  }
}

function isSame(a: CalledAs, b: CalledAs): boolean {
  return a.kind === b.kind && a.name === b.name
}

export function mismatch(sequence: number, recorded: CalledAs | null, called: CalledAs | null): Divergence {
  const place = recorded && { kind: recorded.kind, name: recorded.name }
  const message = `Call ${sequence} is recorded as ${inWords(place)}, but the code called ${inWords(called)}. Deploy code that fits the history, or use ctx.patched for what has changed.`
  return { reason: 'mismatch', message, sequence, recorded: place, called }
}

function inWords(called: CalledAs | null): string {
  return called ? `${called.kind} "${called.name}"` : 'nothing'
}
