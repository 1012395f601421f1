import type { CancelTimer, Env } from '../../src/clock.ts'
import { uuidFrom } from '../../src/uuid.ts'
import type { Chance } from './chance.ts'
import type { VirtualTime } from './virtual-time.ts'

/**
 * What one process lives on: a clock of its own that may be wrong, timers that stop with it, and answers that it hears only while it lives. It can be killed,
 * stopped as by SIGSTOP, or have its event loop blocked, in which its thread for renewals goes on.
 */
export class Machine {
  readonly name: string
  readonly #time: VirtualTime
  readonly #chance: Chance
  /** How wrong its clock is. */
  readonly skewMs: number
  /** Hints no longer reach it: its listening connection is half open, and nobody knows. */
  isDeaf = false
  #isDead = false
  #stoppedUntil = 0
  #blockedUntil = 0
  readonly #uuid: (at: number) => string

  constructor(name: string, time: VirtualTime, chance: Chance, skewMs: number) {
    this.name = name
    this.#time = time
    this.#chance = chance
    this.skewMs = skewMs
    this.#uuid = uuidFrom(() => chance.word())
  }

  get isDead(): boolean {
    return this.#isDead
  }

  kill(): void {
    this.#isDead = true
  }

  /** Nothing of it goes on for a while. */
  stop(forMs: number): void {
    this.#stoppedUntil = Math.max(this.#stoppedUntil, this.#time.now + forMs)
  }

  /** Its event loop stands still for a while, but not the thread that renews its lease. */
  block(forMs: number): void {
    this.#blockedUntil = Math.max(this.#blockedUntil, this.#time.now + forMs)
  }

  /** Calls once the machine is able to, and never where it is dead. */
  whenAble(call: () => void, isInThread = false): void {
    if (this.#isDead) return
    const ableAt = isInThread ? this.#stoppedUntil : Math.max(this.#stoppedUntil, this.#blockedUntil)
    if (ableAt <= this.#time.now) call()
    else this.#time.at(ableAt, () => this.whenAble(call, isInThread))
  }

  env(isInThread = false): Env {
    const time = this.#time
    const able = (call: () => void) => () => this.whenAble(call, isInThread)
    return {
      now: () => time.now + this.skewMs,
      monotonic: () => time.now,
      after: (delayMs, call) => time.after(delayMs, able(call)),
      every: (intervalMs, call) => this.#every(intervalMs, able(call)),
      nextTurn: (call) => void time.after(0, able(call)),
      random: () => this.#chance.fraction(),
      uuid: (at) => this.#uuid(at),
    }
  }

  #every(intervalMs: number, call: () => void): CancelTimer {
    let cancel: CancelTimer = () => {}
    const again = () => {
      cancel = this.#time.after(intervalMs, () => {
        if (this.#isDead) return
        call()
        again()
      })
    }
    again()
    return () => cancel()
  }
}
