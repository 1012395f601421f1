import { DAY_MS, MINUTE_MS } from '../../../../src/duration.ts'
import { type ActivityView, isTakenOver, isWait } from './activity.ts'

/** Part of the axis, from 0 to 1. */
export interface Bar {
  readonly left: number
  readonly width: number
}

export interface WaterfallRow {
  readonly entry: ActivityView
  /** null: it lies outside of what is shown. */
  readonly bar: Bar | null
  /** On which side it lies where there is no bar. */
  readonly side: 'before' | 'after' | null
  /** From now until it is due; null where it is not, or not yet in sight. */
  readonly ahead: Bar | null
  readonly isWait: boolean
  readonly isOpen: boolean
  readonly isTakenOver: boolean
}

export interface Waterfall {
  readonly from: number
  readonly to: number
  /** One row: of thousands only those are made that are seen. */
  rowOf(entry: ActivityView): WaterfallRow
  /** Marks on the axis, and how long after the start they are. */
  readonly ticks: readonly { readonly left: number; readonly sinceMs: number }[]
  /** Where now is; null for a run that is over. */
  readonly now: number | null
}

export type Zoom = 'fit' | 'minute'

export interface WaterfallOptions {
  readonly now: number
  readonly zoom: Zoom
  readonly createdAt: string
  readonly isOver: boolean
}

/** What is ahead of a run that goes on has some room. */
const ROOM_AHEAD = 0.08
const MOST_TICKS = 6

/** Where everything that is recorded of a run stands on an axis of time. */
export function layOutWaterfall(entries: readonly ActivityView[], options: WaterfallOptions): Waterfall {
  const { now, isOver, createdAt } = options
  const [start, end] = wholeRange(entries, options)
  const to = isOver ? end : end + Math.max(1, (end - start) * ROOM_AHEAD)
  const from = options.zoom === 'minute' ? Math.max(start, to - MINUTE_MS) : start
  const axis = { from, to, lengthMs: to - from }
  return {
    from,
    to,
    rowOf: (entry) => rowOn({ ...axis, now: isOver ? end : now, isOver, createdAt }, entry),
    ticks: ticksOf(start, axis),
    now: isOver ? null : (now - from) / axis.lengthMs,
  }
}

/** From the first to the last thing this execution did; what it took over was done before it began. */
function wholeRange(entries: readonly ActivityView[], { now, isOver, createdAt }: WaterfallOptions): [number, number] {
  const own = entries.filter((entry) => !isTakenOver(entry, createdAt))
  const shown = own.length > 0 ? own : entries
  let start = Number.POSITIVE_INFINITY
  let end = isOver ? Number.NEGATIVE_INFINITY : now
  for (const { startedAt, endedAt } of shown) {
    start = Math.min(start, Date.parse(startedAt))
    end = Math.max(end, Date.parse(endedAt ?? startedAt))
  }
  if (!Number.isFinite(start)) start = Math.min(Date.parse(createdAt), now)
  if (!Number.isFinite(end)) end = start
  return [start, Math.max(end, start + 1)]
}

interface Axis {
  readonly from: number
  readonly to: number
  readonly lengthMs: number
}

function rowOn(
  axis: Axis & { readonly now: number; readonly isOver: boolean; readonly createdAt: string },
  entry: ActivityView,
): WaterfallRow {
  const startAt = Date.parse(entry.startedAt)
  const isOpen = entry.endedAt === null
  const endAt = Math.max(startAt, entry.endedAt === null ? axis.now : Date.parse(entry.endedAt))
  const dueAt = entry.dueAt === null ? null : Date.parse(entry.dueAt)
  return {
    entry,
    bar: barOf(startAt, endAt, axis),
    side: endAt < axis.from ? 'before' : startAt > axis.to ? 'after' : null,
    ahead: isOpen && !axis.isOver && dueAt !== null && dueAt > axis.now ? barOf(axis.now, dueAt, axis) : null,
    isWait: isWait(entry),
    isOpen,
    isTakenOver: isTakenOver(entry, axis.createdAt),
  }
}

function barOf(startAt: number, endAt: number, { from, to, lengthMs }: Axis): Bar | null {
  if (endAt < from || startAt > to) return null
  const left = (Math.max(startAt, from) - from) / lengthMs
  return { left, width: (Math.min(endAt, to) - from) / lengthMs - left }
}

const STEPS_MS: readonly number[] = [
  1,
  2,
  5,
  10,
  20,
  50,
  100,
  200,
  500,
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * 1_000),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((hours) => hours * 60 * MINUTE_MS),
]

function ticksOf(start: number, { from, to, lengthMs }: Axis): Waterfall['ticks'] {
  const step =
    STEPS_MS.find((each) => lengthMs / each <= MOST_TICKS) ?? Math.ceil(lengthMs / MOST_TICKS / DAY_MS) * DAY_MS
  const first = Math.ceil((from - start) / step)
  const ticks: { left: number; sinceMs: number }[] = []
  for (let at = first; start + at * step <= to; at += 1) {
    ticks.push({ left: (start + at * step - from) / lengthMs, sinceMs: at * step })
  }
  return ticks
}
