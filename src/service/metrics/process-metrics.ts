import { type LagMeter, measureLag } from '../../clock.ts'
import type { EngineEvent, EngineEvents } from '../../engine/telemetry/events.ts'
import { gauge, gaugeBy, type HistogramSnapshot, type Labels, type MetricFamily, type Sample } from './family.ts'

/** Calls whenever something happens; returns how to stop. */
type Listen = <Name extends EngineEvent>(event: Name, listener: (facts: EngineEvents[Name]) => void) => () => void

const DURATION_BOUNDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 1_800, 7_200]
const LATENESS_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 60, 300]
const REQUEST_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Whoever asks may call his method anything. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'])

/** A request that was answered. */
export interface AnsweredRequest {
  readonly method: string
  /** As it stands in the table of routes; empty where there is none. */
  readonly route: string
  readonly status: number
  readonly durationMs: number
}

/** What this process has counted since it began. */
export class ProcessMetrics {
  readonly #ends = new Counter()
  readonly #durations = new Histogram(DURATION_BOUNDS)
  readonly #lateness = new Histogram(LATENESS_BOUNDS)
  readonly #requests = new Counter()
  readonly #answers = new Histogram(REQUEST_BOUNDS)
  readonly #stops: readonly (() => void)[]
  readonly #lag: LagMeter = measureLag()

  constructor(listen: Listen) {
    this.#stops = [
      listen('execution.succeeded', ({ jobType, durationMs }) => this.#end('SUCCESS', jobType, durationMs)),
      listen('execution.failed', ({ jobType, status, durationMs }) => this.#end(status, jobType, durationMs)),
      listen('execution.retried', ({ durationMs }) => this.#durations.record(durationMs / 1_000)),
      listen('execution.cancelled', () => this.#ends.add({ status: 'CANCELLED', job_type: '' })),
      listen('execution.claimed', ({ latenessMs }) => {
        if (latenessMs !== null) this.#lateness.record(latenessMs / 1_000)
      }),
    ]
  }

  #end(status: string, jobType: string, durationMs: number): void {
    this.#ends.add({ status, job_type: jobType })
    this.#durations.record(durationMs / 1_000)
  }

  answered({ method, route, status, durationMs }: AnsweredRequest): void {
    const known = METHODS.has(method) ? method : 'other'
    this.#requests.add({ method: known, route, status: String(status) })
    this.#answers.record(durationMs / 1_000)
  }

  families(): readonly MetricFamily[] {
    return [
      {
        name: 'pontual_executions_ended_total',
        help: 'Executions that ended here, by status and job type; whose job type is not known has none.',
        type: 'counter',
        samples: this.#ends.samples(),
      },
      {
        name: 'pontual_attempt_duration_seconds',
        help: 'How long attempts took that ran here.',
        type: 'histogram',
        histogram: this.#durations.snapshot(),
      },
      {
        name: 'pontual_occurrence_lateness_seconds',
        help: 'From when an occurrence was due that nobody missed to the start of its run here.',
        type: 'histogram',
        histogram: this.#lateness.snapshot(),
      },
      {
        name: 'pontual_http_requests_total',
        help: 'Requests answered here, by route; what is not in the table of routes has none.',
        type: 'counter',
        samples: this.#requests.samples(),
      },
      {
        name: 'pontual_http_request_duration_seconds',
        help: 'How long requests took that were answered here.',
        type: 'histogram',
        histogram: this.#answers.snapshot(),
      },
      this.#lagFamily(),
      gauge('process_resident_memory_bytes', 'Resident memory of this process.', process.memoryUsage.rss()),
    ]
  }

  stop(): void {
    for (const stop of this.#stops) stop()
    this.#lag.stop()
  }

  /** Counted anew from here on: what was an hour ago is not how it is now. */
  #lagFamily(): MetricFamily {
    const quantiles = this.#lag.read([0.5, 0.99, 1]).map(([share, lag]) => [String(share), lag] as const)
    const help = 'How late timers went off here since last asked.'
    return gaugeBy('pontual_event_loop_lag_seconds', help, 'quantile', quantiles)
  }
}

/** How many series a counter has at most: what comes later is counted together, as `(other)`. */
const MOST_SERIES = 1_000

const OTHER = '(other)'

/** Counts by labels, in one process. */
export class Counter {
  readonly #series = new Map<string, { readonly labels: Labels; value: number }>()
  readonly #most: number

  constructor(most = MOST_SERIES) {
    this.#most = most
  }

  add(labels: Labels): void {
    const key = JSON.stringify(Object.values(labels))
    const known = this.#series.get(key)
    if (known) known.value += 1
    else if (this.#series.size < this.#most) this.#series.set(key, { labels, value: 1 })
    else this.#addOther(labels)
  }

  samples(): readonly Sample[] {
    return [...this.#series.values()].map(({ labels, value }) => ({ labels, value }))
  }

  #addOther(labels: Labels): void {
    const others = Object.fromEntries(Object.keys(labels).map((name) => [name, OTHER]))
    const known = this.#series.get(OTHER)
    if (known) known.value += 1
    else this.#series.set(OTHER, { labels: others, value: 1 })
  }
}

/** How values are spread, in one process. */
export class Histogram {
  readonly #bounds: readonly number[]
  readonly #counts: number[]
  #sum = 0
  #count = 0

  /** Upper bounds in ascending order; what is above the last is counted too. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#counts = bounds.map(() => 0)
  }

  record(value: number): void {
    const at = this.#bounds.findIndex((bound) => value <= bound)
    if (at >= 0) this.#counts[at] = (this.#counts[at] ?? 0) + 1
    this.#sum += value
    this.#count += 1
  }

  snapshot(): HistogramSnapshot {
    let count = 0
    const buckets = this.#bounds.map((atMost, at) => {
      count += this.#counts[at] ?? 0
      return { atMost, count }
    })
    return { buckets, sum: this.#sum, count: this.#count }
  }
}
