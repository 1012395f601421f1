import { requirePermission } from '../../access/principal.ts'
import { readTenant } from '../jobs/commands/run-job.ts'
import type { WorkersView } from '../overview-answers.ts'
import type { Scope } from '../scope.ts'
import { wireInstant } from '../wire-value.ts'

/** The nodes that run executions, what of the tenant waits for them, and how many of it may run at once. */
export async function readWorkers(scope: Scope): Promise<WorkersView> {
  requirePermission(scope.principal, 'jobs:read')
  const { tenant, store, engineStore } = scope
  const [nodes, counts, queues, { running, limit }] = await Promise.all([
    engineStore.nodes.list(),
    store.executions.count(tenant),
    store.executions.queues(tenant),
    readTenant(scope),
  ])
  return {
    nodes: nodes.map((node) => ({
      id: node.id,
      name: node.name,
      slots: node.slots,
      connections: node.connections,
      running: node.running,
      queues: node.queues,
      isAlive: node.isAlive,
      startedAt: wireInstant(node.startedAt),
      renewedAt: wireInstant(node.renewedAt),
    })),
    running,
    queued: counts.QUEUED,
    queues,
    cap: limit,
  }
}
