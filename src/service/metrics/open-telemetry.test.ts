import { metrics } from '@opentelemetry/api'
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics'
import { afterEach, describe, expect, it } from 'vitest'
import { openStage } from '../../../test/http/service/stage.ts'
import { emptyFamilies } from './store-metrics.ts'

/** Collects when it is told to. */
class Reader extends MetricReader {
  protected override onForceFlush(): Promise<void> {
    return Promise.resolve()
  }
  protected override onShutdown(): Promise<void> {
    return Promise.resolve()
  }

  /** Every point, by name. */
  async points(): Promise<ReadonlyMap<string, readonly { value: unknown; attributes: object }[]>> {
    const { resourceMetrics, errors } = await this.collect()
    expect(errors).toEqual([])
    const found = resourceMetrics.scopeMetrics.flatMap((scope) => scope.metrics)
    return new Map(
      found.map(({ descriptor, dataPoints }) => [
        descriptor.name,
        dataPoints.map(({ value, attributes }) => ({ value, attributes })),
      ]),
    )
  }
}

afterEach(() => metrics.disable())

function register(): Reader {
  const reader = new Reader()
  metrics.disable()
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }))
  return reader
}

describe('an OpenTelemetry SDK', () => {
  it('is told what Prometheus is, as long as the service lives', async () => {
    const reader = register()
    await using stage = await openStage({}, { duties: true })
    await stage.test.app.enqueue('ImportarFaturas', undefined, { tenant: 'acme' })
    await stage.test.app.enqueue('Falhar', undefined, { tenant: 'acme' })
    await stage.test.settle()
    const points = await reader.points()
    expect(points.get('pontual.executions.running')).toEqual([{ value: 0, attributes: {} }])
    expect(points.get('pontual.executions.queued')).toEqual([{ value: 0, attributes: {} }])
    expect(points.get('pontual.workers.used')).toContainEqual({ value: 0, attributes: { tenant: 'acme' } })
    expect(points.get('pontual.success.ratio')).toEqual([{ value: 0.5, attributes: {} }])
    expect(points.get('pontual.mean.duration.seconds')).toEqual([{ value: 0, attributes: {} }])
    expect(points.get('pontual.consecutive.failures')).toHaveLength(1)
    expect(points.get('pontual.kpi')).toContainEqual({ value: 50, attributes: { kpi: 'successRate' } })
    expect(points.get('pontual.executions.ended')).toContainEqual({
      value: 1,
      attributes: { status: 'FAILED', job_type: 'Falhar' },
    })
    expect(points.get('pontual.attempt.duration')).toHaveLength(2)
    await stage.test.stop()
    // Nobody asks any more: else it would be told that the store is away.
    expect((await reader.points()).get('pontual.store.up')).toEqual([{ value: 1, attributes: {} }])
  })

  it('may be registered after the service has begun', async () => {
    await using stage = await openStage({}, { duties: true })
    const reader = register()
    expect((await reader.points()).has('pontual.executions.running')).toBe(false)
    await stage.test.advance('10s')
    expect((await reader.points()).get('pontual.executions.running')).toEqual([{ value: 0, attributes: {} }])
  })

  it('knows every metric of the store by a name of its own', () => {
    const names = emptyFamilies().map(({ name }) => name.replaceAll('_', '.'))
    expect(new Set(names).size).toBe(names.length)
  })
})
