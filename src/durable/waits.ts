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
  #stopTimer: CancelTimer = () => {}

  constructor(options: WaitsOptions) {
    this.#options = options
  }

  add(dueAt: number, fire: () => void): () => void {
    const wait = { dueAt, fire }
    this.#waits.add(wait)
    this.#arm()
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
    this.#isOn = true
    this.#arm()
  }

  turnOff(): void {
    this.#isOn = false
    this.#stopTimer()
  }

  clear(): void {
    this.turnOff()
    this.#waits.clear()
  }

  #arm(): void {
    this.#stopTimer()
    const dueAt = this.nextDueAt
    if (dueAt === null || !this.#isOn) return
    this.#stopTimer = this.#options.after(Math.max(0, dueAt - this.#options.now()), () => this.#fireDue())
  }

  /** The earliest first, within one instant in the order in which they were added. */
  #fireDue(): void {
    const now = this.#options.now()
    const due = [...this.#waits].filter(({ dueAt }) => dueAt <= now).toSorted((a, b) => a.dueAt - b.dueAt)
    for (const wait of due) this.#waits.delete(wait)
    for (const { fire } of due) fire()
    this.#arm()
  }
}
