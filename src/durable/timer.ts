import type { Call, CallPlan } from './call.ts'
import { encodeValue } from './codec.ts'
import type { Run } from './run.ts'

const FIRED = encodeValue('fired', 'Timer')
const CANCELLED = encodeValue('cancelled', 'Timer')
/** A clock that is ahead of the store's is asked again after so long. */
const LOOK_AGAIN_MS = 2

/** A wait for an instant, which is kept from its first call on. */
export class Timer {
  readonly #run: Run
  /** Counted when the wait begins. */
  readonly #dueAt: () => number
  #call: Call | null = null
  #stopWaiting: () => void = () => {}
  #isOver = false

  constructor(run: Run, dueAt: () => number) {
    this.#run = run
    this.#dueAt = dueAt
  }

  plan(name: string, verb: string): CallPlan {
    return { kind: 'timer', name, verb, begin: (call) => this.#begin(call), giveUp: () => this.#stopWaiting() }
  }

  cancel(): void {
    this.#run.whenLive(() => {
      if (this.#isOver || !this.#call) return
      this.#isOver = true
      this.#stopWaiting()
      this.#run.settle(this.#call, { status: 'COMPLETED', output: CANCELLED })
    })
  }

  #begin(call: Call): void {
    this.#call = call
    const dueAt = call.recorded?.dueAt ?? this.#dueAt()
    this.#run.ledger.putBeside(call.entry({ dueAt }))
    this.#wait(call, dueAt, dueAt)
  }

  #wait(call: Call, dueAt: number, lookAt: number): void {
    this.#stopWaiting = this.#run.wait(lookAt, () => {
      if (this.#isOver || call.isGivenUp) return
      this.#isOver = true
      this.#run.settle(call, { status: 'COMPLETED', output: FIRED, dueAt, isTimer: true }, () => {
        this.#isOver = false
        this.#wait(call, dueAt, this.#run.host.now() + LOOK_AGAIN_MS)
      })
    })
  }
}
