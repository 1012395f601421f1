import type { ExecutionBody } from '../../job/execution.ts'
import { priorityOfRank } from '../../job/priority.ts'
import type { MisfireInfo } from '../../time/misfire/resolution.ts'
import type { Claim, ClaimedExecution, ClaimRequest } from '../leases.ts'
import { claimExecutions } from './claim-statement.ts'
import type { Lane } from './lanes.ts'
import { optionsFrom } from './options.ts'
import type { Parts } from './parts.ts'

/** How often a claim looks again: at twice as much where others had locked what it saw, and at more lanes where there are many. */
const TRIES = 16

interface ClaimRow extends Omit<ExecutionBody, 'id' | 'priority' | 'options' | 'tenant' | 'queue' | 'jobType'> {
  readonly now: number
  readonly isNodeAlive: boolean
  /** How many were looked at. */
  readonly seen: number
  readonly foreignLanes: readonly number[]
  /** Set where there may be more lanes than were looked at. */
  readonly lastLane: number | null
  /** null in the one row that there is when nothing was claimed. */
  readonly id: string | null
  readonly lane: number
  readonly priority: number
  readonly options: string | null
  readonly misfire: MisfireInfo | null
  readonly attempt: number
  readonly epoch: number
}

type TakenRow = ClaimRow & { readonly id: string }

interface Round {
  readonly now: number
  readonly isNodeAlive: boolean
  readonly executions: readonly ClaimedExecution[]
  /** Whether there was more to take, had not others been faster. */
  readonly isContended: boolean
  readonly hasMoreLanes: boolean
}

export async function claim(parts: Parts, request: ClaimRequest): Promise<Claim> {
  const { cursor } = parts
  cursor.serve(request.queues, request.jobTypes)
  const executions: ClaimedExecution[] = []
  let { limit } = request
  let aged = Math.min(request.aged, limit)
  let reach = 2 * limit + 16
  let isWhole = cursor.isSweep
  // A walk that began among the lanes ends before it: once round, and all were looked at.
  let isRound = cursor.isAtFirstLane
  for (let tries = 1; ; tries++) {
    const round = await claimRound(parts, { ...request, limit, aged }, reach)
    executions.push(...round.executions)
    limit -= round.executions.length
    aged = 0
    const { now, isNodeAlive } = round
    const answer = { now, isNodeAlive, executions }
    if (limit <= 0 || !isNodeAlive || tries >= TRIES) return answer
    if (round.isContended) {
      reach *= 2
    } else if (!round.hasMoreLanes && !isRound) {
      isRound = true
    } else if (!round.hasMoreLanes) {
      if (isWhole || !cursor.maySweep()) return answer
      cursor.sweep()
      isWhole = true
    }
  }
}

async function claimRound(
  { cursor, lanes, driver, testTime }: Parts,
  { nodeId, queues, jobTypes, limit, aged }: ClaimRequest,
  reach: number,
): Promise<Round> {
  const begun = cursor.begin()
  const values = [testTime(), nodeId, Math.max(0, limit), aged, ...begun.values, queues, jobTypes, reach]
  const rows = await driver.query<ClaimRow>(claimExecutions, values)
  const { now = 0, isNodeAlive = false, seen = 0, foreignLanes = [], lastLane = null } = rows[0] ?? {}
  const taken = rows.filter((row): row is TakenRow => row.id !== null)
  const isContended = seen > taken.length
  const isAll = !isContended && lastLane === null && taken.length < limit
  if (isNodeAlive) cursor.learn(begun, { taken, foreignLanes, lastLane, isAll })
  const laneOf = await lanes.describe(taken.map(({ lane }) => lane))
  const executions = taken.map((row) => claimedFrom(row, laneOf(row.lane)))
  return { now, isNodeAlive, executions, isContended, hasMoreLanes: lastLane !== null }
}

function claimedFrom(row: TakenRow, { tenant, queue, jobType }: Lane): ClaimedExecution {
  const body: ExecutionBody = {
    id: row.id,
    tenant,
    jobId: row.jobId,
    jobType,
    queue,
    priority: priorityOfRank(row.priority),
    origin: row.origin,
    payload: row.payload,
    scheduledAt: row.scheduledAt,
    maxAttempts: row.maxAttempts,
    idempotencyKey: row.idempotencyKey,
    options: optionsFrom(row.options, row.misfire),
    createdAt: row.createdAt,
  }
  return { executionId: row.id, body, attempt: row.attempt, epoch: row.epoch }
}
