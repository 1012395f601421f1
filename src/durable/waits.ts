import type { CancelTimer } from '../clock.ts'

interface Wait {
  readonly dueAt: number
  readonly fire: () => void
}

interface Clock {
  now(): number
  after(delayMs: number, call: () => void): CancelTimer
}

/** The instants that a run waits for, with one timer while the run is live. Usually few, so they are searched and not sorted. */
export class Waits {
  readonly #clock: Clock
  readonly #waits = new Set<Wait>()
  #isOn = false
  /** The instant that the timer is set for. */
  #armedFor: number | null = null
  #stopTimer: CancelTimer = () => {}

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Returns a function that removes the wait. */
  add(dueAt: number, fire: () => void): () => void {
    const wait = { dueAt, fire }
    this.#waits.add(wait)
    if (this.#isOn && (this.#armedFor === null || dueAt < this.#armedFor)) this.#armFor(dueAt)
    // The timer stays: a timer that fires without need costs less than a search for the next instant.
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
    this.#stopTimer = this.#clock.after(Math.max(0, dueAt - this.#clock.now()), () => this.#fireDue())
  }

  #disarm(): void {
    this.#armedFor = null
    this.#stopTimer()
  }

  /** The earliest first; waits for the same instant fire in the order in which they were added. */
  #fireDue(): void {
    const now = this.#clock.now()
    const due = [...this.#waits].filter(({ dueAt }) => dueAt <= now).toSorted((a, b) => a.dueAt - b.dueAt)
    for (const wait of due) {
      // An earlier one may have removed it.
      if (this.#waits.delete(wait)) wait.fire()
    }
    this.#arm()
  }
}

/** The delay before the store is asked again, at first and at most. */
const FIRST_RETRY_MS = 2
const LONGEST_RETRY_MS = 250

interface Waiting {
  readonly host: Pick<Clock, 'now'>
  readonly effects: { wait(dueAt: number, fire: () => void): () => void }
}

/** Calls `attempt` at an instant, and again while the store finds it too early: clocks differ. Returns a function that stops it. */
export function atInstant(
  { host, effects }: Waiting,
  dueAt: number,
  attempt: (onEarly: () => void) => void,
): () => void {
  let delayMs = FIRST_RETRY_MS
  const tryIt = () =>
    attempt(() => {
      stop = effects.wait(host.now() + delayMs, tryIt)
      delayMs = Math.min(2 * delayMs, LONGEST_RETRY_MS)
    })
  let stop = effects.wait(dueAt, tryIt)
  return () => stop()
}
