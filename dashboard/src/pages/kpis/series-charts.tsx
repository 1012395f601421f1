import { useMemo } from 'preact/hooks'
import { SECOND_MS } from '../../../../src/duration.ts'
import { withParameters } from '../../api/ask.ts'
import { useAnswer } from '../../api/questions.ts'
import type { SeriesBucketView, SeriesView } from '../../api/wire.ts'
import { dateTime, duration, number, percent } from '../../language/format.ts'
import { Answer } from '../../parts/answer.tsx'
import { Chart } from '../../parts/chart.tsx'
import { Section } from '../../parts/page.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { kpiTexts } from './texts.ts'

/** How it went over time, drawn and as a table. */
export function SeriesCharts({ hours }: { readonly hours: number }) {
  const series = useAnswer<SeriesView>(withParameters('jobs/series', { hours }), { keepsLast: true })
  return (
    <Answer query={series} lines={8}>
      {({ buckets }) => <Drawn buckets={buckets} />}
    </Answer>
  )
}

function Drawn({ buckets }: { readonly buckets: readonly SeriesBucketView[] }) {
  const texts = kpiTexts.value
  const at = useMemo(() => buckets.map((bucket) => new Date(bucket.at).getTime()), [buckets])
  const outcomes = useMemo(
    () => [
      { name: texts.succeeded, tone: 'good' as const, values: buckets.map(({ succeeded }) => succeeded) },
      { name: texts.failed, tone: 'bad' as const, values: buckets.map(({ failed }) => failed) },
      { name: texts.timedOut, tone: 'warn' as const, isDashed: true, values: buckets.map(({ timedOut }) => timedOut) },
    ],
    [buckets, texts],
  )
  const durations = useMemo(
    () => [
      { name: texts.meanDuration, tone: 'info' as const, values: buckets.map((each) => seconds(each.meanDurationMs)) },
      {
        name: texts.p95Duration,
        tone: 'good' as const,
        isDashed: true,
        values: buckets.map((each) => seconds(each.p95DurationMs)),
      },
      { name: texts.meanQueue, tone: 'warn' as const, values: buckets.map((each) => seconds(each.meanQueueMs)) },
    ],
    [buckets, texts],
  )
  const rates = useMemo(
    () => [
      { name: texts.successRate, tone: 'good' as const, values: buckets.map(successPercent) },
      {
        name: texts.onTime,
        tone: 'info' as const,
        isDashed: true,
        values: buckets.map(({ onTimeRate }) => (onTimeRate === null ? null : onTimeRate * 100)),
      },
    ],
    [buckets, texts],
  )
  return (
    <div class="grid">
      <Section title={texts.outcomes}>
        <Chart label={texts.outcomes} at={at} lines={outcomes} />
      </Section>
      <Section title={texts.rates}>
        <Chart label={texts.rates} at={at} lines={rates} unit="%" maximum={100} />
      </Section>
      <Section title={texts.durations}>
        <Chart label={texts.durations} at={at} lines={durations} unit=" s" />
      </Section>
      <details class="wide">
        <summary>{texts.table}</summary>
        <Table label={texts.outcomes} columns={columns()} rows={buckets} rowKey={({ at }) => at} />
      </details>
    </div>
  )
}

function seconds(ms: number | null): number | null {
  return ms === null ? null : ms / SECOND_MS
}

function columns(): readonly Column<SeriesBucketView>[] {
  const texts = kpiTexts.value
  const count = (key: 'succeeded' | 'failed' | 'timedOut' | 'cancelled', title: string): Column<SeriesBucketView> => ({
    key,
    title,
    isNumber: true,
    cell: (bucket) => number(bucket[key]),
  })
  return [
    { key: 'at', title: texts.at, cell: ({ at }) => dateTime(at, { hasSeconds: false }) },
    count('succeeded', texts.succeeded),
    count('failed', texts.failed),
    count('timedOut', texts.timedOut),
    count('cancelled', texts.cancelled),
    { key: 'mean', title: texts.meanDuration, isNumber: true, cell: ({ meanDurationMs }) => duration(meanDurationMs) },
    { key: 'p95', title: texts.p95Duration, isNumber: true, cell: ({ p95DurationMs }) => duration(p95DurationMs) },
    { key: 'queue', title: texts.meanQueue, isNumber: true, cell: ({ meanQueueMs }) => duration(meanQueueMs) },
    { key: 'onTime', title: texts.onTime, isNumber: true, cell: ({ onTimeRate }) => percent(onTimeRate) },
  ]
}

/** In percent; null where nothing ended. What was cancelled counts neither way. */
function successPercent({ succeeded, failed, timedOut }: SeriesBucketView): number | null {
  const ended = succeeded + failed + timedOut
  return ended === 0 ? null : (succeeded / ended) * 100
}
