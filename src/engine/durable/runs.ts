import { PontualError } from '../../errors.ts'
import type { Held } from '../../store/leases.ts'
import { DurableAttempt, type DurableAttemptPlan } from './durable-attempt.ts'
import type { HostedRun } from './hosted-run.ts'
import { type DurableDeps, RunWrites, type RunWritesOptions } from './run-writes.ts'

/** The durable executions of a node: those that run, and those that wait in memory. */
export class Runs {
  readonly #deps: DurableDeps
  readonly #cache = new RunCache()

  constructor(deps: Omit<DurableDeps, 'writes'> & RunWritesOptions) {
    this.#deps = { ...deps, writes: new RunWrites(deps) }
  }

  attempt(plan: DurableAttemptPlan): DurableAttempt {
    return new DurableAttempt(plan, this.#deps, this.#cache)
  }

  /** Drops the runs that wait in memory. */
  stop(): void {
    this.#cache.clear()
  }
}

const MAX_RUNS = 1_000

/**
 * Runs that wait, kept in memory so that they continue without a replay when the node that parked them claims them again. Beyond the limit the longest waiting run is dropped.
 */
class RunCache {
  readonly #runs = new Map<string, HostedRun>()

  put(hosted: HostedRun): void {
    this.#runs.set(hosted.held.executionId, hosted)
    if (this.#runs.size <= MAX_RUNS) return
    const [oldest] = this.#runs.keys()
    if (oldest !== undefined) this.#drop(oldest)
  }

  /** The run of an execution that was just claimed; null if it is not in memory, or another node has held it since. */
  take({ executionId, epoch }: Held): HostedRun | null {
    const hosted = this.#runs.get(executionId)
    if (!hosted) return null
    if (hosted.held.epoch + 1 !== epoch || hosted.run.isOver) {
      this.#drop(executionId)
      return null
    }
    this.#runs.delete(executionId)
    return hosted
  }

  clear(): void {
    for (const id of this.#runs.keys()) this.#drop(id)
  }

  #drop(id: string): void {
    const hosted = this.#runs.get(id)
    this.#runs.delete(id)
    hosted?.run.abandon(new PontualError('execution.gone', 'The run is no longer kept in memory.'))
  }
}
