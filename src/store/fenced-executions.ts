import type { WhereToLook } from './archive.ts'
import type { ExecutionStore } from './executions.ts'
import { requireTenant } from './foreign-tenant-error.ts'
import type { TenantHistoryStore } from './histories.ts'
import type { TenantLogStore } from './logs.ts'

/** The executions of one tenant. */
export function fencedExecutions(executions: ExecutionStore, tenant: string): ExecutionStore {
  const own = ownExecutions(executions, tenant)
  return {
    async enqueue(wanted, options) {
      requireTenant(
        tenant,
        wanted.map(({ body }) => body),
      )
      return await executions.enqueue(wanted, options)
    },
    find: async (ids, where) => (await executions.find(ids, where)).filter((execution) => execution.tenant === tenant),
    list: async (filter) => ((filter.tenant ?? tenant) === tenant ? await executions.list({ ...filter, tenant }) : []),
    search: async (query) => (query.tenant === tenant ? await executions.search(query) : []),
    ran: async (query) => (query.tenant === tenant ? await executions.ran(query) : []),
    recent: async (query) => (query.tenant === tenant ? await executions.recent(query) : []),
    async cancel(requests) {
      const known = await own(requests.map(({ id }) => id))
      const answers = await executions.cancel(requests.filter(({ id }) => known.has(id)))
      return requests.map(({ id }) => (known.has(id) ? (answers.shift() ?? 'unknown') : 'unknown'))
    },
    predecessors: async (id) => ((await own([id])).size > 0 ? await executions.predecessors(id) : []),
    chain: async (id, limit) =>
      (await own([id], { archived: true })).size > 0 ? await executions.chain(id, limit) : null,
    purge: (finishedBefore, limit) => executions.purge(finishedBefore, limit, tenant),
    count: (asked = tenant) =>
      asked === tenant ? executions.count(tenant) : Promise.resolve({ QUEUED: 0, WAITING: 0, RUNNING: 0, DIVERGED: 0 }),
    queues: async (asked) => (asked === tenant ? await executions.queues(tenant) : []),
    async measure(query) {
      const isOwn = (query.tenant ?? tenant) === tenant
      return await executions.measure({ ...query, ...(isOwn ? { tenant } : { tenant: '', limit: 0 }) })
    },
    series: async (query) => (query.tenant === tenant ? await executions.series(query) : []),
    failures: async (query) => (query.tenant === tenant ? await executions.failures(query) : []),
    oldestQueuedAt: async (asked) => (asked === tenant ? await executions.oldestQueuedAt(tenant) : null),
    async statistics(query) {
      // Nobody's, where another tenant is asked for: it has no name.
      return await executions.statistics(query.tenant === tenant ? query : { ...query, tenant: '', limit: 0 })
    },
  }
}

/** The histories of one tenant's runs, and what may be sent to them. */
export function fencedHistories(
  histories: TenantHistoryStore,
  executions: ExecutionStore,
  tenant: string,
): TenantHistoryStore {
  const own = ownExecutions(executions, tenant)
  const isOwn = async (id: string) => (await own([id])).size > 0
  return {
    async resume(filter) {
      const ids = filter.ids ?? (await divergedOf(executions, tenant, filter.limit))
      return await histories.resume({ ...filter, ids: [...(await own(ids))] })
    },
    wake: async (ids) => await histories.wake([...(await own(ids))]),
    async signal(signals) {
      const known = await own(signals.map(({ executionId }) => executionId))
      const answers = await histories.signal(signals.filter(({ executionId }) => known.has(executionId)))
      return signals.map(({ executionId }) => (known.has(executionId) ? (answers.shift() ?? 'unknown') : 'unknown'))
    },
    cut: async (executionId, sequence, audit) =>
      (await isOwn(executionId)) && (await histories.cut(executionId, sequence, audit)),
    async fork(executionId, sequence, execution, audit) {
      requireTenant(tenant, [execution.body])
      return (await isOwn(executionId)) && (await histories.fork(executionId, sequence, execution, audit))
    },
    read: async (executionId, where) =>
      (await own([executionId], where)).size > 0 ? await histories.read(executionId, where) : [],
    lastCheckpoint: async (executionId) =>
      (await isOwn(executionId)) ? await histories.lastCheckpoint(executionId) : null,
  }
}

/** What the executions of one tenant have written. */
export function fencedLogs(logs: TenantLogStore, executions: ExecutionStore, tenant: string): TenantLogStore {
  const own = ownExecutions(executions, tenant)
  return {
    read: async (query) => ((await own([query.executionId], query)).size > 0 ? await logs.read(query) : []),
    size: async (executionId) => ((await own([executionId])).size > 0 ? await logs.size(executionId) : 0),
  }
}

async function divergedOf(executions: ExecutionStore, tenant: string, limit: number): Promise<string[]> {
  const diverged = await executions.list({ tenant, statuses: ['DIVERGED'], limit })
  return diverged.map(({ id }) => id)
}

/** Of these ids, those of the tenant's executions. An execution never changes hands, so that what was found out stays true. */
function ownExecutions(
  executions: ExecutionStore,
  tenant: string,
): (ids: readonly string[], where?: WhereToLook) => Promise<ReadonlySet<string>> {
  return async (ids, where) => {
    const found = ids.length === 0 ? [] : await executions.find(ids, where)
    return new Set(found.filter((execution) => execution.tenant === tenant).map(({ id }) => id))
  }
}
