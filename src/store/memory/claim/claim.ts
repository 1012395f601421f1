import { PRIORITIES, type Priority, priorityRank } from '../../../job/rules/priority.ts'
import type { Claim, ClaimedExecution, ClaimRequest } from '../../leases.ts'
import { StartRooms } from '../nodes/rates.ts'
import { roomOf } from '../nodes/tenants.ts'
import { optionsOf } from '../reads/read-execution.ts'
import { inOrderOf } from '../schema/compare.ts'
import { firstOf, type OrderedSet } from '../schema/ordered-set.ts'
import type { ReadyRow } from '../schema/rows.ts'
import { byExecution, isBegun, type Tables } from '../schema/tables.ts'

type Lanes = Record<Priority, OrderedSet<ReadyRow>[]>

/** A row that may be claimed, and where it stands in line. */
interface Placed {
  readonly row: ReadyRow
  /** 0: by age. 1: by priority. */
  readonly turn: 0 | 1
  /** Within its tenant. */
  readonly nth: number
}

/** Takes executions that are ready for a node that is alive. */
export function claim(tables: Tables, request: ClaimRequest, now: number): Claim {
  const { nodeId, limit } = request
  const node = tables.nodes.get(nodeId)
  if (!node || node.expiresAt <= now) {
    return { now, isNodeAlive: false, executions: [], isLimited: false, starts: [], again: null }
  }

  const isLimited = hasLimits(tables)
  const byTurn = inOrderOf<Placed>(
    (a, b) => a.turn - b.turn,
    (a, b) => a.nth - b.nth,
    (a, b) => turnOf(tables, a.row) - turnOf(tables, b.row),
  )
  const rooms = new StartRooms(tables, request.rates ?? [], now)
  const all = rooms.within(inLine(tables, request, rooms).toSorted(byTurn))
  const line = withinReserve(tables, all, request)
  const served = line.at(-1)?.row.body.tenant
  const starts = rooms.use(line.map(({ row }) => row))
  const claimed = line.map(({ row }) => lease(tables, row, nodeId, now))
  if (served !== undefined) tables.tenants.served = tables.tenants.numberOf(served)
  const executions = claimed.toSorted(byUrgency)
  // What a rate limit left out may have hidden other work; the next claim leaves out its lanes.
  const isCut = rooms.isCut && starts.some(({ nextAt }) => nextAt !== null)
  const again = claimed.length === limit || isCut ? 'now' : null
  const isKept = line.length < Math.min(all.length, limit)
  return { now, isNodeAlive: true, executions, isLimited: isLimited || isKept, starts, again }
}

/** The part of a line that the node may take: its last slots are for the first execution of tenants of which it runs nothing. */
function withinReserve(
  { tenants }: Tables,
  line: readonly Placed[],
  { limit, reserve }: ClaimRequest,
): readonly Placed[] {
  const most = Math.max(0, limit)
  if (!reserve || tenants.count < 2) return line.slice(0, most)
  const isNew = ({ nth, row }: Placed) => nth === 1 && !reserve.running.includes(row.body.tenant)
  const newcomers = line.filter(isNew).slice(0, most)
  const others = line.filter((each) => !isNew(each)).slice(0, Math.max(0, most - reserve.slots - newcomers.length))
  const taken = new Set([...newcomers, ...others])
  return line.filter((each) => taken.has(each))
}

/** Whether anything that is ready has a limit. */
function hasLimits(tables: Tables): boolean {
  for (const [, lane] of tables.lanes.groups()) {
    const body = lane.first?.body
    if (!body) continue
    const { tenant, options } = body
    if (options?.concurrency !== undefined || tables.tenants.limitOf(tenant) !== null) return true
    if (!tables.flags.isOn(tenant, 'JOBS_SCHEDULING')) return true
  }
  return false
}

/** Tenants take turns, beginning after the one that was served last. */
function turnOf({ tenants }: Tables, { body }: ReadyRow): number {
  const number = tenants.numberOf(body.tenant)
  return number <= tenants.served ? number + 2 ** 32 : number
}

/** What may be claimed of each tenant, with its place there. */
function inLine(tables: Tables, request: ClaimRequest, rooms: StartRooms): Placed[] {
  const { limit } = request
  const lanesOfTenants = lanesByTenant(tables, request, rooms)
  const lanesOfAll = [...lanesOfTenants.values()]
  const aged = new Set(
    lanesOfAll
      .flatMap(({ MEDIUM, LOW }) => firstOf([...MEDIUM, ...LOW], byExecution, request.aged).map(placed))
      .toSorted(
        inOrderOf<Placed>(
          (a, b) => a.nth - b.nth,
          (a, b) => turnOf(tables, a.row) - turnOf(tables, b.row),
        ),
      )
      .slice(0, Math.min(request.aged, limit))
      .map(({ row }) => row)
      .filter((row) => rooms.takesByAge(row)),
  )
  return [...lanesOfTenants].flatMap(([tenant, lanes]) => {
    const byAge = [...aged].filter(({ body }) => body.tenant === tenant).toSorted(byExecution)
    // Executions beyond the limit of their job or job type do not hide those of others behind them.
    const mostOf = ({ first }: OrderedSet<ReadyRow>) =>
      first ? Math.min(mostOfJob(tables, first), rooms.mostOf(first)) : 0
    const others = PRIORITIES.flatMap((priority) => firstOf(lanes[priority], byExecution, limit + aged.size, mostOf))
    const begun = PRIORITIES.flatMap((priority) => lanes[priority].flatMap((lane) => begunIn(tables, lane)))
    const rest = begun.length === 0 ? others : [...new Set([...others, ...begun])].toSorted(byUrgency)
    const rows = [...byAge, ...rest.filter((row) => !aged.has(row))]
    return rooms
      .within(withinJobLimits(tables, rows).map((row) => ({ row })))
      .slice(0, Math.min(roomOf(tables, tenant), limit))
      .map(({ row }, index) => ({ row, turn: aged.has(row) ? 0 : 1, nth: index + 1 }) as const)
  })
}

