import type { ExecutionStatus } from '../../api/wire.ts'

export interface DurationRun {
  readonly id: string
  readonly status: ExecutionStatus
  readonly durationMs: number | null
}

interface Point {
  readonly id: string
  readonly x: number
  readonly y: number
  readonly hasFailed: boolean
}

export interface DurationPlot {
  readonly points: readonly Point[]
  readonly path: string
  /** What the upper edge stands for. */
  readonly topMs: number
  readonly shortestMs: number
  readonly longestMs: number
}

/** Round durations, each a little more than the one before. */
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500]
const UNITS = [1, 1_000, 60_000, 3_600_000]

/** Runs, given the newest first, as points of a line from the oldest to the newest; null where there is nothing to draw. */
export function plotDurations(runs: readonly DurationRun[], width: number, height: number): DurationPlot | null {
  const ended = runs.filter((run): run is DurationRun & { durationMs: number } => run.durationMs !== null).toReversed()
  if (ended.length === 0) return null
  const durations = ended.map(({ durationMs }) => durationMs)
  const longestMs = Math.max(...durations)
  const topMs = topOf(longestMs)
  const points = ended.map(({ id, status, durationMs }, at) => ({
    id,
    x: ended.length === 1 ? width / 2 : (at / (ended.length - 1)) * width,
    y: heightOf(durationMs, topMs, height),
    hasFailed: status === 'FAILED' || status === 'TIMEOUT',
  }))
  const path = points.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('')
  return { points, path, topMs, shortestMs: Math.min(...durations), longestMs }
}

/** How far from the upper edge a duration stands. */
export function heightOf(durationMs: number, topMs: number, height: number): number {
  return height - (Math.min(durationMs, topMs) / topMs) * height
}

/** The least round duration that is not less. */
function topOf(durationMs: number): number {
  for (const unit of UNITS) {
    const step = STEPS.find((each) => each * unit >= durationMs)
    if (step !== undefined) return step * unit
  }
  return durationMs
}
