import type { Env } from '../../clock.ts'
import type { Job } from '../../job/job.ts'
import { firesNow } from '../../job/job-status.ts'
import type { OverlapResolution } from '../../job/rules/resolve-overlap.ts'
import type { AnyJobType } from '../../job/type/job-type.ts'
import type { Logger } from '../../logger.ts'
import type { CancelRequest } from '../../store/executions.ts'
import type { Firing } from '../../store/occurrences.ts'
import type { EngineStore } from '../../store/store.ts'
import { formatInstant } from '../../time/instant.ts'
import { endPause, faultedJob, withdrawnJob } from '../lifecycle/change-status.ts'
import { mayRun } from '../lifecycle/status-fields.ts'
import { AT_ONCE, Loop, type NextStep } from '../node/loop.ts'
import type { StoreTime } from '../node/store-time.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import {
  type CalendarOf,
  cancelReplaced,
  firingOf,
  loadCalendars,
  loadStanding,
  meetOverlap,
  replacedBy,
  resolveJob,
  type StandingOf,
  tellCancelled,
} from './fire-job.ts'

export interface SchedulerOptions {
  readonly env: Env
  readonly types: ReadonlyMap<string, AnyJobType>
  readonly logger: Logger
  readonly store: EngineStore
  readonly time: StoreTime
  readonly telemetry: Telemetry
  /** Something was fired: it may be claimed, and other instants are next. */
  onFired(): void
  /** Something was ended that may run here. */
  onCancelled(): void
}

/** Jobs that are resolved and fired together. */
const BATCH = 500
/** Executions that are fired or displaced together at most: a catch-up of a thousand jobs is no single transaction. */
const MAX_WRITTEN = 2_000
/** Of how many jobs is remembered what is still to be cancelled, should the store refuse it for long; the next occurrence of a job makes up for the rest. */
const MAX_REPLACED = 1_000

/**
 * Fires what is due: reads due jobs, decides about their occurrences, and writes the decision if nobody else has. There is no leader: any
 * number of nodes may do the same, and the key of the occurrence lets one of them win.
 */
export class Scheduler extends Loop {
  readonly #options: SchedulerOptions
  /** What was fired has taken the place of something that is not cancelled yet. */
  #replaced: (readonly CancelRequest[])[] = []
  /** What was perhaps fired, and would take the place of something. */
  #inDoubt: readonly Decided[] = []

  constructor(options: SchedulerOptions) {
    const { env, logger } = options
    super({ name: 'scheduler', env, logger, step: () => this.#fireDue() })
    this.#options = options
  }

  async #fireDue(): Promise<NextStep> {
    const { store, time } = this.#options
    const { now, jobs: due, suspended } = await time.observe(() => store.jobs.due(BATCH))
    await this.#endPauses(due, now)
    const jobs = due.filter(firesNow)
    if (due.length === 0) {
      await this.#cancelReplaced()
      this.#options.onFired()
      return 'whenWoken'
    }
    const calendarOf = await loadCalendars(
      store,
      jobs.map(({ tenant, definition }) => ({ tenant, calendar: definition.calendar })),
    )
    // Read after the jobs: what they fired up to where they stand is in it.
    const standingOf = await loadStanding(store, jobs)
    const isSuspended = ({ tenant }: Job) => suspended.includes(tenant)
    const decided = await this.#decide(jobs, { calendarOf, standingOf, isSuspended, now })
    for (const part of inParts(decided)) {
      const fired = new Set(await this.#fire(part))
      for (const each of part) if (fired.has(each.job.id)) this.#noteFired(each)
    }
    await this.#cancelReplaced()
    this.#options.onFired()
    return AT_ONCE
  }

  async #decide(jobs: readonly Job[], { calendarOf, standingOf, isSuspended, now }: Known): Promise<Decided[]> {
    const { env, store } = this.#options
    const decided: Decided[] = []
    for (const job of jobs) {
      try {
        if (!mayRun(this.#options, job)) {
          await store.jobs.put([withdrawnJob(job).change])
          continue
        }
        const cause = isSuspended(job) ? 'flag' : 'outage'
        const calendar = calendarOf(job, job.definition.calendar)
        const due = resolveJob(job, calendar, now, cause)
        const overlap = meetOverlap(job, calendar, due, standingOf(job), now)
        decided.push({ job, overlap, firing: firingOf(job, overlap, now, () => env.uuid(now)) })
      } catch (error) {
        await this.#fault(job, error)
      }
    }
    return decided
  }

  /** Pauses that were to end by now: what they held back is due in the next step. */
  async #endPauses(due: readonly Job[], now: number): Promise<void> {
    for (const job of due) if (job.status === 'PAUSED') await endPause(this.#options, job, now)
  }

  /** One job that cannot be decided about, such as one that names a calendar that is gone, must not hold up the others. */
  async #fault(job: Job, error: unknown): Promise<void> {
    const reason = error instanceof Error ? error.message : String(error)
    const [result] = await this.#options.store.jobs.put([faultedJob(job, reason).change])
    if (result !== 'stored') return
    const facts = { jobId: job.id, job: job.name, tenant: job.tenant, executionId: null, error: reason }
    this.#options.telemetry.tell('job.faulted', facts)
  }

  async #fire(part: readonly Decided[]): Promise<readonly string[]> {
    const { store, telemetry } = this.#options
    try {
      const { jobIds, ended } = await store.occurrences.fire(part.map(({ firing }) => firing))
      tellCancelled(telemetry, ended)
      return jobIds
    } catch (error) {
      // Only the answer may be lost: then something has to be cancelled and told nevertheless.
      const displacing = part.filter(
        ({ firing, overlap }) => overlap.replaced.length + (firing.displaced ?? []).length > 0,
      )
      this.#inDoubt = [...this.#inDoubt, ...displacing].slice(-MAX_REPLACED)
      throw error
    }
  }

