import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** One direction of a connection. What was sent first arrives first, also when the delay becomes shorter meanwhile. */
export class Delivery {
  readonly #to: Socket
  #last: Promise<void> = Promise.resolve()
  #waiting = 0

  constructor(to: Socket) {
    this.#to = to
  }

  pass(chunk: Buffer, delayMs: number): void {
    this.#after(delayMs, () => this.#to.write(chunk))
  }

  /** The other side has closed; all that it has sent still arrives. */
  end(delayMs: number): void {
    this.#after(delayMs, () => this.#to.destroySoon())
  }

  #after(delayMs: number, deliver: () => void): void {
    if (delayMs === 0 && this.#waiting === 0) {
      deliver()
      return
    }
    const dueAt = performance.now() + delayMs
    this.#waiting += 1
    this.#last = this.#last.then(async () => {
      await sleep(Math.max(0, dueAt - performance.now()))
      this.#waiting -= 1
      deliver()
    })
  }
}
