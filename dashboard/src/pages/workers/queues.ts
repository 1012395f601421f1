import type { WorkersView } from '../../api/wire.ts'

export interface QueueRow {
  readonly queue: string
  readonly queued: number
  /** How many nodes that are alive take from it. */
  readonly servers: number
}

/** All queues that somebody serves or waits in: the longest first, those that nobody serves before all. */
export function queuesOf({ nodes, queues }: Pick<WorkersView, 'nodes' | 'queues'>): readonly QueueRow[] {
  const alive = nodes.filter(({ isAlive }) => isAlive)
  const depths = new Map(queues.map(({ queue, queued }) => [queue, queued]))
  const names = new Set([...depths.keys(), ...alive.flatMap((node) => node.queues)])
  const rows = [...names].map((queue) => ({
    queue,
    queued: depths.get(queue) ?? 0,
    servers: alive.filter((node) => node.queues.includes(queue)).length,
  }))
  return rows.toSorted(
    (a, b) => Number(a.servers > 0) - Number(b.servers > 0) || b.queued - a.queued || a.queue.localeCompare(b.queue),
  )
}
