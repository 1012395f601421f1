import type { SimulatedPolicy } from '../time/simulate.ts'
import type { Trigger } from '../time/triggers/trigger.ts'

const WIDTH = 60

/**
 * An outage as a line of the terminal: `|` fired on time, `.` missed, `#` runs when it is over, with how many runs there are
 * then where it is more than one.
 */
export function drawOutage(trigger: Trigger, outage: { from: number; to: number }, result: SimulatedPolicy): string {
  const length = Math.max(outage.to - outage.from, 1)
  const start = outage.from - length / 2
  const step = (2 * length) / WIDTH
  let line = ''
  for (let column = 0; column < WIDTH; column++) {
    const [from, to] = [Math.round(start + column * step), Math.round(start + (column + 1) * step)]
    line += mark(trigger, outage, result, from, to)
  }
  const runs = result.fired.length > 1 ? ` ${result.fired.length} runs` : ''
  return `${result.policy.padEnd(12)} ${line}${runs}`
}

function mark(
  trigger: Trigger,
  outage: { from: number; to: number },
  result: SimulatedPolicy,
  from: number,
  to: number,
): string {
  if (outage.to >= from && outage.to < to && result.fired.length > 0) return '#'
  if (trigger.count(from, to) === 0) return ' '
  return from >= outage.from && from < outage.to ? '.' : '|'
}
