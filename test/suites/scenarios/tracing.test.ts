import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { afterEach, describe, expect, it } from 'vitest'
import { activity } from '../../../src/job/activity/activity.ts'
import { batchJob } from '../../../src/job/type/batch.ts'
import { job } from '../../../src/job/type/job-type.ts'
import { memory } from '../../../src/store/memory/memory.ts'
import { testPontual } from '../../../src/testing.ts'

/** Registers a real SDK that keeps its spans in memory. It has no propagator: Pontual needs none. */
function registerSdk() {
  const exporter = new InMemorySpanExporter()
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }))
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const spans = () => exporter.getFinishedSpans()
  return { spans, named: (name: string) => spans().filter((span) => span.name === name) }
}

const idOf = (span: ReadableSpan | undefined) => span?.spanContext().spanId
const tree = (spans: readonly ReadableSpan[]) => {
  const names = new Map(spans.map((span) => [idOf(span), span.name]))
  return spans.map((span) => `${names.get(span.parentSpanContext?.spanId) ?? '-'} > ${span.name}`).toSorted()
}
const linksOf = (span: ReadableSpan | undefined) => span?.links.map((link) => link.context.spanId)

describe('OpenTelemetry spans', () => {
  afterEach(() => {
    trace.disable()
    context.disable()
    propagation.disable()
  })

  it('has a producer span for an enqueue and a linked consumer span for each attempt', async () => {
    const { spans, named } = registerSdk()
    const work = job('work', {
      retry: { intervals: ['1m'] },
      run: (_input, { attempt }) => (attempt === 1 ? Promise.reject(new TypeError('first')) : 'done'),
    })
    await using t = await testPontual({ jobs: [work] })
    const request = trace.getTracer('test').startSpan('request')
    const { id } = await context.with(trace.setSpan(ROOT_CONTEXT, request), () => t.app.enqueue(work))
    await t.advance('5m')
    request.end()
    expect(tree(spans())).toEqual([
      '- > request',
      'enqueue work > run work',
      'enqueue work > run work',
      'request > enqueue work',
    ])
    const [sent] = named('enqueue work')
    expect(sent).toMatchObject({
      kind: SpanKind.PRODUCER,
      attributes: {
        'messaging.system': 'pontual',
        'messaging.operation.type': 'send',
        'messaging.operation.name': 'enqueue',
        'messaging.destination.name': 'work',
        'messaging.message.id': id,
      },
    })
    const attempts = named('run work')
    expect(attempts.map(({ attributes }) => attributes['pontual.attempt'])).toEqual([1, 2])
    for (const attempt of attempts) {
      expect(attempt).toMatchObject({
        kind: SpanKind.CONSUMER,
        attributes: {
          'messaging.system': 'pontual',
          'messaging.operation.type': 'process',
          'messaging.operation.name': 'run',
          'messaging.destination.name': 'work',
          'messaging.message.id': id,
        },
      })
      expect(linksOf(attempt)).toEqual([idOf(sent)])
      expect(attempt.spanContext().traceId).toBe(request.spanContext().traceId)
    }
    expect(attempts[0]).toMatchObject({
      status: { code: SpanStatusCode.ERROR, message: 'first' },
      attributes: { 'error.type': 'TypeError' },
    })
    expect(attempts[1]?.status.code).toBe(SpanStatusCode.UNSET)
  })

  it('has the span of the attempt as the active one in the handler', async () => {
    const { spans } = registerSdk()
    const inner = job('inner', { run: () => 'done' })
    const outer = job('outer', {
      run: async () => {
        await Promise.resolve()
        await t.app.enqueue(inner)
      },
    })
    await using t = await testPontual({ jobs: [outer, inner] })
    await t.app.enqueue(outer)
    await t.settle()
    expect(tree(spans())).toEqual([
      '- > enqueue outer',
      'enqueue inner > run inner',
      'enqueue outer > run outer',
      'run outer > enqueue inner',
    ])
  })

  it('ends a producer span with the error of an enqueue that fails', async () => {
    const { named } = registerSdk()
    const work = job<unknown>('work', { run: () => 'done' })
    await using t = await testPontual({ jobs: [work] })
    await expect(t.app.enqueue(work, 'x', { tenant: '' })).rejects.toThrow()
    expect(named('enqueue work')).toMatchObject([{ status: { code: SpanStatusCode.ERROR } }])
  })

  it('sends many executions in one producer span, and links a batch to all of its senders', async () => {
    const { named } = registerSdk()
    const work = batchJob<number>('work', { size: 10, run: (inputs) => inputs })
    await using t = await testPontual({ jobs: [work] })
    await t.app.enqueueMany(work, [1, 2, 3])
    await t.settle()
    const [sent] = named('enqueue work')
    expect(sent?.attributes['messaging.batch.message_count']).toBe(3)
    expect(named('run work')).toHaveLength(3)
    expect(named('run batch work').map(linksOf)).toEqual([[idOf(sent), idOf(sent), idOf(sent)]])
  })

  it('has producer spans for a run that is asked for by the name of its job, and for a retry', async () => {
    const { spans } = registerSdk()
    const work = job('work', { retry: { retries: 0 }, run: () => Promise.reject(new Error('no')) })
    await using t = await testPontual({ jobs: [work] })
    await t.app.scheduleOnce(work, '2030-01-01T00:00:00Z', { name: 'later' })
    const id = await t.app.runNow('later')
    await t.settle()
    await t.app.retry(id)
    await t.settle()
    const both = ['- > enqueue work', '- > enqueue work', 'enqueue work > run work', 'enqueue work > run work']
    expect(tree(spans())).toEqual(both)
  })

  it('has a span for each attempt of an activity, and none for one that is replayed', async () => {
    const { spans, named } = registerSdk()
    let failures = 0
    const charge = activity('charge', {
      run: () => {
        failures += 1
        return failures === 1 ? Promise.reject(new Error('busy')) : 'charged'
      },
    })
    const ship = activity('ship', { queue: 'shipping', run: () => 'shipped' })
    const mail = job('mail', { run: () => 'sent' })
    const order = job('order', {
      durable: true,
      run: async (_input, ctx) => {
        await ctx.run(charge)
        await ctx.sleep('1h')
        await ctx.run(ship)
        await ctx.call(mail)
        await ctx.run('note', () => 'noted')
      },
    })
    const store = memory()
    await using t = await testPontual({ store, jobs: [order, mail], activities: [ship] })
    await t.app.enqueue(order)
    await t.advance('2h')
    expect(named('activity charge').map(({ status }) => status.code)).toEqual([
      SpanStatusCode.ERROR,
      SpanStatusCode.UNSET,
    ])
    expect(named('activity charge')[0]).toMatchObject({
      kind: SpanKind.INTERNAL,
      attributes: { 'pontual.activity': 'charge', 'pontual.sequence': 1, 'pontual.attempt': 1 },
    })
    expect(new Set(tree(spans()))).toEqual(
      new Set([
        '- > enqueue order',
        'enqueue order > run order',
        'run order > activity charge',
        'run order > enqueue activity:ship',
        'enqueue activity:ship > run activity:ship',
        'run activity:ship > activity ship',
        'run order > enqueue mail',
        'enqueue mail > run mail',
        'run order > activity note',
      ]),
    )
    expect(named('activity note')).toHaveLength(1)
    expect(new Set(spans().map((span) => span.spanContext().traceId)).size).toBe(1)
  })

  it('ends the span of a durable run that fails with its error', async () => {
    const { named } = registerSdk()
    const order = job('order', { durable: true, run: () => Promise.reject(new Error('no stock')) })
    await using t = await testPontual({ jobs: [order] })
    await t.app.enqueue(order)
    await t.settle()
    expect(named('run order')).toMatchObject([{ status: { code: SpanStatusCode.ERROR, message: 'no stock' } }])
  })

  it('stores nothing of a trace if no SDK is registered', async () => {
    const store = memory()
    const work = job('work', { run: () => 'done' })
    await using t = await testPontual({ store, jobs: [work] })
    const { id } = await t.app.enqueue(work)
    await t.settle()
    expect(JSON.stringify(await t.app.execution(id))).not.toContain('traceparent')
  })
})
