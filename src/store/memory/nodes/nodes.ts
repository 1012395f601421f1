import type { NodeRecord, NodeStore } from '../../nodes.ts'
import { RenewalLoop } from '../../renewal-loop.ts'
import { compareIds } from '../schema/compare.ts'
import { frozenCopy } from '../schema/frozen.ts'
import type { NodeRow } from '../schema/rows.ts'
import type { Tables } from '../schema/tables.ts'
import type { Session } from '../session.ts'

export interface MemoryNodeStore extends NodeStore {
  /** Ends every renewal that was begun here. */
  stopKeepers(): Promise<void>
}

export function nodeStore(session: Session): MemoryNodeStore {
  const keepers = new Set<RenewalLoop>()
  const renew = (nodeId: string, leaseMs: number) =>
    session.statement((tables, now) => renewNode(tables, nodeId, leaseMs, now))
  return {
    register: ({ id, name, slots, queues, jobTypes, leaseMs, connections = null, declares }) =>
      session.statement((tables, now) => {
        const times = { startedAt: now, renewedAt: now, expiresAt: now + leaseMs }
        // A call whose answer was lost can be made again: an id that is known is left alone.
        if (!tables.nodes.has(id))
          tables.nodes.put(frozenCopy({ id, name, slots, queues, jobTypes, leaseMs, connections, declares, ...times }))
        return { now, availableConnections: null }
      }),

    renew,

    keepAlive: (request) => {
      const { nodeId, leaseMs } = request
      const lease = {
        renew: () => renew(nodeId, leaseMs),
        isListed: () => session.statement((tables) => tables.nodes.has(nodeId)),
      }
      const keeper = new RenewalLoop(session.env, lease, request)
      keepers.add(keeper)
      return {
        allowUntil: (inMs) => keeper.allowUntil(inMs),
        stop: async () => {
          keepers.delete(keeper)
          await keeper.stop()
        },
      }
    },

    remove: (nodeId) => session.statement((tables, now) => removeNode(tables, nodeId, now)),

    leave: (nodeId, leaseMs) => session.statement((tables, now) => leaveNode(tables, nodeId, leaseMs, now)),

    list: () =>
      session.statement((tables, now) =>
        [...tables.nodes.rows()]
          .toSorted((a, b) => a.startedAt - b.startedAt || compareIds(a.id, b.id))
          .map((node) => recordOf(tables, node, now)),
      ),

    declarations: () =>
      session.statement((tables, now) =>
        [...tables.nodes.rows()]
          .filter(({ expiresAt }) => expiresAt > now)
          .toSorted((a, b) => compareIds(a.id, b.id))
          .map(({ id, name, jobTypes, declares = null }) => ({ id, name, jobTypes, declares })),
      ),

    countStale: () => session.statement((tables, now) => ({ now, stale: countStale(tables, now) })),

    stopKeepers: async () => {
      await Promise.all(Array.from(keepers, (keeper) => keeper.stop()))
      keepers.clear()
    },
  }
}

function renewNode(tables: Tables, nodeId: string, leaseMs: number, now: number): boolean {
  const node = tables.nodes.get(nodeId)
  if (!node) return false
  tables.nodes.put(Object.freeze({ ...node, leaseMs, renewedAt: now, expiresAt: now + leaseMs }))
  return true
}

/** Until when it lived is not lost with it: a node that ends as it should is no silence. */
function removeNode(tables: Tables, nodeId: string, now: number): void {
  const node = tables.nodes.take(nodeId)
  if (node) noteAlive(tables, Math.min(node.expiresAt, now))
}

function leaveNode(tables: Tables, nodeId: string, leaseMs: number, now: number): void {
  if (!renewNode(tables, nodeId, leaseMs, now)) return
  for (const lease of tables.leasesByNode.rowsOf(nodeId)) tables.leases.put({ ...lease, isUnspent: true })
  noteAlive(tables, now)
}

function noteAlive({ service: { alerts } }: Tables, at: number): void {
  if (alerts.watch === null) return
  alerts.watch = { ...alerts.watch, aliveAt: Math.max(alerts.watch.aliveAt, at) }
}

function recordOf(tables: Tables, row: NodeRow, now: number): NodeRecord {
  const { id, name, slots, queues, jobTypes, leaseMs, connections, startedAt, renewedAt, expiresAt } = row
  const running = tables.leasesByNode.group(id)?.size ?? 0
  const known = { id, name, slots, queues, jobTypes, leaseMs, connections, startedAt, renewedAt, expiresAt }
  return Object.freeze({ ...known, isAlive: expiresAt > now, running })
}

function countStale(tables: Tables, now: number): number {
  let stale = 0
  for (const [nodeId, leases] of tables.leasesByNode.groups()) {
    const node = tables.nodes.get(nodeId)
    if (!node || node.expiresAt <= now) stale += leases.size
  }
  return stale
}
