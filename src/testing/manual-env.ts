import { type CancelTimer, type Env, eventLoopTurn, nextTurn, systemEnv } from '../clock.ts'
import { uuidFrom } from '../uuid.ts'

interface Timer {
  readonly at: number
  readonly order: number
  readonly call: () => void
}

interface Repeating {
  readonly intervalMs: number
  readonly call: () => void
  nextAt: number
}

export interface ManualEnvOptions {
  /** The first instant, in epoch milliseconds. */
  readonly startAt: number
  /** Decides what chance brings. */
  readonly seed: number
  /** Whether something is under way that will end without the clock: a question to the store, a handler. */
  isBusy(): boolean
  /** Grows with whatever is begun, however soon it ends. */
  countBegun?(): number
  /** Whether a server outside this process is asked: how long it takes says nothing about whether it answers. */
  isServerAsked?(): boolean
}

/** Turns of the event loop without anything happening, after which nothing is taken to be under way. */
const QUIET_TURNS = 3
/** Turns that something which is under way gets before the clock moves on nevertheless: it may wait for the clock. */
const PATIENT_TURNS = 2_000
/** True time that a server gets to answer; a question that is never answered does not hold the clock for ever. */
const PATIENT_MS = 10_000

/** Time that stands still until it is moved, and chance that is the same every time. */
export class ManualEnv implements Env {
  readonly uuid: (at: number) => string
  readonly random: () => number
  readonly #options: ManualEnvOptions
  readonly #repeating = new Set<Repeating>()
  #timers: Timer[] = []
  #now: number
  #order = 0
  /** Calls for the next turn of the event loop: all there ever were, and those that wait. */
  #begun = 0
  #waiting = 0

  constructor(options: ManualEnvOptions) {
    this.#options = options
    this.#now = options.startAt
    const words = randomWords(options.seed)
    this.random = () => words() / 2 ** 32
    this.uuid = uuidFrom(words)
  }

  now(): number {
    return this.#now
  }

  monotonic(): number {
    return this.#now
  }

  after(delayMs: number, call: () => void): CancelTimer {
    this.#order += 1
    const timer = { at: this.#now + Math.max(0, Math.ceil(delayMs)), order: this.#order, call }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((each) => each !== timer)
    }
  }

  every(intervalMs: number, call: () => void): CancelTimer {
    const repeating = { intervalMs, call, nextAt: this.#now + intervalMs }
    this.#repeating.add(repeating)
    return () => this.#repeating.delete(repeating)
  }

  nextTurn(call: () => void): void {
    this.#begun += 1
    this.#waiting += 1
    nextTurn(() => {
      this.#waiting -= 1
      call()
    })
  }

  /** Moves the clock to an instant, from one timer to the next, and lets everything happen that is due on the way. */
  async moveTo(instant: number): Promise<void> {
    await this.settle()
    for (let next = this.#earliest(); next !== null && next.at <= instant; next = this.#earliest()) {
      this.#now = Math.max(this.#now, next.at)
      this.#timers = this.#timers.filter((each) => each !== next)
      next.call()
      this.#callRepeating()
      await this.settle()
    }
    this.#now = Math.max(this.#now, instant)
    this.#callRepeating()
    await this.settle()
  }

  /** Waits until nothing is under way that does not wait for the clock. */
  async settle(): Promise<void> {
    let quiet = 0
    let begun = this.#countBegun()
    let since = systemEnv.monotonic()
    for (let turns = 0; quiet < QUIET_TURNS && turns < PATIENT_TURNS; turns += 1) {
      await eventLoopTurn()
      const now = this.#countBegun()
      // As long as something new is begun nothing is taken to wait for the clock.
      if (now !== begun) {
        turns = 0
        since = systemEnv.monotonic()
      }
      if (this.#options.isServerAsked?.() && systemEnv.monotonic() - since < PATIENT_MS) turns = 0
      quiet = this.#options.isBusy() || this.#waiting > 0 || now !== begun ? 0 : quiet + 1
      begun = now
    }
  }

  #countBegun(): number {
    return this.#begun + (this.#options.countBegun?.() ?? 0)
  }

  #earliest(): Timer | null {
    let earliest: Timer | null = null
    for (const timer of this.#timers) {
      if (earliest === null || timer.at < earliest.at || (timer.at === earliest.at && timer.order < earliest.order)) {
        earliest = timer
      }
    }
    return earliest
  }

  /** Each once, however often it would have come: it stands behind something else. */
  #callRepeating(): void {
    for (const repeating of this.#repeating) {
      if (repeating.nextAt > this.#now) continue
      repeating.nextAt = this.#now + repeating.intervalMs
      repeating.call()
    }
  }
}

/** Random 32-bit words from a seed. */
export function randomWords(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x9e3779b9) >>> 0
    let word = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    word = Math.imul(word ^ (word >>> 15), 0x735a2d97)
    return (word ^ (word >>> 15)) >>> 0
  }
}
