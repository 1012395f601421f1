import type { CancelTimer, Env } from '../../../src/clock.ts'
import { uuidFrom } from '../../../src/uuid.ts'
import type { Chance } from '../../harness/chance.ts'
import type { Version } from './versions.ts'
import type { VirtualTime } from './virtual-time.ts'

/** What is particular about a process. */
export interface MachineTraits {
  /** How wrong its clock is. */
  readonly skewMs: number
  /** By how many millionths its clocks run too fast. */
  readonly driftPpm: number
  /** Which version of the code it runs. */
  readonly version: Version
}

/**
 * What one process lives on: clocks of its own that may be wrong and run too fast or too slow, timers that stop with it, and answers that it hears only while it lives. It can be killed,
 * stopped as by SIGSTOP, or have its event loop blocked, in which its thread for renewals goes on.
 */
export class Machine {
  readonly name: string
  readonly #time: VirtualTime
  readonly #chance: Chance
  readonly version: Version
  readonly #skewMs: number
  /** How much of its own time passes in a millisecond. */
  readonly #pace: number
  readonly #bornAt: number
  /** Hints no longer reach it: its listening connection is half open, and nobody knows. */
  isDeaf = false
  #isDead = false
  #stoppedUntil = 0
  #blockedUntil = 0
  readonly #uuid: (at: number) => string

  constructor(name: string, time: VirtualTime, chance: Chance, traits: MachineTraits) {
    const { skewMs, driftPpm, version } = traits
    this.name = name
    this.version = version
    this.#time = time
    this.#chance = chance
    this.#skewMs = skewMs
    this.#pace = 1 + driftPpm / 1_000_000
    this.#bornAt = time.now
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
    const [pace, bornAt] = [this.#pace, this.#bornAt]
    const passed = () => bornAt + (time.now - bornAt) * pace
    return {
      now: () => Math.floor(passed()) + this.#skewMs,
      monotonic: passed,
      after: (delayMs, call) => time.after(delayMs / pace, able(call)),
      every: (intervalMs, call) => this.#every(intervalMs / pace, able(call)),
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
