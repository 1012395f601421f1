import type { Env } from '../clock.ts'
import type { Job } from '../job/job.ts'
import type { Logger } from '../logger.ts'
import type { Firing } from '../store/occurrences.ts'
import type { Store } from '../store/store.ts'
import { formatInstant } from '../time/instant.ts'
import type { Resolution } from '../time/misfire/resolution.ts'
import { firingOf, resolveJob } from './fire-job.ts'
import { type CalendarOf, loadCalendars } from './job-calendars.ts'
import { AT_ONCE, Loop, type NextStep } from './loop.ts'
import type { StoreTime } from './store-time.ts'
import type { Telemetry } from './telemetry.ts'

export interface SchedulerOptions {
  readonly env: Env
  readonly logger: Logger
  readonly store: Store
  readonly time: StoreTime
  readonly telemetry: Telemetry
  /** Something was fired: it may be claimed, and other instants are next. */
  onFired(): void
}

/** Jobs that are resolved and fired together. */
const BATCH = 200
/** Executions that one statement fires at most: a catch-up of a thousand jobs is no single transaction. */
const MAX_FIRED = 2_000

/**
 * Fires what is due: reads due jobs, decides about their occurrences, and writes the decision if nobody else has. There is no leader: any
 * number of nodes may do the same, and the key of the occurrence lets one of them win.
 */
export class Scheduler extends Loop {
  readonly #options: SchedulerOptions

  constructor(options: SchedulerOptions) {
    const { env, logger } = options
    super({ name: 'scheduler', env, logger, step: () => this.#fireDue() })
    this.#options = options
  }

  async #fireDue(): Promise<NextStep> {
    const { store, time } = this.#options
    const { now, jobs } = await time.observe(() => store.jobs.due(BATCH))
    if (jobs.length === 0) {
      this.#options.onFired()
      return 'whenWoken'
    }
    const calendarOf = await loadCalendars(
      store,
      jobs.map(({ tenant, definition }) => ({ tenant, calendar: definition.calendar })),
    )
    const decided = await this.#decide(jobs, calendarOf, now)
    for (const part of inParts(decided)) {
      const fired = new Set(await store.occurrences.fire(part.map(({ firing }) => firing)))
      for (const each of part) if (fired.has(each.job.id)) this.#tell(each)
    }
    this.#options.onFired()
    return AT_ONCE
  }

  async #decide(jobs: readonly Job[], calendarOf: CalendarOf, now: number): Promise<Decided[]> {
    const { env } = this.#options
    const decided: Decided[] = []
    for (const job of jobs) {
      try {
        const resolution = resolveJob(job, calendarOf(job, job.definition.calendar), now, 'outage')
        decided.push({ job, resolution, firing: firingOf(job, resolution, now, () => env.uuid(now)) })
      } catch (error) {
        await this.#fault(job, error)
      }
    }
    return decided
  }

  /** One job that cannot be decided about, such as one that names a calendar that is gone, must not hold up the others. */
  async #fault(job: Job, error: unknown): Promise<void> {
    const reason = error instanceof Error ? error.message : String(error)
    const faulted: Job = {
      ...job,
      status: 'FAULTED',
      resumeStatus: job.status,
      statusReason: reason,
      version: job.version + 1,
    }
    const change = { job: faulted, expectedVersion: job.version, ledger: [] }
    const [result] = await this.#options.store.jobs.put([change])
    if (result !== 'stored') return
    const facts = { jobId: job.id, job: job.name, tenant: job.tenant, executionId: null, error: reason }
    this.#options.telemetry.tell('job.faulted', facts)
  }

  #tell({ job, resolution }: Decided): void {
    const { telemetry } = this.#options
    const { nextFireAt } = resolution.state
    const facts = {
      jobId: job.id,
      job: job.name,
      tenant: job.tenant,
      nextFireAt: nextFireAt === null ? null : formatInstant(nextFireAt),
    }
    const missed = resolution.ledger.reduce((sum, { count }) => sum + count, 0)
    const cause = resolution.ledger[0]?.cause
    if (resolution.policy !== null && cause) {
      telemetry.tell('job.misfired', { ...facts, missed, policy: resolution.policy, cause })
    }
    if (resolution.fire.length > 0) telemetry.tell('job.fired', { ...facts, count: resolution.fire.length })
  }
}

interface Decided {
  readonly job: Job
  readonly resolution: Resolution
  readonly firing: Firing
}

function* inParts(decided: readonly Decided[]): Generator<readonly Decided[]> {
  let part: Decided[] = []
  let size = 0
  for (const each of decided) {
    if (size + each.firing.fired.length > MAX_FIRED && part.length > 0) {
      yield part
      part = []
      size = 0
    }
    part.push(each)
    size += each.firing.fired.length
  }
  if (part.length > 0) yield part
}
