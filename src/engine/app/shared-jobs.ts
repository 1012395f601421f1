import type { Job } from '../../job/job.ts'
import type { JobChange, JobPutResult, JobStore } from '../../store/jobs.ts'
import { Batcher } from '../running/batcher.ts'

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
