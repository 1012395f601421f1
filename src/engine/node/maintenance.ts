import type { Env } from '../../clock.ts'
import type { Job } from '../../job/job.ts'
import { firesNow } from '../../job/job-status.ts'
import type { Logger } from '../../logger.ts'
import type { EngineStore } from '../../store/store.ts'
import { Loop, type NextStep } from './loop.ts'

export interface MaintenanceOptions {
  readonly env: Env
  readonly logger: Logger
  readonly store: EngineStore
}

const INTERVAL_MS = 3_600_000

/** Keeps the store in shape, once an hour. */
export class Maintenance extends Loop {
  constructor({ env, logger, store }: MaintenanceOptions) {
    super({
      name: 'maintenance',
      env,
      logger,
      everyMs: INTERVAL_MS,
      step: async () => {
        await store.maintain()
        return 'whenWoken'
      },
    })
  }
}

interface UnservedCheckOptions {
  readonly env: Env
  readonly logger: Logger
  readonly store: EngineStore
}

const CHECK_MS = 60_000

const MAX_JOBS = 1_000

/** Looks for jobs that fire although no node that lives runs their job type, such as one that was taken out of the code: their executions pile up in silence. */
export class UnservedCheck extends Loop {
  readonly #options: UnservedCheckOptions
  #suspects = new Set<string>()
  readonly #told = new Set<string>()

  constructor(options: UnservedCheckOptions) {
    const { env, logger } = options
    super({ name: 'unserved check', env, logger, everyMs: CHECK_MS, step: () => this.#check() })
    this.#options = options
  }

  async #check(): Promise<NextStep> {
    const { store } = this.#options
    const jobs = await store.jobs.list({ statuses: ['ACTIVE', 'APPROVED', 'FAULTED'], limit: MAX_JOBS })
    const nodes = await store.nodes.list()
    const served = new Set(nodes.filter(({ isAlive }) => isAlive).flatMap(({ jobTypes }) => jobTypes))
    const unserved = jobs.filter(
      (job) => firesNow(job) && job.schedule.nextFireAt !== null && !served.has(job.definition.jobType),
    )
    // Seen twice: a node that knows it may be about to start.
    for (const job of unserved) if (this.#suspects.has(job.id)) this.#tell(job)
    this.#suspects = new Set(unserved.map(({ id }) => id))
    return 'whenWoken'
  }

  #tell({ id, name, tenant, definition }: Job): void {
    if (this.#told.has(id)) return
    this.#told.add(id)
    const message = 'A job fires, but no node runs its job type: what it fires waits'
    this.#options.logger.warn(message, { job: name, tenant, jobType: definition.jobType })
  }
}
