import { storableText } from '../../job/execution/storable-text.ts'
import type { Held } from '../../store/leases.ts'
import { invalidOption } from '../../time/require.ts'
import type { Settlement } from './settlement.ts'

const MAX_NOTE_LENGTH = 1_000

/** How far an attempt is: the latest word is sent, never two at once, and none after its end. */
export class ProgressReport {
  readonly #held: Held
  readonly #settlement: Settlement
  #latest: { readonly fraction: number; readonly note: string | null } | null = null
  #sending: Promise<void> | null = null
  #isOver = false

  constructor({ executionId, epoch }: Held, settlement: Settlement) {
    this.#held = { executionId, epoch }
    this.#settlement = settlement
  }

  say(fraction: number, note: string | null = null): void {
    requireFraction(fraction)
    if (this.#isOver) return
    this.#latest = { fraction, note: note === null ? null : storableText(String(note), MAX_NOTE_LENGTH) }
    this.#sending ??= this.#send()
  }

  /** Waits until the last word is kept. */
  async end(): Promise<void> {
    this.#isOver = true
    await this.#sending
  }

  async #send(): Promise<void> {
    while (this.#latest) {
      const latest = this.#latest
      this.#latest = null
      // How far it is matters less than that it goes on.
      await this.#settlement.progress({ ...this.#held, ...latest }).catch(() => false)
    }
    this.#sending = null
  }
}

export function requireFraction(fraction: number): void {
  if (typeof fraction === 'number' && fraction >= 0 && fraction <= 1) return
  throw invalidOption(fraction, 'progress', 'a number from 0 to 1')
}
