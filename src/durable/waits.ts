import type { CancelTimer } from '../clock.ts'

/** Something that is to happen at an instant, unless it is called off. */
interface Wait {
  readonly dueAt: number
  readonly fire: () => void
}

interface WaitsOptions {
  now(): number
  after(delayMs: number, call: () => void): CancelTimer
}

/** What a run waits for in time, as long as it is here. Few at once, as a rule: looked through, not sorted. */
export class Waits {
  readonly #options: WaitsOptions
  readonly #waits = new Set<Wait>()
  #isOn = false
  /** For which instant the timer is set. */
  #armedFor: number | null = null
  #stopTimer: CancelTimer = () => {}

  constructor(options: WaitsOptions) {
    this.#options = options
  }

  add(dueAt: number, fire: () => void): () => void {
    const wait = { dueAt, fire }
    this.#waits.add(wait)
    if (this.#isOn && (this.#armedFor === null || dueAt < this.#armedFor)) this.#armFor(dueAt)
    // The timer stays as it is: to go off for nothing costs less than to look for the next.
    return () => this.#waits.delete(wait)
  }

  get nextDueAt(): number | null {
    let soonest: number | null = null
    for (const { dueAt } of this.#waits) {
      if (soonest === null || dueAt < soonest) soonest = dueAt
    }
    return soonest
  }

  turnOn(): void {
    if (this.#isOn) return
    this.#isOn = true
    this.#arm()
  }

  turnOff(): void {
    this.#isOn = false
    this.#disarm()
  }

  clear(): void {
    this.turnOff()
    this.#waits.clear()
  }

  #arm(): void {
    const dueAt = this.nextDueAt
    if (dueAt === null || !this.#isOn) this.#disarm()
    else this.#armFor(dueAt)
  }

  #armFor(dueAt: number): void {
    this.#disarm()
    this.#armedFor = dueAt
    this.#stopTimer = this.#options.after(Math.max(0, dueAt - this.#options.now()), () => this.#fireDue())
  }

  #disarm(): void {
    this.#armedFor = null
    this.#stopTimer()
  }

  /** The earliest first, within one instant in the order in which they were added. */
  #fireDue(): void {
    const now = this.#options.now()
    const due = [...this.#waits].filter(({ dueAt }) => dueAt <= now).toSorted((a, b) => a.dueAt - b.dueAt)
    for (const wait of due) {
      // One that went before may have called it off.
      if (this.#waits.delete(wait)) wait.fire()
    }
    this.#arm()
  }
}