function placed(row: ReadyRow, index: number): Placed {
  return { row, turn: 0, nth: index + 1 }
}

/** The lanes that the node may take from. */
function lanesByTenant(tables: Tables, request: ClaimRequest, rooms: StartRooms): ReadonlyMap<string, Lanes> {
  const { queues, jobTypes, resting = [] } = request
  const byTenant = new Map<string, Lanes>()
  for (const [, lane] of tables.lanes.groups()) {
    // What is true of one row of a lane is true of all.
    const { first } = lane
    if (!first) continue
    const { body } = first
    if (!queues.includes(body.queue) || !jobTypes.includes(body.jobType)) continue
    const { tenant, jobType } = body
    if (resting.some((each) => each.jobType === jobType && (each.tenant ?? tenant) === tenant)) continue
    if (roomOf(tables, tenant) <= 0) continue
    if (mostOfJob(tables, first) <= 0 || rooms.mostOf(first) <= 0) continue
    const lanes = byTenant.get(tenant) ?? { HIGH: [], MEDIUM: [], LOW: [] }
    lanes[body.priority].push(lane)
    byTenant.set(tenant, lanes)
  }
  return byTenant
}

function lease(tables: Tables, row: ReadyRow, nodeId: string, now: number): ClaimedExecution {
  const { body } = row
  const attempt = row.attempt + 1
  const epoch = row.epoch + 1
  tables.ready.take(body.id)
  tables.leases.put({
    body,
    attempt,
    epoch,
    nodeId,
    claimedAt: now,
    progress: null,
    progressNote: null,
    hasNews: false,
    isUnspent: false,
  })
  const options = optionsOf(tables, body)
  return { executionId: body.id, body: options === body.options ? body : { ...body, options }, attempt, epoch }
}

const byUrgency = inOrderOf<Pick<ReadyRow, 'body'>>(
  (a, b) => priorityRank(a.body.priority) - priorityRank(b.body.priority),
  byExecution,
)

/** How many more of a job may run. */
interface Room {
  all: number
  /** Of those that have not begun: a durable run keeps its place from its beginning to its end, also while it waits. */
  fresh: number
}

/** How many more executions like this one its job may run. */
function mostOfJob(tables: Tables, row: ReadyRow): number {
  const jobId = limitedJobOf(row)
  return jobId === null ? Number.POSITIVE_INFINITY : roomOfJob(tables, jobId).all
}

/** Leaves out what its job has no room for. Durable runs that have begun go first, and wait for none that waits: there may be more of them than may run by now. */
function withinJobLimits(tables: Tables, rows: readonly ReadyRow[]): ReadyRow[] {
  const rooms = new Map<string, Room>()
  const hasRoom = (row: ReadyRow): boolean => {
    const jobId = limitedJobOf(row)
    if (jobId === null) return true
    const room = rooms.get(jobId) ?? roomOfJob(tables, jobId)
    rooms.set(jobId, room)
    if (room.all <= 0 || (room.fresh <= 0 && !isBegun(row))) return false
    room.all -= 1
    if (!isBegun(row)) room.fresh -= 1
    return true
  }
  const taken = new Set([...rows.filter(isBegun), ...rows.filter((row) => !isBegun(row))].filter(hasRoom))
  return rows.filter((row) => taken.has(row))
}

/** Durable runs of limited jobs that have begun and stand in a lane, however many stand before them. */
function begunIn(tables: Tables, { first }: { readonly first: ReadyRow | undefined }): ReadyRow[] {
  const jobId = first ? limitedJobOf(first) : null
  if (!first || jobId === null) return []
  const { queue, jobType, priority } = first.body
  return tables.begunByJob
    .rowsOf(jobId)
    .filter(({ body }) => body.queue === queue && body.jobType === jobType && body.priority === priority)
}

/** The job whose limit holds for an execution. */
function limitedJobOf({ body: { jobId, options } }: ReadyRow): string | null {
  return options?.concurrency === undefined ? null : jobId
}

function roomOfJob(tables: Tables, jobId: string): Room {
  const concurrency = tables.jobs.get(jobId)?.definition.concurrency ?? Number.POSITIVE_INFINITY
  const all = concurrency - (tables.leasesByJob.group(jobId)?.size ?? 0)
  const kept = (tables.parkedByJob.group(jobId)?.size ?? 0) + (tables.begunByJob.group(jobId)?.size ?? 0)
  return { all, fresh: all - kept }
}
