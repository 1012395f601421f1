import type { EngineStore } from '../../../src/store/store.ts'
import { type Cast, TENANT } from './cast.ts'

/** All that can be seen of what verbs act on. */
export async function observe(store: EngineStore, cast: Cast) {
  const { executions, jobs, occurrences, tenants, nodes, leases, histories } = store
  const { executionIds, job, unapproved, lapsed, alive, run } = cast
  const found = await executions.find([...new Set(executionIds)])
  const ledger = await occurrences.ledger({ jobId: job.id, from: 0, to: Number.MAX_SAFE_INTEGER, limit: 100 })
  const all = await tenants.list({ limit: 1_000 })
  const listed = await nodes.list()
  const { hasReady, nextFireAt, nextDueAt } = await store.pulse()
  return {
    executions: found.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    jobs: (await jobs.find([job.id, unapproved.id])).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    ledger,
    tenant: all.find(({ tenant }) => tenant === TENANT),
    nodes: listed.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    held: [await heldBy(store, lapsed), await heldBy(store, alive)],
    history: await histories.read(run.executionId),
    news: await newsOf(store, cast),
    counts: await executions.count(),
    pulse: { hasReady, nextFireAt, nextDueAt },
    leases: (await leases.held(alive)).length,
  }
}

export type Observed = Awaited<ReturnType<typeof observe>>

async function heldBy({ leases }: EngineStore, nodeId: string) {
  return (await leases.held(nodeId)).toSorted((a, b) => (a.executionId < b.executionId ? -1 : 1))
}

/** What has come for the run, as its holder would be told; asked last, since that clears its mark. */
async function newsOf({ histories, leases }: EngineStore, { run, lapsed, alive }: Cast) {
  const held = [...(await leases.held(lapsed)), ...(await leases.held(alive))]
  const ours = held.find(({ executionId }) => executionId === run.executionId)
  if (!ours) return null
  const [news] = await histories.news([ours])
  return news && { ...news, signals: news.signals.map(({ name, payload, sentAt }) => ({ name, payload, sentAt })) }
}
