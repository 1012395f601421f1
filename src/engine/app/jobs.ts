import { InvalidInputError } from '../../errors.ts'
import type { Job } from '../../job/job.ts'
import { JOB_STATUSES } from '../../job/job-status.ts'
import { requireName } from '../../job/name.ts'
import type { ScheduleOptions } from '../../job/schedule-options.ts'
import type { AnyJobType } from '../../job/type/job-type.ts'
import { Batcher } from '../../store/batcher.ts'
import type { JobChange, JobFilter, JobPutResult, JobStore } from '../../store/jobs.ts'
import type { OccurrenceRecord } from '../../store/occurrences.ts'
import { formatInstant, type Instant, instantOf } from '../../time/instant.ts'
import { requireInteger, requireOneOf, requireOptions } from '../../time/require.ts'
import { stateAfterFire } from '../../time/trigger-state.ts'
import { once } from '../../time/triggers/once.ts'
import { loadCalendars, stateOf } from '../firing/fire-job.ts'
import { pendingEntries } from '../firing/missed-occurrences.ts'
import { codeOf } from '../lifecycle/audit.ts'
import { changeJob, type JobDecision, UnknownJobError } from '../lifecycle/change-job.ts'
import { pausedJob, resumedJob } from '../lifecycle/change-status.ts'
import { requestedExecution } from '../lifecycle/request-execution.ts'
import type { LifecycleDeps } from '../lifecycle/status-fields.ts'
import { inEnqueueSpan, withTrace } from '../telemetry/tracing.ts'
import type { KnownTypes } from './known-types.ts'
import { put } from './reconcile.ts'
import { defineJob, type ScheduleDefaults } from './schedule-job.ts'

/** Which job: its name, and its tenant where it is not the default one. */
export interface JobKey {
  readonly name: string
  readonly tenant?: string | undefined
}

/** A job by its name, or with its tenant where that is not the default one. */
export type JobName = string | JobKey

export function keyOf(name: JobName): JobKey {
  return typeof name === 'string' ? { name } : name
}

/** How long a job is paused. */
export interface PauseOptions {
  /** When the pause ends by itself. Default: when it is resumed. */
  readonly until?: Instant | undefined
}

export interface JobsOptions extends LifecycleDeps {
  readonly defaultTenant: string
  readonly defaults: ScheduleDefaults
  readonly application: string | null
  readonly knownTypes: KnownTypes
  /** When jobs are due, or what runs, has changed. */
  onChanged(): void
}

/** A job that is scheduled at run time: its name, and when and how it runs. */
export interface ScheduleJobOptions<Payload = unknown> extends ScheduleOptions<Payload> {
  /** Unique within its tenant. */
  readonly name: string
  /** Default: the tenant of the application. */
  readonly tenant?: string | undefined
}

const MAX_JOBS = 1_000
const LEDGER_LIMIT = 10_000
const MAX_UPCOMING = 1_000

/** What may be done to jobs at run time. */
export class Jobs {
  readonly #options: JobsOptions

  constructor(options: JobsOptions) {
    this.#options = options
  }

