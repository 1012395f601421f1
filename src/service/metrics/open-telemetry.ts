import type { BatchObservableResult, Meter, MeterProvider, Observable } from '@opentelemetry/api'
import type { CancelTimer, Env } from '../../clock.ts'
import type { Service } from '../../engine/node/loop.ts'
import { openTelemetry } from '../../engine/telemetry/open-telemetry.ts'
import type { MetricFamily, ScalarFamily } from './family.ts'

/** What is told, and all that may be told, whatever there is to tell now. */
interface Told {
  metrics(tenant: null): Promise<readonly MetricFamily[]>
  describe(): readonly MetricFamily[]
}

/** An SDK may be registered after us, or another in its place. */
const CHECK_MS = 10_000

/**
 * Lets an OpenTelemetry SDK observe the metrics that Prometheus reads, under the same names with dots. Histograms are recorded by the engine as things
 * happen. Nothing is read unless somebody collects.
 */
export function metricsOffer(env: Env, told: Told): Service {
  return new MetricsOffer(env, told)
}

class MetricsOffer implements Service {
  readonly #env: Env
  readonly #told: Told
  #provider: MeterProvider | null = null
  #stopChecking: CancelTimer = () => {}
  #withdraw: () => void = () => {}

  constructor(env: Env, told: Told) {
    this.#env = env
    this.#told = told
  }

  start(): void {
    this.#stopChecking = this.#env.every(CHECK_MS, () => this.#offer())
    this.#offer()
  }

  stop(): Promise<void> {
    this.#stopChecking()
    this.#withdraw()
    this.#withdraw = () => {}
    this.#provider = null
    return Promise.resolve()
  }

  #offer(): void {
    const api = openTelemetry()
    if (!api) return
    const provider = api.metrics.getMeterProvider()
    if (provider === this.#provider) return
    this.#withdraw()
    this.#provider = provider
    const meter = provider.getMeter('pontual')
    this.#withdraw = meter.constructor === api.createNoopMeter().constructor ? () => {} : offer(meter, this.#told)
  }
}

/** Returns how to take it back. */
function offer(meter: Meter, told: Told): () => void {
  const scalars = told.describe().filter((family) => family.type !== 'histogram')
  const instruments = new Map(scalars.map((family) => [family.name, instrumentOf(meter, family)] as const))
  const observables = [...instruments.values()]
  const observe = async (result: BatchObservableResult) => {
    for (const family of await told.metrics(null)) {
      const instrument = instruments.get(family.name)
      if (!instrument || family.type === 'histogram') continue
      for (const { labels, value } of family.samples) result.observe(instrument, value, { ...labels })
    }
  }
  meter.addBatchObservableCallback(observe, observables)
  return () => meter.removeBatchObservableCallback(observe, observables)
}

function instrumentOf(meter: Meter, { name, help, type }: Pick<ScalarFamily, 'name' | 'help' | 'type'>): Observable {
  const dotted = name.replace(/_total$/, '').replaceAll('_', '.')
  const options = { description: help, ...(name.endsWith('_seconds') ? { unit: 's' } : {}) }
  return type === 'counter'
    ? meter.createObservableCounter(dotted, options)
    : meter.createObservableGauge(dotted, options)
}
