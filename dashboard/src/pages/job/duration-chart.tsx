import type { ExecutionView, JobStatisticsView } from '../../api/wire.ts'
import { duration, number } from '../../language/format.ts'
import { Section } from '../../parts/page.tsx'
import { heightOf, plotDurations } from './duration-points.ts'
import { jobPageTexts } from './texts.ts'

const WIDTH = 600
const HEIGHT = 120

interface DurationChartProps {
  readonly runs: readonly ExecutionView[]
  readonly statistics: JobStatisticsView
}

/** How long the last runs took, with the median and what 95 of 100 stay below. The table of executions has the same figures. */
export function DurationChart({ runs, statistics }: DurationChartProps) {
  const texts = jobPageTexts.value
  const plot = plotDurations(runs, WIDTH, HEIGHT)
  if (plot === null) return null
  const { points, path, topMs, shortestMs, longestMs } = plot
  const lines = [
    ['p50', statistics.p50DurationMs],
    ['p95', statistics.p95DurationMs],
  ] as const
  return (
    <Section title={texts.sections.durations}>
      <div class="duration-chart">
        <span class="muted small number">{duration(topMs)}</span>
        <svg
          viewBox={`-6 -6 ${WIDTH + 12} ${HEIGHT + 12}`}
          role="img"
          aria-label={texts.durationLabel(number(points.length), duration(shortestMs), duration(longestMs))}
        >
          <path class="axis" d={`M0 0V${HEIGHT}H${WIDTH}`} />
          {lines.map(([name, value]) =>
            value === null ? null : (
              <path key={name} class={name} d={`M0 ${heightOf(value, topMs, HEIGHT).toFixed(1)}H${WIDTH}`} />
            ),
          )}
          <path class="line" d={path} />
          {points.map(({ id, x, y, hasFailed }) =>
            hasFailed ? (
              <path key={id} class="failed" d={`M${x - 4} ${y - 4}l8 8M${x + 4} ${y - 4}l-8 8`} />
            ) : (
              <circle key={id} cx={x} cy={y} r={points.length > 40 ? 1.8 : 2.6} />
            ),
          )}
        </svg>
        <ul class="legend small muted">
          <li class="p50">p50 {duration(statistics.p50DurationMs)}</li>
          <li class="p95">p95 {duration(statistics.p95DurationMs)}</li>
          {points.some(({ hasFailed }) => hasFailed) && <li class="failed">× {texts.failedMark}</li>}
        </ul>
      </div>
    </Section>
  )
}
