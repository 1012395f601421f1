import { storableText } from '../job/storable-text.ts'
import type { Held } from '../store/leases.ts'
import { invalidOption } from '../time/require.ts'
import type { Settlement } from './settlement.ts'

const MAX_NOTE_LENGTH = 1_000

interface Latest {
  fraction: number
  note: string | null
  isDirty: boolean
  sending: Promise<void> | null
}

/** Sends how far executions are: the latest word only, and never two at once for one of them. */
export class ProgressReporter {
  readonly #settlement: Settlement
  readonly #latest = new Map<string, Latest>()

  constructor(settlement: Settlement) {
    this.#settlement = settlement
  }

  report(held: Held, fraction: number, note: string | null = null): void {
    if (typeof fraction !== 'number' || !(fraction >= 0 && fraction <= 1)) {
      throw invalidOption(fraction, 'progress', 'a number from 0 to 1')
    }
    const text = note === null ? null : storableText(String(note), MAX_NOTE_LENGTH)
    const latest = this.#latest.get(held.executionId)
    if (latest) Object.assign(latest, { fraction, note: text, isDirty: true })
    else this.#latest.set(held.executionId, { fraction, note: text, isDirty: true, sending: null })
    this.#send(held)
  }

  /** Waits until the last word on an execution is kept, and forgets it. */
  async flush({ executionId }: Held): Promise<void> {
    const latest = this.#latest.get(executionId)
    while (latest?.sending) await latest.sending
    this.#latest.delete(executionId)
  }

  #send(held: Held): void {
    const latest = this.#latest.get(held.executionId)
    if (!latest?.isDirty || latest.sending) return
    latest.isDirty = false
    const { executionId, epoch } = held
    latest.sending = this.#settlement
      .progress({ executionId, epoch, fraction: latest.fraction, note: latest.note })
      // How far it is matters less than that it goes on.
      .catch(() => false)
      .then(() => {
        latest.sending = null
        this.#send(held)
      })
  }
}
