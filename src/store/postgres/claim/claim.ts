import type { ExecutionBody } from '../../../job/execution/execution.ts'
import { priorityOfRank, priorityRank } from '../../../job/rules/priority.ts'
import type { MisfireInfo } from '../../../time/misfire/resolve.ts'
import type { Claim, ClaimedExecution, ClaimRequest, Reserve, Resting } from '../../leases.ts'
import type { ClaimedStarts, RateRule } from '../../rates.ts'
import type { Parts } from '../parts.ts'
import { optionsFrom } from '../reads/read-execution.ts'
import { claimHead } from './claim-head.ts'
import { RATE, startedWith } from './claim-rates.ts'
import { type ClaimFields, claimExecutions, claimRatedExecutions } from './claim-statement.ts'
import type { Lane } from './lanes.ts'

/** How often a claim looks again: at twice as much where others had locked what it saw, and at more lanes where there are many. */
const TRIES = 16

/** How many more than wanted are looked at, in case that others lock some of them. */
const SPARE = 16

const NO_RESERVE: Reserve = { slots: 0, running: [] }

interface ClaimRow extends Omit<ExecutionBody, 'id' | 'priority' | 'options' | 'tenant' | 'queue' | 'jobType'> {
  /** null in the one row that there is when nothing was claimed. */
  readonly id: string | null
  /** In the first row: what was found. */
  readonly findings: string | null
  readonly lane: number
  readonly priority: number
  readonly options: string | null
  readonly misfire: MisfireInfo | null
  readonly attempt: number
  readonly epoch: number
}

type TakenRow = ClaimRow & { readonly id: string }

/** What the first row of an answer tells. */
interface ClaimFindings {
  readonly now: number
  readonly isNodeAlive: boolean
  /** How many were looked at. */
  readonly seen: number
  readonly foreignLanes: readonly number[]
  /** Set where there may be more lanes than were looked at. */
  readonly lastLane: number | null
  readonly served: number | null
  readonly limitedTenants: readonly number[]
  readonly limitedLanes: readonly number[]
  /** Lanes with a rate limit: more may be left in them. */
  readonly ratedLanes?: readonly number[]
  /** null: no rate limit was met. */
  readonly starts?: readonly Omit<ClaimedStarts, 'executionIds'>[] | null
  readonly hasSeveralTenants: boolean
  /** How many slots stay free for tenants of which the node runs nothing, although there was more to take. */
  readonly kept: number | null
  /** How long it looked for lanes. */
  readonly walkMs: number
  /** Whether somebody else was taking from the same tenant or job, so that nothing was taken from it. */
  readonly isOutrun: boolean
}

interface Round extends Pick<ClaimFindings, 'now' | 'isNodeAlive' | 'isOutrun'> {
  readonly starts: readonly ClaimedStarts[]
  readonly executions: readonly ClaimedExecution[]
  readonly isLimited: boolean
  /** Whether there was more to take, had not others been faster. */
  readonly isContended: boolean
  /** Whether a lane gave all that it was asked for. */
  readonly isCut: boolean
  readonly hasMoreLanes: boolean
}

export async function claim(parts: Parts, request: ClaimRequest): Promise<Claim> {
  parts.cursor.serve(request.queues, request.jobTypes)
  return (await claimFromHead(parts, request)) ?? (await claimFromAll(parts, request))
}

/** Looks at one lane alone, where there seems to be no other. null: nothing was found there. */
async function claimFromHead(parts: Parts, request: ClaimRequest): Promise<Claim | null> {
  const { cursor, lanes, driver, testTime } = parts
  const { nodeId, limit, resting = [], rates = [] } = request
  const sole = limit > 0 ? cursor.soleLane(lanes.matching([...resting, ...rates.map(ofAllTenants)])) : null
  const most = sole ? mostOfSole(parts, sole.lane, request) : 0
  if (!sole || most <= 0) return null
  const values = claimHead.values({ testTime: testTime(), nodeId, wanted: most, ...sole })
  const rows = await driver.query<ClaimRow>(claimHead, values)
  const { now, isNodeAlive } = JSON.parse(rows[0]?.findings ?? '{}') as ClaimFindings
  const taken = takenOf(rows)
  const hasRoom = taken.length < limit
  cursor.learnHead(taken, now, hasRoom)
  if (taken.length === 0 && isNodeAlive) return null
  const executions = await claimedOf(parts, taken)
  const again = isNodeAlive ? 'now' : null
  return { now, isNodeAlive, executions: inOrder(executions), isLimited: false, starts: [], again }
}

function ofAllTenants({ jobType }: RateRule): Resting {
  return { jobType, tenant: null }
}

/** How many may be taken of one lane: the last slots are for tenants of which the node runs nothing. */
function mostOfSole({ cursor, lanes }: Parts, lane: number, { limit, reserve }: ClaimRequest): number {
  if (!reserve || !cursor.hasSeveralTenants) return limit
  const tenant = lanes.tenantOf(lane)
  if (tenant === null) return 0
  return Math.max(limit - reserve.slots, reserve.running.includes(tenant) ? 0 : 1)
}

