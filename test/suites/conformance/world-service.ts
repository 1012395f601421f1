import type { ExecutionStatus } from '../../../src/job/execution/execution.ts'
import type { Job } from '../../../src/job/job.ts'
import type { JobStatus } from '../../../src/job/job-status.ts'
import type { JobSort } from '../../../src/store/jobs.ts'
import type { EngineStore } from '../../../src/store/store.ts'
import { MINUTE } from './bench.ts'

type Ask = <Answer>(ask: (store: EngineStore) => Promise<Answer>) => Promise<Answer>

const ALL = 10_000
const SORTS: readonly JobSort[] = ['name', 'status', 'jobType', 'priority', 'nextFireAt', 'createdAt', 'updatedAt']
const STATUSES: readonly (readonly JobStatus[] | undefined)[] = [
  undefined,
  ['ACTIVE', 'PAUSED'],
  ['DELETED', 'FAULTED'],
]

const RUN_STATUSES: readonly (readonly ExecutionStatus[] | undefined)[] = [
  undefined,
  ['SUCCESS', 'WAITING'],
  ['FAILED', 'TIMEOUT', 'CANCELLED', 'DIVERGED'],
  ['QUEUED', 'RUNNING'],
]

/** What people ask about the jobs and executions of a tenant. */
export class WorldService {
  readonly #ask: Ask
  readonly #tenants: readonly string[]
  /** Another question each time; the same ones for the same commands. */
  #turn = 0
  #begunAt = 0

  constructor(ask: Ask, tenants: readonly string[]) {
    this.#ask = ask
    this.#tenants = tenants
  }

  begin(now: number): void {
    this.#turn = 0
    this.#begunAt = now
  }

  async read(now: number, seen: readonly Job[]): Promise<void> {
    this.#turn += 1 + seen.length
    for (const tenant of this.#tenants) {
      await this.#ask(({ executions }) => executions.count(tenant))
      await this.#ask(({ jobs }) => jobs.count(tenant))
      await this.#ask(({ jobs }) => jobs.schedules({ tenant, limit: ALL }))
      await this.#ask(({ jobs }) => jobs.countTypes(tenant))
      await this.#statistics(tenant, now)
      await this.#alerts(tenant)
    }
    for (const { id: jobId, tenant } of seen.slice(-3)) {
      await this.#ask(({ executions }) => executions.statistics({ tenant, jobId, since: now - 2 * MINUTE, limit: ALL }))
    }
    await this.#runs(now, seen)
    await this.#search(seen)
  }

  /** Those of what was done since: stores that have differed before have others. */
  async #alerts(tenant: string): Promise<void> {
    await this.#ask(async ({ alerts }) => {
      const all = await alerts.list({ tenant, limit: ALL })
      return all.filter(({ openedAt }) => openedAt >= this.#begunAt)
    })
    await this.#ask(({ alerts }) => alerts.recoveries(tenant, this.#begunAt))
  }

  async #statistics(tenant: string, now: number): Promise<void> {
    await this.#ask(({ executions }) => executions.measure({ tenant, since: now - MINUTE, limit: ALL }))
    await this.#ask(({ executions }) => executions.oldestQueuedAt(tenant))
    for (const limit of [ALL, 3]) {
      await this.#ask(({ executions }) => executions.failures({ tenant, since: now - 2 * MINUTE, limit }))
      const stretch = { since: now - 2 * MINUTE, until: now, bucketMs: MINUTE / 2 }
      await this.#ask(({ executions }) => executions.series({ tenant, ...stretch, limit }))
    }
    for (const since of [0, now - MINUTE]) {
      for (const limit of [ALL, 3]) await this.#ask(({ executions }) => executions.statistics({ tenant, since, limit }))
    }
  }

  /** What ran, as a list of jobs and a search ask for it. */
  async #runs(now: number, seen: readonly Job[]): Promise<void> {
    const turn = this.#turn
    const tenant = this.#tenants[turn % this.#tenants.length] ?? ''
    const jobIds = seen.slice(-5).map(({ id }) => id)
    const statuses = RUN_STATUSES[turn % RUN_STATUSES.length]
    const since = turn % 2 === 0 ? 0 : now - MINUTE
    await this.#ask(async ({ executions }) => (await executions.ran({ tenant, statuses, since })).toSorted())
    await this.#ask(({ executions }) => executions.recent({ tenant, jobIds, limit: 2, since }))
    const sought = turn % 3 === 0 ? { errorText: 'o' } : { jobIds }
    await this.#ask(({ executions }) => executions.search({ tenant, statuses, since, limit: 5, ...sought }))
  }

  /** Another order each time, from the begin or behind some job. */
  async #search(seen: readonly Job[]): Promise<void> {
    const turn = this.#turn
    const sort = SORTS[turn % SORTS.length] ?? 'name'
    const query = {
      tenant: 'acme',
      sort,
      isDescending: turn % 2 === 0,
      statuses: STATUSES[turn % STATUSES.length],
      text: turn % 5 === 0 ? 'JOB-1' : undefined,
    }
    await this.#ask(({ jobs }) => jobs.search({ ...query, limit: ALL }))
    const edge = seen[turn % seen.length]
    if (!edge) return
    const after = { value: sortValue(edge, sort), id: edge.id }
    await this.#ask(({ jobs }) => jobs.search({ ...query, limit: 2, after }))
  }
}

function sortValue(job: Job, sort: JobSort): string | number | null {
  switch (sort) {
    case 'jobType':
    case 'priority':
      return job.definition[sort]
    case 'nextFireAt':
      return job.schedule.nextFireAt
    case 'name':
    case 'status':
    case 'createdAt':
    case 'updatedAt':
      return job[sort]
  }
}
