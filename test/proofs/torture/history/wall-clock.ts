import type { ClockReading } from './lines.ts'

/** Epoch milliseconds of an instant of the lines: between two readings of the clock as if it had been set right evenly, beyond them by the nearest. */
export function wallClock(firstOffsetMs: number, readings: readonly ClockReading[]): (at: number) => number {
  return (at) => {
    const next = firstFrom(readings, at)
    const before = readings[next - 1]
    const after = readings[next]
    if (!before) return at + (after?.wallMinusMachineMs ?? firstOffsetMs)
    if (!after) return at + before.wallMinusMachineMs
    const part = (at - before.at) / (after.at - before.at)
    return at + before.wallMinusMachineMs + part * (after.wallMinusMachineMs - before.wallMinusMachineMs)
  }
}

/** The place of the first reading that is not before an instant. */
function firstFrom(readings: readonly ClockReading[], at: number): number {
  let [low, high] = [0, readings.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((readings[middle]?.at ?? 0) < at) low = middle + 1
    else high = middle
  }
  return low
}