  async schedule(type: AnyJobType | string, { name, tenant, ...options }: ScheduleJobOptions): Promise<Job> {
    const key = this.#keyOf({ name, tenant })
    const known = typeof type === 'string' ? (this.#options.types.get(type) ?? type) : type
    const definition = await defineJob(key.name, known, options, this.#options.defaults, null)
    await this.#options.knownTypes.check(type)
    const job = await put(this.#options, { ...key, definition, origin: 'runtime', by: this.#by })
    this.#options.onChanged()
    return job
  }

  scheduleOnce(type: AnyJobType | string, runAt: Instant, options: Omit<ScheduleJobOptions, 'trigger'>): Promise<Job> {
    return this.schedule(type, { ...options, trigger: once(instantOf(runAt, 'runAt')) })
  }

  async find(key: JobKey): Promise<Job | null> {
    const { tenant, name } = this.#keyOf(key)
    return (await this.#options.store.jobs.findByName(tenant, [name]))[0] ?? null
  }

  async list(filter: Partial<JobFilter> = {}): Promise<Job[]> {
    requireOptions(filter, 'Job filter', ['tenant', 'statuses', 'jobType', 'limit', 'after'])
    for (const status of filter.statuses ?? []) requireOneOf(status, 'status', JOB_STATUSES)
    const { limit = MAX_JOBS } = filter
    requireInteger(limit, 'limit', 1, MAX_JOBS)
    return await this.#options.store.jobs.list({ ...filter, limit })
  }

  async pause(key: JobKey, reason: string | null, options: PauseOptions = {}): Promise<Job> {
    const { until } = requireOptions(options, 'Pause options', ['until'])
    const request = { reason, until: until === undefined ? null : instantOf(until, 'until') }
    return await this.#change(key, (job) => pausedJob(this.#options, job, request, this.#by))
  }

  async resume(key: JobKey): Promise<Job> {
    return await this.#change(key, (job) => resumedJob(this.#options, job, this.#by))
  }

  /** Runs a job now, beside its schedule. */
  async runNow(key: JobKey, input?: unknown): Promise<string> {
    const execution = await requestedExecution(this.#options, await this.#read(key), { input })
    const { id, jobType, jobId, tenant } = execution.body
    await inEnqueueSpan({ jobType }, async ({ trace, setId }) => {
      setId(id)
      await this.#options.store.executions.enqueue([{ ...execution, body: withTrace(execution.body, trace) }])
    })
    this.#options.telemetry.tell('execution.queued', { executionId: id, jobType, jobId, tenant })
    this.#options.onChanged()
    return id
  }

  /** Removes a job and everything that is known of it. Returns whether there was one. */
  async remove(key: JobKey): Promise<boolean> {
    const job = await this.find(key)
    const count = job ? await this.#options.store.jobs.remove([job.id]) : 0
    this.#options.onChanged()
    return count > 0
  }

  /** When a job fires next, as it stands now. */
  async upcoming(key: JobKey, limit: number): Promise<number[]> {
    const job = await this.#read(key)
    requireInteger(limit, 'limit', 1, MAX_UPCOMING)
    const calendarOf = await loadCalendars(this.#options.store, [{ tenant: job.tenant, ...job.definition }])
    const calendar = calendarOf(job, job.definition.calendar)
    const times: number[] = []
    let state = stateOf(job.schedule)
    while (state.nextFireAt !== null && times.length < limit) {
      times.push(state.nextFireAt)
      state = stateAfterFire(state, calendar)
    }
    return times
  }

  /** What was decided about each occurrence of a job in a stretch of time. */
  async ledger(key: JobKey, from: Instant, to: Instant): Promise<OccurrenceRecord[]> {
    const { store, time } = this.#options
    const job = await this.#read(key)
    const [start, end] = [instantOf(from, 'from'), instantOf(to, 'to')]
    if (end < start) {
      const message = `to must not be before from, got ${formatInstant(end)} before ${formatInstant(start)}.`
      throw new InvalidInputError('option.invalid', message, { from, to })
    }
    const recorded = await store.occurrences.ledger({ jobId: job.id, from: start, to: end, limit: LEDGER_LIMIT })
    const pending = await pendingEntries(store, job, Math.min(end - 1, time.now()), time.now())
    return [...recorded, ...pending.filter((entry) => entry.to >= start && entry.from < end)]
  }

  /** As the audit log and the rules of approval know it: the code has asked. */
  get #by() {
    return codeOf(this.#options.application)
  }

  async #change(key: JobKey, decide: (job: Job) => Promise<JobDecision> | JobDecision): Promise<Job> {
    const job = await changeJob(this.#options, key.name, () => this.#read(key), decide)
    this.#options.onChanged()
    return job
  }

  async #read(key: JobKey): Promise<Job> {
    const job = await this.find(key)
    if (job) return job
    throw new UnknownJobError(key.name)
  }

  #keyOf({ name, tenant }: JobKey): { readonly tenant: string; readonly name: string } {
    return {
      tenant: tenant === undefined ? this.#options.defaultTenant : requireName(tenant, 'tenant'),
      name: requireName(name, 'Job name'),
    }
  }
}

interface ByName {
  readonly tenant: string
  readonly name: string
}

/** The jobs of a store for many who ask at the same time: they share round trips and commits, whoever schedules thousands included. */
export function sharedJobs(jobs: JobStore): JobStore {
  const found = new Batcher<string, Job | null>({
    flush: async (ids) => {
      const byId = new Map((await jobs.find([...new Set(ids)])).map((job) => [job.id, job]))
      return ids.map((id) => byId.get(id) ?? null)
    },
  })
  const named = new Batcher<ByName, Job | null>({ flush: (keys) => findByName(jobs, keys) })
  const put = new Batcher<JobChange, JobPutResult>({ flush: (changes) => jobs.put(changes) })
  return {
    put: (changes) => Promise.all(changes.map((change) => put.add(change))),
    find: async (ids) => present(await Promise.all(ids.map((id) => found.add(id)))),
    findByName: async (tenant, names) => present(await Promise.all(names.map((name) => named.add({ tenant, name })))),
    list: (filter) => jobs.list(filter),
    search: (query) => jobs.search(query),
    select: (selection, limit) => jobs.select(selection, limit),
    schedules: (query) => jobs.schedules(query),
    count: (tenant) => jobs.count(tenant),
    countTypes: (tenant) => jobs.countTypes(tenant),
    due: (limit) => jobs.due(limit),
    remove: (ids) => jobs.remove(ids),
  }
}

async function findByName(jobs: JobStore, keys: readonly ByName[]): Promise<(Job | null)[]> {
  const names = new Map<string, Set<string>>()
  for (const { tenant, name } of keys) names.set(tenant, (names.get(tenant) ?? new Set()).add(name))
  const byName = new Map<string, Map<string, Job>>()
  for (const [tenant, asked] of names) {
    const found = await jobs.findByName(tenant, [...asked])
    byName.set(tenant, new Map(found.map((job) => [job.name, job])))
  }
  return keys.map(({ tenant, name }) => byName.get(tenant)?.get(name) ?? null)
}

function present(jobs: readonly (Job | null)[]): Job[] {
  return jobs.filter((job) => job !== null)
}
