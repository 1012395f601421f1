interface SparklineProps {
  /** null: a gap. */
  readonly values: readonly (number | null)[]
  /** What it shows, in words. */
  readonly label: string
  readonly minimum?: number
  readonly maximum?: number
  readonly height?: number
}

const WIDTH = 120

/** A line of values, small enough to stand beside a figure. */
export function Sparkline({ values, label, minimum, maximum, height = 32 }: SparklineProps) {
  const known = values.filter((value) => value !== null)
  const low = minimum ?? Math.min(...known, 0)
  const high = maximum ?? Math.max(...known, low + 1)
  const x = (at: number) => (values.length < 2 ? 0 : (at / (values.length - 1)) * WIDTH)
  const y = (value: number) => height - 2 - ((value - low) / (high - low || 1)) * (height - 4)
  let path = ''
  values.forEach((value, at) => {
    if (value === null) return
    const isJoined = at > 0 && values[at - 1] !== null
    path += `${isJoined ? 'L' : 'M'}${x(at).toFixed(1)} ${y(value).toFixed(1)}`
  })
  return (
    <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${height}`} role="img" aria-label={label} preserveAspectRatio="none">
      <path d={path} />
    </svg>
  )
}
