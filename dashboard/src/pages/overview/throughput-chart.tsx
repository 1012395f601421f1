import type { SeriesView } from '../../api/wire.ts'
import { dateTime, number, timeOfDay, zoneName } from '../../language/format.ts'
import { offsetMinutes, viewerZone } from '../../language/zone.ts'
import { Table } from '../../parts/table.tsx'
import { overviewTexts } from './texts.ts'
import { OUTCOMES, type Throughput, throughputOf, ticksOf, totalOf } from './throughput.ts'

/** In the order in which they are told. */
const TOLD = OUTCOMES.toReversed().toSorted((a, b) => Number(b === 'succeeded') - Number(a === 'succeeded'))

const GAP = 0.18
/** From here on there is no room for a time behind its tick. */
const NEAR_END = 0.88

/** What ended in the last day, as bars; the same in words and, for whoever wants it, in a table. */
export function ThroughputChart({ series }: { readonly series: SeriesView }) {
  const texts = overviewTexts.value
  const throughput = throughputOf(series.buckets)
  const { totals, bars, top } = throughput
  return (
    <div class="throughput">
      <ul class="throughput-legend">
        {TOLD.map((outcome) => (
          <li key={outcome}>
            <span class={`throughput-swatch ${outcome}`} aria-hidden="true" />
            {texts.outcome[outcome]} <strong class="number">{number(totals[outcome])}</strong>
          </li>
        ))}
      </ul>
      <div class="throughput-plot">
        <span class="throughput-scale" aria-hidden="true">
          <span>{number(top)}</span>
          <span>0</span>
        </span>
        <svg role="img" aria-label={inWords(throughput)} viewBox={`0 0 ${bars.length} 100`} preserveAspectRatio="none">
          <path class="guide" d={`M0 0.5H${bars.length}M0 50H${bars.length}`} />
          {bars.map(({ at, total, parts }, index) => (
            <g key={at}>
              {total > 0 && <title>{`${dateTime(at, { hasSeconds: false })}: ${number(total)}`}</title>}
              {parts.map(({ outcome, y, height }) => (
                <rect class={outcome} key={outcome} x={index + GAP / 2} y={y} width={1 - GAP} height={height} />
              ))}
            </g>
          ))}
        </svg>
      </div>
      <HourLabels series={series} />
      {series.isPartial && <p class="muted small">{texts.partial}</p>}
      <AsTable series={series} />
    </div>
  )
}

function inWords({ totals, busiest }: Throughput): string {
  const texts = overviewTexts.value
  if (!busiest) return texts.nothingEnded
  const parts = TOLD.map((outcome) => `${texts.outcome[outcome]} ${number(totals[outcome])}`).join(', ')
  return texts.throughputLabel(parts, texts.busiest(busiest.total, dateTime(busiest.at, { hasSeconds: false })))
}

/** Times below the chart, with their zone once. */
function HourLabels({ series: { from, to } }: { readonly series: SeriesView }) {
  const start = Date.parse(from)
  const ticks = ticksOf(start, Date.parse(to), offsetMinutes(start, viewerZone.value))
  return (
    <div class="throughput-hours" aria-hidden="true">
      <p>
        {ticks.map(({ at, share }) => (
          <span key={at} class={share > NEAR_END ? 'before' : 'behind'} style={{ '--at': `${share * 100}%` }}>
            {timeOfDay(at)}
          </span>
        ))}
      </p>
      <span>{zoneName(to)}</span>
    </div>
  )
}

function AsTable({ series }: { readonly series: SeriesView }) {
  const texts = overviewTexts.value
  const rows = series.buckets.filter((bucket) => totalOf(bucket) > 0).toReversed()
  if (rows.length === 0) return null
  return (
    <details>
      <summary>{texts.asTable}</summary>
      <Table
        label={texts.throughput}
        rows={rows}
        rowKey={({ at }) => at}
        columns={[
          { key: 'at', title: texts.from, cell: ({ at }) => dateTime(at, { hasSeconds: false }) },
          ...TOLD.map((outcome) => ({
            key: outcome,
            title: texts.outcome[outcome],
            isNumber: true,
            cell: (row: (typeof rows)[number]) => number(row[outcome]),
          })),
        ]}
      />
    </details>
  )
}
