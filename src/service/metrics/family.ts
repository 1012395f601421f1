/** A metric as whoever collects it knows it, with all its samples. */
export type MetricFamily = ScalarFamily | HistogramFamily

export interface ScalarFamily {
  /** As Prometheus has it, such as `pontual_executions_running`; a counter ends in `_total`. */
  readonly name: string
  readonly help: string
  readonly type: 'gauge' | 'counter'
  readonly samples: readonly Sample[]
}

export interface HistogramFamily {
  readonly name: string
  readonly help: string
  readonly type: 'histogram'
  readonly histogram: HistogramSnapshot
}

export interface Sample {
  readonly labels: Labels
  readonly value: number
}

export type Labels = Readonly<Record<string, string>>

export interface HistogramSnapshot {
  /** How many were at most so much, by upper bound in ascending order; each holds those of the ones before it. */
  readonly buckets: readonly { readonly atMost: number; readonly count: number }[]
  readonly sum: number
  readonly count: number
}

/** A gauge without labels; none where there is no value. */
export function gauge(name: string, help: string, value: number | null): ScalarFamily {
  return { name, help, type: 'gauge', samples: value === null ? [] : [{ labels: {}, value }] }
}

/** A gauge with one label; values that are null are left out. */
export function gaugeBy(
  name: string,
  help: string,
  label: string,
  values: readonly (readonly [string, number | null])[],
): ScalarFamily {
  const samples = values.flatMap(([key, value]) => (value === null ? [] : [{ labels: { [label]: key }, value }]))
  return { name, help, type: 'gauge', samples }
}
