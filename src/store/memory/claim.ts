import { PRIORITIES, type Priority } from '../../job/priority.ts'
import type { Claim, ClaimedExecution, ClaimRequest } from '../leases.ts'
import { firstOf, type OrderedSet } from './ordered-set.ts'
import { optionsOf } from './read-execution.ts'
import type { ReadyRow } from './rows.ts'
import { byExecution, type Tables } from './tables.ts'

type Lanes = Readonly<Record<Priority, OrderedSet<ReadyRow>[]>>

/** Takes executions that are ready for a node that is alive. */
export function claim(tables: Tables, request: ClaimRequest, now: number): Claim {
  const { nodeId, limit } = request
  const node = tables.nodes.get(nodeId)
  if (!node || node.expiresAt <= now) return { now, isNodeAlive: false, executions: [] }

  const lanes = lanesOf(tables, request)
  const claimed: ClaimedExecution[] = []
  const takeFrom = (sets: readonly OrderedSet<ReadyRow>[], count: number) => {
    // Read to the end before anything is taken: a set must not change while it is read.
    for (const row of firstOf(sets, byExecution, count)) claimed.push(lease(tables, row, nodeId, now))
  }
  takeFrom([...lanes.MEDIUM, ...lanes.LOW], Math.min(request.aged, limit))
  for (const priority of PRIORITIES) takeFrom(lanes[priority], limit - claimed.length)
  return { now, isNodeAlive: true, executions: claimed.toSorted(byUrgency) }
}

/** The lanes that the node may take from. */
function lanesOf(tables: Tables, { queues, jobTypes }: ClaimRequest): Lanes {
  const knownQueues = new Set(queues)
  const knownTypes = new Set(jobTypes)
  const lanes: Lanes = { HIGH: [], MEDIUM: [], LOW: [] }
  for (const [, lane] of tables.lanes.groups()) {
    // What is true of one row of a lane is true of all.
    const body = lane.first?.body
    if (body && knownQueues.has(body.queue) && knownTypes.has(body.jobType)) lanes[body.priority].push(lane)
  }
  return lanes
}

function lease(tables: Tables, row: ReadyRow, nodeId: string, now: number): ClaimedExecution {
  const { body } = row
  const attempt = row.attempt + 1
  const epoch = row.epoch + 1
  tables.ready.take(body.id)
  tables.leases.put({ body, attempt, epoch, nodeId, claimedAt: now, progress: null, progressNote: null })
  const options = optionsOf(tables, body)
  return { executionId: body.id, body: options === body.options ? body : { ...body, options }, attempt, epoch }
}

function byUrgency(a: ClaimedExecution, b: ClaimedExecution): number {
  return PRIORITIES.indexOf(a.body.priority) - PRIORITIES.indexOf(b.body.priority) || byExecution(a, b)
}
