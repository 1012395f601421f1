import { DurableAttempt, type DurableAttemptPlan } from './durable-attempt.ts'
import { RunCache } from './run-cache.ts'
import type { RunWritesOptions } from './run-writes.ts'
import { RunWrites } from './run-writes.ts'
import type { DurableSurroundings } from './surroundings.ts'

/** The durable executions of a node: those that run, and those that wait in memory. */
export class Runs {
  readonly #around: DurableSurroundings
  readonly #cache = new RunCache()

  constructor(around: Omit<DurableSurroundings, 'writes'> & RunWritesOptions) {
    this.#around = { ...around, writes: new RunWrites(around) }
  }

  attempt(plan: DurableAttemptPlan): DurableAttempt {
    return new DurableAttempt(plan, this.#around, this.#cache)
  }

  /** Forgets what waits in memory. */
  stop(): void {
    this.#cache.clear()
  }
}
