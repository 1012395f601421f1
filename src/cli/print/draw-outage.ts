import type { SimulatedPolicy } from '../../time/simulate.ts'
import type { Trigger } from '../../time/triggers/trigger.ts'
import type { Outage } from '../option-values.ts'
import type { Terminal } from '../terminal.ts'
import { formatWallTime } from './instants.ts'

export const LEGEND = '| on time   . missed   # runs when it is over'

/** Before the line, for the name of its policy. */
export const POLICY_WIDTH = 13
const [NARROWEST, WIDEST, BESIDE] = [40, 100, 25]

type Canvas = Pick<Terminal, 'columns' | 'tone'>

/** An outage as a line of the terminal, with half its length before and after it; {@link LEGEND} explains the marks. */
export function drawOutage(trigger: Trigger, outage: Outage, result: SimulatedPolicy, canvas: Canvas): string {
  const { start, step, width } = scaleOf(outage, canvas)
  let line = ''
  for (let column = 0; column < width; column++) {
    const [from, to] = [Math.round(start + column * step), Math.round(start + (column + 1) * step)]
    line += coloured(mark(trigger, outage, result, from, to), canvas)
  }
  const runs = result.fired.length > 1 ? `  ${result.fired.length} runs` : ''
  return `${result.policy.padEnd(POLICY_WIDTH)}${line}${runs}`
}

/** What stands above such lines: when the outage begins and ends. */
export function drawAxis(outage: Outage, timeZone: string, canvas: Canvas): string {
  const { width, begin, end } = scaleOf(outage, canvas)
  const [from, to] = [timeOf(outage.from, timeZone), timeOf(outage.to, timeZone)]
  const times = from.padStart(begin + 1).padEnd(end) + to
  const label = ' nothing fires '
  const room = end - begin - 1
  const left = Math.max(0, Math.floor((room - label.length) / 2))
  const bar = `[${`${'-'.repeat(left)}${label}`.padEnd(room, '-').slice(0, room)}]`
  const margin = ' '.repeat(POLICY_WIDTH)
  return `${margin}${times.slice(0, width)}\n${margin}${canvas.tone(`${' '.repeat(begin)}${bar}`, 'dim')}\n`
}

interface Scale {
  readonly width: number
  readonly start: number
  readonly step: number
  /** The columns in which the outage begins and ends. */
  readonly begin: number
  readonly end: number
}

function scaleOf(outage: Outage, { columns }: Canvas): Scale {
  const width = Math.min(WIDEST, Math.max(NARROWEST, columns - POLICY_WIDTH - BESIDE))
  const length = Math.max(outage.to - outage.from, 1)
  const start = outage.from - length / 2
  const step = (2 * length) / width
  const columnOf = (at: number) => Math.floor((at - start) / step)
  return { width, start, step, begin: columnOf(outage.from), end: columnOf(outage.to) }
}

/** Day and time, without weekday, seconds and offset. */
function timeOf(instant: number, timeZone: string): string {
  return formatWallTime(instant, timeZone).slice(4, 20)
}

function mark(trigger: Trigger, outage: Outage, result: SimulatedPolicy, from: number, to: number): string {
  const isReturn = outage.to >= from && outage.to < to
  if (isReturn && result.firedLate > 0) return '#'
  if (trigger.count(from, to) === 0) return ' '
  const isMissed = result.missed > 0 && to > outage.from && from <= outage.to
  return isMissed ? '.' : '|'
}

function coloured(sign: string, { tone }: Canvas): string {
  if (sign === '#') return tone(sign, 'good')
  return sign === '.' ? tone(sign, 'bad') : sign
}