  #noteFired(decided: Decided): void {
    this.#tell(decided)
    const replaced = replacedBy(decided.overlap)
    if (replaced.length > 0) this.#replaced.push(replaced)
  }

  /** Whether a job was fired by a call whose answer was lost is told by the executions it made. */
  async #clearDoubts(): Promise<void> {
    if (this.#inDoubt.length === 0) return
    const firstOf = ({ firing }: Decided) => firing.fired[0]?.body.id ?? ''
    const ids = this.#inDoubt.map(firstOf).filter((id) => id !== '')
    const found = new Set((await this.#options.store.executions.find(ids)).map(({ id }) => id))
    const doubtful = this.#inDoubt
    this.#inDoubt = []
    for (const each of doubtful) if (found.has(firstOf(each))) this.#noteFired(each)
  }

  /** Cancels what was replaced. What the store does not take is tried again after the next step has fired what is due. */
  async #cancelReplaced(): Promise<void> {
    await this.#clearDoubts()
    this.#replaced = this.#replaced.slice(-MAX_REPLACED)
    const hasCancelled = await cancelReplaced(this.#options, this.#replaced.flat())
    this.#replaced = []
    if (hasCancelled) this.#options.onCancelled()
  }

  #tell({ job, overlap }: Decided): void {
    const { telemetry } = this.#options
    const { resolution } = overlap
    const { nextFireAt } = resolution.state
    const facts = {
      jobId: job.id,
      job: job.name,
      tenant: job.tenant,
      nextFireAt: nextFireAt === null ? null : formatInstant(nextFireAt),
    }
    const missed = overlap.missed || resolution.ledger.reduce((sum, { count }) => sum + count, 0)
    const cause = overlap.missed > 0 ? 'overlap' : resolution.ledger[0]?.cause
    // What is switched off on purpose is nothing to be warned of.
    if (resolution.policy !== null && cause && cause !== 'flag') {
      telemetry.tell('job.misfired', { ...facts, missed, policy: resolution.policy, cause })
    }
    if (resolution.fire.length > 0) telemetry.tell('job.fired', { ...facts, count: resolution.fire.length })
  }
}

/** What is known about jobs that are due. */
interface Known {
  readonly calendarOf: CalendarOf
  readonly standingOf: StandingOf
  readonly isSuspended: (job: Job) => boolean
  readonly now: number
}

interface Decided {
  readonly job: Job
  readonly overlap: OverlapResolution
  readonly firing: Firing
}

function* inParts(decided: readonly Decided[]): Generator<readonly Decided[]> {
  let part: Decided[] = []
  let size = 0
  for (const each of decided) {
    const { fired, displaced = [] } = each.firing
    const written = fired.length + displaced.length
    if (size + written > MAX_WRITTEN && part.length > 0) {
      yield part
      part = []
      size = 0
    }
    part.push(each)
    size += written
  }
  if (part.length > 0) yield part
}
