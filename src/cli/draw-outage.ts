import type { SimulatedPolicy } from '../time/simulate.ts'
import type { Trigger } from '../time/triggers/trigger.ts'

const WIDTH = 60

export const LEGEND = '| on time   . missed   # runs when it is over'

interface Outage {
  readonly from: number
  readonly to: number
}

/** An outage as a line of the terminal, with half its length before and after it; {@link LEGEND} explains the marks. */
export function drawOutage(trigger: Trigger, outage: Outage, result: SimulatedPolicy): string {
  const length = Math.max(outage.to - outage.from, 1)
  const start = outage.from - length / 2
  const step = (2 * length) / WIDTH
  let line = ''
  for (let column = 0; column < WIDTH; column++) {
    const [from, to] = [Math.round(start + column * step), Math.round(start + (column + 1) * step)]
    line += mark(trigger, outage, result, from, to)
  }
  const runs = result.fired.length > 1 ? `  ${result.fired.length} runs` : ''
  return `${result.policy.padEnd(12)} ${line}${runs}`
}

function mark(trigger: Trigger, outage: Outage, result: SimulatedPolicy, from: number, to: number): string {
  const isReturn = outage.to >= from && outage.to < to
  if (isReturn && result.firedLate > 0) return '#'
  if (trigger.count(from, to) === 0) return ' '
  const isMissed = result.missed > 0 && to > outage.from && from <= outage.to
  return isMissed ? '.' : '|'
}
