import { type CancelTimer, type Env, nextTurn } from '../../../src/clock.ts'
import { uuidFrom } from '../../../src/uuid.ts'

interface Timer {
  dueAt: number
  readonly intervalMs: number | null
  readonly call: () => void
}

/** Time that stands until it is moved, and chance that is the same in every run. */
export class ManualEnv implements Env {
  readonly uuid: (at: number) => string
  readonly random: () => number
  readonly #timers = new Set<Timer>()
  #now: number

  constructor(startAt: number, seed = 1) {
    this.#now = startAt
    const word = randomWords(seed)
    this.random = () => word() / 2 ** 32
    this.uuid = uuidFrom(word)
  }

  now = (): number => this.#now

  monotonic = (): number => this.#now

  after = (delayMs: number, call: () => void): CancelTimer =>
    this.#add({ dueAt: this.#now + delayMs, intervalMs: null, call })

  every = (intervalMs: number, call: () => void): CancelTimer =>
    this.#add({ dueAt: this.#now + intervalMs, intervalMs, call })

  nextTurn = (call: () => void): void => nextTurn(call)

  /** Moves time on, and calls what is due on the way. */
  advance(milliseconds: number): void {
    const until = this.#now + milliseconds
    for (let timer = this.#next(until); timer; timer = this.#next(until)) {
      this.#now = timer.dueAt
      if (timer.intervalMs === null) this.#timers.delete(timer)
      else timer.dueAt += timer.intervalMs
      timer.call()
    }
    this.#now = until
  }

  #add(timer: Timer): CancelTimer {
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  #next(until: number): Timer | undefined {
    const due = [...this.#timers].filter(({ dueAt }) => dueAt <= until)
    return due.sort((a, b) => a.dueAt - b.dueAt)[0]
  }
}

/** mulberry32. */
function randomWords(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let word = Math.imul(state ^ (state >>> 15), 1 | state)
    word = (word + Math.imul(word ^ (word >>> 7), 61 | word)) ^ word
    return (word ^ (word >>> 14)) >>> 0
  }
}
