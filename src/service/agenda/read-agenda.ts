import { requirePermission } from '../../access/principal.ts'
import { DAY_MS, MINUTE_MS } from '../../duration.ts'
import { firesNow } from '../../job/job-status.ts'
import type { ScheduledJob } from '../../store/jobs.ts'
import { requireOneOf } from '../../time/require.ts'
import { invalidField } from '../field-problems.ts'
import { ownJob } from '../owned.ts'
import { AGENDA_BUCKETS, type AgendaQuery } from '../requests.ts'
import type { Scope } from '../scope.ts'
import { readField, readInstant } from '../sent-values.ts'
import { wireInstant } from '../wire-value.ts'
import type { AgendaItemView, AgendaView } from './agenda-view.ts'
import { type Fires, FireTimes } from './fire-times.ts'
import { type FiringJobs, firingJobs, namedCalendars, Turns } from './rules.ts'

const USUAL_DAYS = 7
const MOST_DAYS = 45
const MOST_ITEMS = 500

/** Of all jobs, those with the same rule counted once. */
const MOST_COUNTED = 10_000_000

interface Stretch {
  readonly from: number
  readonly to: number
}

/** When the jobs of a tenant fire, as they stand now: how often over time, and the first fires one by one. */
export async function readAgenda(scope: Scope, query: AgendaQuery = {}): Promise<AgendaView> {
  requirePermission(scope.principal, 'jobs:read')
  const stretch = readStretch(query, scope.now())
  const { bucketMinutes = 60 } = query
  const bucketMs =
    readField('bucketMinutes', () => requireOneOf(bucketMinutes, 'bucketMinutes', AGENDA_BUCKETS)) * MINUTE_MS
  const [{ jobs, isAll }, calendarNamed, { JOBS_SCHEDULING }] = await Promise.all([
    askedJobs(scope, query.jobId),
    namedCalendars(scope),
    scope.flags(),
  ])
  const turns = new Turns(scope.around.env)
  const times = new FireTimes(stretch, turns)
  const together = new Map<Fires, ScheduledJob[]>()
  for (const job of jobs) {
    const found = await times.ofJob(job.schedule, calendarNamed(job.calendar))
    const others = together.get(found)
    if (others) others.push(job)
    else together.set(found, [job])
    await turns.worked(10)
  }
  const { counts, isWhole } = await countFires(together, bucketMs, turns)
  return {
    from: wireInstant(stretch.from),
    to: wireInstant(stretch.to),
    bucketMinutes,
    jobs: jobs.length,
    isSuspended: !JOBS_SCHEDULING.isEnabled,
    buckets: [...counts]
      .toSorted(([a], [b]) => a - b)
      .map(([bucket, count]) => ({ at: wireInstant(bucket * bucketMs), count })),
    items: firstItems(together),
    isPartial: times.isPartial || !isAll || !isWhole,
  }
}

function readStretch({ from: begin, to: end }: AgendaQuery, now: number): Stretch {
  const from = begin === undefined ? now : readInstant(begin, 'from')
  const to = end === undefined ? from + USUAL_DAYS * DAY_MS : readInstant(end, 'to')
  if (to < from) throw invalidField('/to', 'out_of_range', 'to must not be before from.', { case: 'order' })
  if (to - from <= MOST_DAYS * DAY_MS) return { from, to }
  throw invalidField('/to', 'out_of_range', `to must be at most ${MOST_DAYS} days after from.`, {
    case: 'days',
    name: 'to',
    max: MOST_DAYS,
  })
}

async function askedJobs(scope: Scope, jobId: string | undefined): Promise<FiringJobs> {
  if (jobId === undefined) return await firingJobs(scope)
  const job = await ownJob(scope, jobId)
  const { id, name, definition, schedule } = job
  return { jobs: firesNow(job) ? [{ id, name, calendar: definition.calendar, schedule }] : [], isAll: true }
}

async function countFires(
  together: ReadonlyMap<Fires, readonly ScheduledJob[]>,
  bucketMs: number,
  turns: Turns,
): Promise<{ readonly counts: ReadonlyMap<number, number>; readonly isWhole: boolean }> {
  const counts = new Map<number, number>()
  let counted = 0
  for (const [found, { length }] of together) {
    counted += found.count
    if (counted > MOST_COUNTED) return { counts, isWhole: false }
    for (let index = 0; index < found.count; index += 1) {
      const bucket = Math.floor(found.at(index) / bucketMs)
      counts.set(bucket, (counts.get(bucket) ?? 0) + length)
    }
    await turns.worked(Math.ceil(found.count / 10))
  }
  return { counts, isWhole: true }
}

function firstItems(together: ReadonlyMap<Fires, readonly ScheduledJob[]>): AgendaItemView[] {
  const groups = [...together.values()]
  const items: AgendaItemView[] = []
  for (const { place, at } of inOrder([...together.keys()])) {
    if (items.length >= MOST_ITEMS) break
    for (const { id, name } of groups[place] ?? []) items.push({ jobId: id, name, at: wireInstant(at) })
  }
  return items.slice(0, MOST_ITEMS)
}

interface Head {
  readonly place: number
  readonly at: number
  readonly index: number
}

/** Goes through the fires of many in the order of time, and tells by their place in the list whose each is. At one instant the first in the list comes first. */
export function* inOrder(all: readonly Fires[]): Generator<{ readonly place: number; readonly at: number }> {
  const heap: Head[] = []
  for (const [place, fires] of all.entries()) if (fires.count > 0) push(heap, { place, at: fires.at(0), index: 0 })
  for (let head = pop(heap); head; head = pop(heap)) {
    yield head
    const { place, index } = head
    const fires = all[place]
    if (fires && index + 1 < fires.count) push(heap, { place, at: fires.at(index + 1), index: index + 1 })
  }
}

function isBefore(one: Head, other: Head): boolean {
  return one.at === other.at ? one.place < other.place : one.at < other.at
}

/** The earliest stands at 0; each stands before those at twice its place and one or two. */
function push(heap: Head[], head: Head): void {
  let at = heap.length
  while (at > 0) {
    const above = (at - 1) >> 1
    const parent = heap[above]
    if (!parent || !isBefore(head, parent)) break
    heap[at] = parent
    at = above
  }
  heap[at] = head
}

function pop(heap: Head[]): Head | undefined {
  const [first] = heap
  const last = heap.pop()
  if (!last || heap.length === 0) return first
  let at = 0
  for (;;) {
    const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]]
    const next = right && left && isBefore(right, left) ? 2 * at + 2 : 2 * at + 1
    const child = heap[next]
    if (!child || !isBefore(child, last)) break
    heap[at] = child
    at = next
  }
  heap[at] = last
  return first
}
