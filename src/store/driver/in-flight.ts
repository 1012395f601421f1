import { PontualError } from '../../errors.ts'

/** What is under way, so that closing can wait for it. */
export class InFlight {
  #count = 0
  #isClosed = false
  #onIdle: (() => void) | null = null

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#isClosed) throw new PontualError('store.closed', 'The store is closed: open it again to use it.')
    this.#count++
    try {
      return await work()
    } finally {
      this.#count--
      if (this.#count === 0) this.#onIdle?.()
    }
  }

  /** Lets nothing new in and waits for the rest. False when it was closed before. */
  async close(): Promise<boolean> {
    if (this.#isClosed) return false
    this.#isClosed = true
    if (this.#count > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve))
    return true
  }
}
