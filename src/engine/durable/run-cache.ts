import { PontualError } from '../../errors.ts'
import type { Held } from '../../store/leases.ts'
import type { HostedRun } from './hosted-run.ts'

const MAX_RUNS = 1_000

/** Runs that wait, in memory, so that they go on without a replay where they are claimed by the node that let them go. Those that wait longest are forgotten first. */
export class RunCache {
  readonly #runs = new Map<string, HostedRun>()
  readonly #maxRuns: number

  constructor(maxRuns = MAX_RUNS) {
    this.#maxRuns = maxRuns
  }

  get size(): number {
    return this.#runs.size
  }

  put(hosted: HostedRun): void {
    this.#runs.set(hosted.held.executionId, hosted)
    if (this.#runs.size <= this.#maxRuns) return
    const [oldest] = this.#runs.keys()
    if (oldest !== undefined) this.#drop(oldest)
  }

  /** The run of an execution that was just claimed; null where it is not known here, or somebody else had it since. */
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
