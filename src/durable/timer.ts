import type { Call, CallPlan } from './call.ts'
import { encodeValue } from './codec.ts'
import type { Run } from './run.ts'
import { atInstant } from './waits.ts'

const FIRED = encodeValue('fired', 'Timer')
const CANCELLED = encodeValue('cancelled', 'Timer')

/** A wait for an instant, which is fixed when the wait begins and kept over restarts. */
export class Timer {
  readonly #run: Run
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
    this.#run.effects.whenLive(() => {
      this.#isCancelled = true
      this.#settleCancelled()
    })
  }

  #begin(call: Call): void {
    const { effects } = this.#run
    this.#call = call
    const dueAt = call.recorded?.dueAt ?? this.#dueAt()
    effects.note(call, () => ({ dueAt }))
    call.stopWaiting = atInstant(this.#run, dueAt, (onEarly) => {
      if (!call.isOpen) return
      effects.settle(call, { status: 'COMPLETED', output: FIRED, dueAt, isTimer: true }, () => {
        if (call.isGivenUp) return
        if (this.#isCancelled) this.#settleCancelled()
        else onEarly()
      })
    })
  }

  /** A timer that is being recorded as fired is cancelled only if the store finds it too early. */
  #settleCancelled(): void {
    const call = this.#call
    if (!call?.isOpen) return
    call.stopWaiting()
    this.#run.effects.settle(call, { status: 'COMPLETED', output: CANCELLED })
  }
}

/** A sleep of a duration; with the margin of the clock it is never shorter. */
export function sleepPlan(run: Run, ms: number): CallPlan {
  const { host } = run
  return sleepUntilPlan(run, () => host.now() + ms + host.marginMs)
}

export function sleepUntilPlan(run: Run, dueAt: () => number): CallPlan {
  return { ...new Timer(run, dueAt).plan('sleep', 'sleep'), valueFrom: () => undefined }
}
