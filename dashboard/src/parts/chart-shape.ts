interface Place {
  readonly width: number
  readonly height: number
  /** The value at the upper edge. */
  readonly top: number
}

/** A line through values, broken where there is none; a value that stands alone is a dot. */
export function pathOf(values: readonly (number | null)[], { width, height, top }: Place): string {
  const x = (at: number) => round((at / Math.max(1, values.length - 1)) * width)
  const y = (value: number) => round(height - (Math.min(value, top) / (top || 1)) * height)
  return values
    .map((value, at) => {
      if (value === null) return ''
      const isJoined = (values[at - 1] ?? null) !== null
      const isAlone = !isJoined && (values[at + 1] ?? null) === null
      return `${isJoined ? 'L' : 'M'}${x(at)} ${y(value)}${isAlone ? 'h0.1' : ''}`
    })
    .join('')
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

const STEPS = [1, 2, 2.5, 5, 10]

/** The next round figure above all values: 1, 2, 2.5 or 5 times a power of ten. */
export function niceTop(values: readonly (number | null)[]): number {
  const highest = Math.max(0, ...values.map((value) => value ?? 0))
  if (highest === 0) return 1
  const power = 10 ** Math.floor(Math.log10(highest))
  return (STEPS.find((step) => step * power >= highest) ?? 10) * power
}

/** Which of so many points is nearest to a place, from 0 to 1. */
export function nearestPoint(share: number, count: number): number {
  return Math.min(count - 1, Math.max(0, Math.round(share * (count - 1))))
}
