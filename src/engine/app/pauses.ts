import type { Env } from '../../clock.ts'
import { PontualError } from '../../errors.ts'

/** The error for whoever asks something of an application that was stopped. */
export function stoppedError(): PontualError {
  return new PontualError('pontual.stopped', 'Pontual was stopped; start it to use it again.')
}

/** The pauses of those who look again and again. When the application stops none of them goes on. */
export class Pauses {
  readonly #env: Env
  readonly #ends = new Set<() => void>()
  #isOver = false

  constructor(env: Env) {
    this.#env = env
  }

  /** Waits so long, or until the signal is aborted. Rejects when the application stops. */
  async pause(ms: number, signal?: AbortSignal): Promise<void> {
    if (!this.#isOver) {
      await new Promise<void>((resolve) => {
        const end = () => {
          cancel()
          this.#ends.delete(end)
          signal?.removeEventListener('abort', end)
          resolve()
        }
        const cancel = this.#env.after(ms, end)
        this.#ends.add(end)
        signal?.addEventListener('abort', end, { once: true })
      })
    }
    if (this.#isOver) throw stoppedError()
  }

  /** The application stops. */
  end(): void {
    this.#isOver = true
    for (const end of this.#ends) end()
  }
}
