import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { DAY_MS } from '../../../src/duration.ts'
import './chart.css'
import { dateAs, number } from '../language/format.ts'
import { nearestPoint, niceTop, pathOf } from './chart-shape.ts'

interface Line {
  readonly name: string
  /** null: a gap. */
  readonly values: readonly (number | null)[]
  readonly tone: 'good' | 'bad' | 'warn' | 'info'
  readonly isDashed?: boolean
}

interface ChartProps {
  /** What it shows, in words; the same figures stand in a table beside it. */
  readonly label: string
  /** Instants, in milliseconds. */
  readonly at: readonly number[]
  readonly lines: readonly Line[]
  readonly unit?: string
  /** Default: the next round figure above all values. */
  readonly maximum?: number
}

const WIDTH = 600
const HEIGHT = 180

/** Lines over time. Pointing at it tells the figures of that time. */
export function Chart({ label, at, lines, unit = '', maximum }: ChartProps) {
  const pointed = useSignal<number | null>(null)
  const top = maximum ?? niceTop(lines.flatMap(({ values }) => values))
  const place = { width: WIDTH, height: HEIGHT, top }
  const point = (event: JSX.TargetedPointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    pointed.value = nearestPoint((event.clientX - left) / width, at.length)
  }
  const shown = pointed.value ?? at.length - 1
  return (
    <figure class="chart">
      <figcaption class="chart-legend">
        <span class="muted">{at[shown] === undefined ? '' : pointText(at[shown])}</span>
        {lines.map(({ name, tone, isDashed, values }) => (
          <span key={name} class={`chart-name ${tone} ${isDashed ? 'dashed' : ''}`}>
            {name} <strong>{valueText(values[shown] ?? null, unit)}</strong>
          </span>
        ))}
      </figcaption>
      <div class="chart-frame">
        <div class="chart-axis" aria-hidden="true">
          {[top, top / 2, 0].map((value) => (
            <span key={value}>{valueText(value, unit)}</span>
          ))}
        </div>
        <div class="chart-plot" onPointerMove={point} onPointerLeave={() => (pointed.value = null)}>
          <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
            {[0, 0.5, 1].map((share) => (
              <line key={share} class="chart-grid" x1="0" x2={WIDTH} y1={HEIGHT * share} y2={HEIGHT * share} />
            ))}
            {lines.map(({ name, tone, isDashed, values }) => (
              <path key={name} class={`chart-line ${tone} ${isDashed ? 'dashed' : ''}`} d={pathOf(values, place)} />
            ))}
          </svg>
          {pointed.value !== null && (
            <span class="chart-cursor" style={{ left: `${(pointed.value / Math.max(1, at.length - 1)) * 100}%` }} />
          )}
        </div>
        <div class="chart-times" aria-hidden="true">
          {[0, Math.floor((at.length - 1) / 2), at.length - 1].map((index) => (
            <span key={index}>{at[index] === undefined ? '' : tickText(at[index], at)}</span>
          ))}
        </div>
      </div>
    </figure>
  )
}

function valueText(value: number | null, unit: string): string {
  return value === null ? '–' : `${number(value, value < 10 ? 2 : 0)}${unit}`
}

/** Times of day for a day or two, dates for more. */
function tickText(instant: number, at: readonly number[]): string {
  const spanMs = (at.at(-1) ?? 0) - (at[0] ?? 0)
  return dateAs(instant, spanMs <= 2 * DAY_MS ? TIME : { day: '2-digit', month: 'short' })
}

const TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

function pointText(instant: number): string {
  return dateAs(instant, { day: '2-digit', month: 'short', ...TIME, timeZoneName: 'short' })
}
