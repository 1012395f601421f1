import type { Env } from '../../clock.ts'

/** Wakes who waits, before his time is over. */
export class Bell {
  readonly #env: Env
  #isRung = false
  #wake: (() => void) | null = null

  constructor(env: Env) {
    this.#env = env
  }

  /** Where nobody waits, the next one who does is woken at once. */
  ring(): void {
    this.#isRung = true
    this.#wake?.()
  }

  /** Waits for the bell, or for so long. */
  async wait(ms: number): Promise<void> {
    if (!this.#isRung) {
      await new Promise<void>((resolve) => {
        const cancel = this.#env.after(ms, resolve)
        this.#wake = () => {
          cancel()
          resolve()
        }
      })
    }
    this.#wake = null
    this.#isRung = false
  }
}