async function claimFromAll(parts: Parts, request: ClaimRequest): Promise<Claim> {
  const { cursor } = parts
  const executions: ClaimedExecution[] = []
  const starts: ClaimedStarts[] = []
  let { limit } = request
  let aged = Math.min(request.aged, limit)
  let { reserve } = request
  let spare = SPARE
  let isOutrun = false
  let isLimited = false
  cursor.goRound()
  for (let tries = 1; ; tries++) {
    const round = await claimRound(parts, { ...request, limit, aged, reserve }, limit + spare)
    executions.push(...round.executions)
    starts.push(...round.starts)
    reserve = reserve && withTenantsOf(reserve, round.executions)
    limit -= round.executions.length
    aged = 0
    isOutrun ||= round.isOutrun
    isLimited ||= round.isLimited
    const { now, isNodeAlive } = round
    const answer = (again: Claim['again']) => {
      return { now, isNodeAlive, executions: inOrder(executions), isLimited, starts, again }
    }
    if (executions.length > 0 || !isNodeAlive) cursor.endRound()
    if (limit <= 0 || !isNodeAlive) return answer(limit <= 0 ? 'now' : null)
    if (tries >= TRIES) return answer(round.hasMoreLanes ? 'now' : 'soon')
    if (round.isContended) {
      spare = 2 * spare + limit
    } else if (round.isCut) {
      // The same lanes have more: once more, as it is.
    } else if (!round.hasMoreLanes) {
      cursor.endRound()
      return answer(isOutrun ? 'soon' : null)
    }
  }
}

function withTenantsOf({ slots, running }: Reserve, executions: readonly ClaimedExecution[]): Reserve {
  return { slots, running: [...new Set([...running, ...executions.map(({ body }) => body.tenant)])] }
}

async function claimRound(
  parts: Parts,
  { nodeId, queues, jobTypes, limit, aged, resting = [], reserve = NO_RESERVE, rates = [] }: ClaimRequest,
  reach: number,
): Promise<Round> {
  const { cursor, lanes, driver, testTime } = parts
  const begun = cursor.begin(reach, lanes.matching(resting))
  const fields: ClaimFields = {
    ...begun.fields,
    testTime: testTime(),
    nodeId,
    wanted: Math.max(0, limit),
    aged,
    queues,
    jobTypes,
    reach,
    restingTypes: resting.map(({ jobType }) => jobType),
    restingTenants: resting.map(({ tenant }) => tenant),
    reserved: reserve.slots,
    running: reserve.running,
  }
  const rows = await (rates.length === 0
    ? driver.query<ClaimRow>(claimExecutions, claimExecutions.values(fields))
    : driver.query<ClaimRow>(claimRatedExecutions, claimRatedExecutions.values({ ...fields, ...RATE.of(rates) })))
  const findings = JSON.parse(rows[0]?.findings ?? '{}') as ClaimFindings
  const { now, isNodeAlive, seen, lastLane, isOutrun, limitedTenants, limitedLanes } = findings
  const taken = takenOf(rows)
  const kept = findings.kept ?? 0
  const isContended = seen > taken.length && taken.length < limit - kept
  const hasRoom = taken.length < limit
  // Where a test moves time by hand, a slow machine is no reason to look less often: the wait for it would never end.
  const walkMs = testTime() === null ? findings.walkMs : 0
  const isAll = seen === taken.length && kept === 0
  const isCut = isNodeAlive && cursor.learn(begun, { ...findings, walkMs, taken, isAll, hasRoom })
  const executions = await claimedOf(parts, taken)
  const isLimited = limitedTenants.length > 0 || limitedLanes.length > 0 || kept > 0
  const starts = (findings.starts ?? []).map((each) => ({
    ...each,
    executionIds: startedWith(each, executions, rates),
  }))
  const hasMoreLanes = lastLane !== null
  return { now, isNodeAlive, isOutrun, isLimited, executions, starts, isContended, isCut, hasMoreLanes }
}

/** There is one row without an id where nothing was claimed. */
function takenOf(rows: readonly ClaimRow[]): readonly TakenRow[] {
  return rows[0]?.id == null ? [] : (rows as readonly TakenRow[])
}

async function claimedOf({ lanes }: Parts, taken: readonly TakenRow[]): Promise<ClaimedExecution[]> {
  const laneOf = await lanes.describe(taken.map(({ lane }) => lane))
  return taken.map((row) => claimedFrom(row, laneOf(row.lane)))
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

/** By priority, and by age within one. */
function inOrder(executions: ClaimedExecution[]): ClaimedExecution[] {
  return executions.sort(
    (a, b) => priorityRank(a.body.priority) - priorityRank(b.body.priority) || (a.executionId < b.executionId ? -1 : 1),
  )
}
