import type { RunHost } from './host.ts'
import { Waits } from './waits.ts'

/** `replaying`: the code follows what is recorded. `away`: it has left its slot. Only a `live` run begins anything. */
type Phase = 'replaying' | 'live' | 'away' | 'over'

/** Whether anything may be begun on behalf of a run, and when; what may not yet is kept for later. */
export class Gate {
  readonly #host: RunHost
  readonly #waits: Waits
  #held: (() => void)[] = []
  #phase: Phase
  #isSuspending = false
  #isHearing = false

  constructor(host: RunHost, isReplaying: boolean) {
    this.#host = host
    this.#waits = new Waits(host)
    this.#phase = isReplaying ? 'replaying' : 'live'
  }

  get phase(): Phase {
    return this.#phase
  }

  get isSuspending(): boolean {
    return this.#isSuspending
  }

  get nextDueAt(): number | null {
    return this.#waits.nextDueAt
  }

  /** Does something as soon as the run is live: at once, as a rule. */
  whenLive(begin: () => void): void {
    if (this.#phase === 'live' && !this.#isSuspending) begin()
    else if (this.#phase !== 'over') {
      this.#held.push(begin)
      if (this.#phase === 'away' && !this.#isHearing) this.#host.onRestless()
    }
  }

  /** Does something at once, unless the run is somewhere else. */
  whenBack(begin: () => void): void {
    if (this.#phase === 'away') this.whenLive(begin)
    else begin()
  }

  /** Calls at an instant by the store's clock, also if the run is somewhere else until then. Returns how to call it off. */
  wait(dueAt: number, fire: () => void): () => void {
    return this.#waits.add(dueAt, () => this.whenLive(fire))
  }

  /** Whoever tells a run something while it is away is about to bring it back. */
  hear(tell: () => void): void {
    this.#isHearing = true
    try {
      tell()
    } finally {
      this.#isHearing = false
    }
  }

  open(): void {
    this.#phase = 'live'
    const held = this.#held
    this.#held = []
    for (const begin of held) this.whenLive(begin)
    // What was begun may have brought the run to its end.
    if (this.phase === 'live') this.#waits.turnOn()
  }

  goAway(): void {
    if (this.#phase !== 'live') return
    this.#phase = 'away'
    this.#waits.turnOff()
  }

  suspend(): void {
    this.#isSuspending = true
  }

  close(): void {
    this.#phase = 'over'
    this.#held = []
    this.#waits.clear()
  }
}
