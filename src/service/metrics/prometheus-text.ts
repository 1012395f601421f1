import type { HistogramFamily, Labels, MetricFamily } from './family.ts'

/** What Prometheus is told that the text is. */
export const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** Metrics as Prometheus reads them, in text format 0.0.4. Families without samples are left out. */
export function prometheusText(families: readonly MetricFamily[]): string {
  return families
    .map((family) => [linesOf(family), family] as const)
    .filter(([lines]) => lines.length > 0)
    .map(([lines, { name, help, type }]) =>
      [`# HELP ${name} ${escapedHelp(help)}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n'),
    )
    .join('')
}

function linesOf(family: MetricFamily): string[] {
  if (family.type === 'histogram') return linesOfHistogram(family)
  return family.samples.map(({ labels, value }) => line(family.name, labels, value))
}

function linesOfHistogram({ name, histogram: { buckets, sum, count } }: HistogramFamily): string[] {
  return [
    ...buckets.map((bucket) => line(`${name}_bucket`, { le: written(bucket.atMost) }, bucket.count)),
    line(`${name}_bucket`, { le: '+Inf' }, count),
    line(`${name}_sum`, {}, sum),
    line(`${name}_count`, {}, count),
  ]
}

function line(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapedLabel(text)}"`)
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${written(value)}`
}

function written(value: number): string {
  if (value === Infinity) return '+Inf'
  return value === -Infinity ? '-Inf' : String(value)
}

function escapedHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}

function escapedLabel(text: string): string {
  return escapedHelp(text).replaceAll('"', '\\"')
}
