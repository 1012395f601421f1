import { atInstant } from './at-instant.ts'
import type { Call, CallPlan } from './call.ts'
import { encodeValue } from './codec.ts'
import type { Run } from './run.ts'

const FIRED = encodeValue('fired', 'Timer')
const CANCELLED = encodeValue('cancelled', 'Timer')

/** A wait for an instant, which is kept from its first call on. */
export class Timer {
  readonly #run: Run
  /** Counted when the wait begins. */
  readonly #dueAt: () => number
  #call: Call | null = null
  #isCancelled = false

  constructor(run: Run, dueAt: () => number) {
    this.#run = run
    this.#dueAt = dueAt
  }

  plan(name: string, verb: string): CallPlan {
    return { kind: 'timer', name, verb, begin: (call) => this.#begin(call) }
  }

  cancel(): void {
    if (!this.#run.mayCall('timer')) return
    this.#run.gate.whenLive(() => {
      this.#isCancelled = true
      this.#settleCancelled()
    })
  }

  #begin(call: Call): void {
    const run = this.#run
    this.#call = call
    const dueAt = call.recorded?.dueAt ?? this.#dueAt()
    run.note(call, { dueAt })
    call.stopWaiting = atInstant(run, dueAt, (onEarly) => {
      if (!call.isOpen) return
      run.settle(call, { status: 'COMPLETED', output: FIRED, dueAt, isTimer: true }, () => {
        if (call.isGivenUp) return
        if (this.#isCancelled) this.#settleCancelled()
        else onEarly()
      })
    })
  }

  /** One that is about to fire goes on, unless the store finds it too early. */
  #settleCancelled(): void {
    const call = this.#call
    if (!call?.isOpen) return
    call.stopWaiting()
    this.#run.settle(call, { status: 'COMPLETED', output: CANCELLED })
  }
}
