import type { HistoryEntry } from '../job/activity/history.ts'
import { BARE, type Ledger } from './ledger.ts'

/** Which paths of changed code a run takes: decided when it first comes there. */
export class Patches {
  readonly #ledger: Ledger
  readonly #known = new Map<string, boolean>()
  readonly #recorded: ReadonlySet<string>
  /** Below those of all that is recorded. */
  #sequence: number

  constructor(ledger: Ledger, entries: readonly HistoryEntry[]) {
    this.#ledger = ledger
    this.#recorded = new Set(entries.filter(({ kind }) => kind === 'patch').map(({ name }) => name))
    this.#sequence = entries.reduce((lowest, { sequence }) => Math.min(lowest, sequence), -1)
  }

  /** Whether the run takes the path: where that is recorded, or nothing is of what follows. `calls`: how many the code has made. */
  isTaken(id: string, calls: number, at: number): boolean {
    const known = this.#known.get(id)
    if (known !== undefined) return known
    const isRecorded = this.#recorded.has(id)
    const isNew = !isRecorded && calls >= (this.#ledger.replay?.lastSequence ?? 0)
    if (isNew) {
      this.#sequence -= 1
      const place = { sequence: this.#sequence, position: 0, calls, startedAt: at, endedAt: at }
      this.#ledger.putBeside(this.#sequence, () => ({ ...BARE, ...place, kind: 'patch', name: id }))
    }
    this.#known.set(id, isRecorded || isNew)
    return isRecorded || isNew
  }
}
