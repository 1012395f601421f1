import { requireTenant } from './foreign-tenant-error.ts'
import type { JobStore } from './jobs.ts'
import type { OccurrenceStore } from './occurrences.ts'

/** The jobs of one tenant. */
export function fencedJobs(jobs: JobStore, tenant: string): JobStore {
  const own = ownJobs(jobs, tenant)
  return {
    async put(changes) {
      requireTenant(
        tenant,
        changes.map(({ job }) => job),
      )
      const foreign = new Set((await jobs.find(changes.map(({ job }) => job.id))).filter(isForeign).map(({ id }) => id))
      const answers = await jobs.put(changes.filter(({ job }) => !foreign.has(job.id)))
      // What is somebody else's is gone, as far as anyone here can tell.
      return changes.map(({ job }) => (foreign.has(job.id) ? 'conflict' : (answers.shift() ?? 'conflict')))
    },
    find: async (ids) => (await jobs.find(ids)).filter((job) => !isForeign(job)),
    findByName: async (asked, names) => (asked === tenant ? await jobs.findByName(tenant, names) : []),
    list: async (filter) => ((filter.tenant ?? tenant) === tenant ? await jobs.list({ ...filter, tenant }) : []),
    search: async (query) => (query.tenant === tenant ? await jobs.search(query) : []),
    select: async (selection, limit) => (selection.tenant === tenant ? await jobs.select(selection, limit) : []),
    schedules: async (query) => (query.tenant === tenant ? await jobs.schedules(query) : []),
    count: async (asked) => (asked === tenant ? await jobs.count(tenant) : {}),
    countTypes: async (asked) => (asked === tenant ? await jobs.countTypes(tenant) : []),
    async due(limit) {
      const due = await jobs.due(limit)
      return {
        ...due,
        jobs: due.jobs.filter((job) => !isForeign(job)),
        suspended: due.suspended.filter((each) => each === tenant),
      }
    },
    remove: async (ids) => await jobs.remove([...(await own(ids))]),
  }

  function isForeign(thing: { readonly tenant: string }): boolean {
    return thing.tenant !== tenant
  }
}

/** What was decided about the jobs of one tenant. */
export function fencedOccurrences(occurrences: OccurrenceStore, jobs: JobStore, tenant: string): OccurrenceStore {
  const own = ownJobs(jobs, tenant)
  return {
    async fire(firings) {
      for (const { fired } of firings) {
        requireTenant(
          tenant,
          fired.map(({ body }) => body),
        )
      }
      const displaced = firings.flatMap((firing) => firing.displaced ?? [])
      const known = await own([...firings, ...displaced].map(({ jobId }) => jobId))
      return await occurrences.fire(
        firings
          .filter(({ jobId }) => known.has(jobId))
          .map((firing) => ({ ...firing, displaced: firing.displaced?.filter(({ jobId }) => known.has(jobId)) })),
      )
    },
    ledger: async (query) => ((await own([query.jobId])).size > 0 ? await occurrences.ledger(query) : []),
    standing: async (jobIds) => {
      const known = await own(jobIds)
      return await occurrences.standing(jobIds.filter((id) => known.has(id)))
    },
    waiting: async (jobId, limit) => ((await own([jobId])).size > 0 ? await occurrences.waiting(jobId, limit) : []),
    async consolidate(changes) {
      const known = await own(changes.map(({ jobId }) => jobId))
      return await occurrences.consolidate(changes.filter(({ jobId }) => known.has(jobId)))
    },
  }
}

/** Of these ids, those of the tenant's jobs. A job never changes hands, so that what was found out stays true. */
function ownJobs(jobs: JobStore, tenant: string): (ids: readonly string[]) => Promise<ReadonlySet<string>> {
  return async (ids) => {
    const found = ids.length === 0 ? [] : await jobs.find(ids)
    return new Set(found.filter((job) => job.tenant === tenant).map(({ id }) => id))
  }
}
