/** A value at an instant, in hours since the beginning. */
export interface Reading {
  readonly hour: number
  readonly value: number
}

/** How much a value grows in an hour, and between which bounds that is with 95 % confidence. */
export interface Slope {
  readonly low: number
  readonly perHour: number
  readonly high: number
}

/** Of the normal distribution: between minus and plus so much lie 95 %. */
const Z_95 = 1.96

/**
 * The median of the slopes between all pairs of readings (Theil and Sen), with the bounds that their ranks give. Unlike a regression it does not mind if
 * up to a quarter of the readings are wild, such as one that was taken in the midst of a burst.
 */
export function slopeOf(readings: readonly Reading[]): Slope {
  const slopes: number[] = []
  for (const [index, earlier] of readings.entries()) {
    for (const later of readings.slice(index + 1)) {
      if (later.hour > earlier.hour) slopes.push((later.value - earlier.value) / (later.hour - earlier.hour))
    }
  }
  if (slopes.length === 0) return { low: Number.NEGATIVE_INFINITY, perHour: Number.NaN, high: Number.POSITIVE_INFINITY }
  slopes.sort((a, b) => a - b)
  const count = readings.length
  const spread = Z_95 * Math.sqrt((count * (count - 1) * (2 * count + 5)) / 18)
  const at = (place: number): number =>
    slopes[Math.max(0, Math.min(slopes.length - 1, Math.round(place)))] ?? Number.NaN
  return {
    low: at((slopes.length - spread) / 2 - 1),
    perHour: medianOf(slopes),
    high: at((slopes.length + spread) / 2),
  }
}

/** Of values in ascending order. */
function medianOf(ascending: readonly number[]): number {
  const middle = (ascending.length - 1) / 2
  return ((ascending[Math.floor(middle)] ?? Number.NaN) + (ascending[Math.ceil(middle)] ?? Number.NaN)) / 2
}

export function median(values: readonly number[]): number {
  return medianOf(values.toSorted((a, b) => a - b))
}
