import type { SeriesBucketView } from '../../api/wire.ts'

/** From the bottom of a bar to its top. */
export const OUTCOMES = ['succeeded', 'cancelled', 'timedOut', 'failed'] as const

type Outcome = (typeof OUTCOMES)[number]

type Counted = Pick<SeriesBucketView, Outcome | 'at'>

/** A part of a bar, in a chart that is 100 high. */
interface BarPart {
  readonly outcome: Outcome
  readonly y: number
  readonly height: number
}

export interface Throughput {
  readonly totals: Readonly<Record<Outcome, number>>
  readonly bars: readonly { readonly at: string; readonly total: number; readonly parts: readonly BarPart[] }[]
  /** What the height of the chart stands for. */
  readonly top: number
  readonly busiest: { readonly at: string; readonly total: number } | null
}

/** Where the parts of a chart of stacked bars stand. What occurs is seen, however little it is beside the rest. */
export function throughputOf(buckets: readonly Counted[]): Throughput {
  const totals = { succeeded: 0, cancelled: 0, timedOut: 0, failed: 0 }
  for (const bucket of buckets) for (const outcome of OUTCOMES) totals[outcome] += bucket[outcome]
  const counted = buckets.map((bucket) => ({ bucket, total: totalOf(bucket) }))
  const most = counted.reduce((high, each) => (each.total > high.total ? each : high), { bucket: null, total: 0 } as {
    readonly bucket: Counted | null
    readonly total: number
  })
  const top = roundUp(most.total)
  return {
    totals,
    bars: counted.map(({ bucket, total }) => ({ at: bucket.at, total, parts: partsOf(bucket, top) })),
    top,
    busiest: most.bucket && { at: most.bucket.at, total: most.total },
  }
}

export function totalOf(bucket: Counted): number {
  return OUTCOMES.reduce((sum, outcome) => sum + bucket[outcome], 0)
}

const LEAST_HEIGHT = 1.5

function partsOf(bucket: Counted, top: number): BarPart[] {
  const occurring = OUTCOMES.filter((outcome) => bucket[outcome] > 0)
  const heights = occurring.map((outcome) => Math.max(LEAST_HEIGHT, (bucket[outcome] / top) * 100))
  const sum = heights.reduce((total, height) => total + height, 0)
  // What was made taller to be seen is taken from the others once there is no room above.
  const scale = Math.min(1, 100 / sum)
  let below = 0
  return occurring.map((outcome, index) => {
    const height = (heights[index] ?? 0) * scale
    below += height
    return { outcome, y: 100 - below, height }
  })
}

const STEPS = [1, 1.5, 2, 3, 4, 5, 6, 8, 10]

/** The next number with few digits: a scale that can be read. */
export function roundUp(count: number): number {
  if (count <= 1) return 1
  const power = 10 ** Math.floor(Math.log10(count))
  return STEPS.map((step) => step * power).find((value) => value >= count) ?? count
}

const TICK_MS = 4 * 3_600_000

/** Every fourth hour by the clocks of somebody who is so far ahead of UTC, and where it stands, from 0 to 1. */
export function ticksOf(from: number, to: number, aheadMinutes: number): readonly { at: number; share: number }[] {
  const ahead = aheadMinutes * 60_000
  const first = Math.ceil((from + ahead) / TICK_MS) * TICK_MS - ahead
  const count = Math.max(0, Math.ceil((to - first) / TICK_MS))
  return Array.from({ length: count }, (_, index) => {
    const at = first + index * TICK_MS
    return { at, share: (at - from) / (to - from) }
  })
}
