import type { Attributes, Context, Link, Span, TracerProvider } from '@opentelemetry/api'
import type { ExecutionBody, ExecutionOptions } from '../../job/execution/execution.ts'
import { type OpenTelemetry, openTelemetry } from './open-telemetry.ts'

/** The trace context that is stored with an execution: the headers of W3C Trace Context. */
export type TraceContext = Pick<ExecutionOptions, 'traceparent' | 'tracestate'>

/** What a producer span describes. */
export interface Sent {
  readonly jobType: string
  /** How many executions are sent together; left out for one. */
  readonly count?: number | undefined
}

/** A span that is open. */
export interface OpenSpan {
  /** The span as a parent of other spans, in this process and in others. */
  readonly trace: TraceContext
  readonly setId: (executionId: string) => void
  readonly fail: (error: unknown) => void
}

/** Stands in for a span if no SDK is registered. */
const NO_SPAN: OpenSpan = { trace: {}, setId: () => {}, fail: () => {} }
const TRACEPARENT = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/

/** The trace context of an execution, for executions that follow from it. */
export function traceOf(options: ExecutionOptions | null | undefined): TraceContext {
  const { traceparent, tracestate } = options ?? {}
  if (traceparent === undefined) return {}
  return tracestate === undefined ? { traceparent } : { traceparent, tracestate }
}

/** An execution as it is sent in a span. */
export function withTrace(body: ExecutionBody, trace: TraceContext): ExecutionBody {
  if (trace.traceparent === undefined) return body
  const { traceparent: _, tracestate: _state, ...own } = body.options ?? {}
  return { ...body, options: { ...own, ...trace } }
}

/** Whether a tracer provider is registered: without one nothing is measured and nothing is stored. */
export function isTracing(): boolean {
  const api = openTelemetry()
  return api !== null && isRegistered(api, api.trace.getTracerProvider())
}

/** Sends executions in a producer span, below the span that is active. Rejects as `send` does. */
export function inEnqueueSpan<Result>(
  { jobType, count }: Sent,
  send: (span: OpenSpan) => Promise<Result>,
  parent?: TraceContext,
): Promise<Result> {
  const api = tracingApi()
  if (!api) return send(parent ? { ...NO_SPAN, trace: parent } : NO_SPAN)
  const attributes = {
    ...messageAttributes('send', 'enqueue', jobType),
    ...(count === undefined ? {} : { 'messaging.batch.message_count': count }),
  }
  const above = parent === undefined ? api.context.active() : contextOf(api, parent)
  const span = tracerOf(api).startSpan(`enqueue ${jobType}`, { kind: api.SpanKind.PRODUCER, attributes }, above)
  return within(api, span, above, send)
}

/** Runs an attempt in a consumer span: a child of the span that sent the execution, and linked to it. */
export function inRunSpan<Result>(
  { body, attempt }: { readonly body: ExecutionBody; readonly attempt: number },
  run: (span: OpenSpan) => Promise<Result>,
): Promise<Result> {
  const { id, jobType, jobId, queue, tenant, options } = body
  const api = tracingApi()
  if (!api) return run(options?.traceparent === undefined ? NO_SPAN : { ...NO_SPAN, trace: traceOf(options) })
  const attributes = {
    ...messageAttributes('process', 'run', jobType),
    'messaging.message.id': id,
    'pontual.execution.id': id,
    'pontual.job.type': jobType,
    'pontual.attempt': attempt,
    'pontual.queue': queue,
    'pontual.tenant': tenant,
    ...(jobId === null ? {} : { 'pontual.job.id': jobId }),
  }
  const above = contextOf(api, traceOf(options))
  const settings = { kind: api.SpanKind.CONSUMER, attributes, links: linksTo(api, [traceOf(options)]) }
  return within(api, tracerOf(api).startSpan(`run ${jobType}`, settings, above), above, run)
}

/** Runs a batch handler in a consumer span that is linked to the sender of each of its executions. */
export function inBatchSpan<Result>(
  jobType: string,
  senders: readonly TraceContext[],
  run: () => Promise<Result>,
): Promise<Result> {
  const api = tracingApi()
  if (!api) return run()
  const attributes = {
    ...messageAttributes('process', 'run', jobType),
    'messaging.batch.message_count': senders.length,
    'pontual.job.type': jobType,
    'pontual.batch.size': senders.length,
  }
  const settings = { kind: api.SpanKind.CONSUMER, attributes, links: linksTo(api, senders) }
  const above = api.ROOT_CONTEXT
  return within(api, tracerOf(api).startSpan(`run batch ${jobType}`, settings, above), above, run)
}

/** Performs one attempt of an activity in a span below the run that called it; without `parent`, below the active span. */
export function inActivitySpan<Result>(
  { activity, sequence, attempt }: { readonly activity: string; readonly sequence: number; readonly attempt: number },
  perform: () => Result,
  parent?: TraceContext,
): Result {
  const api = tracingApi()
  if (!api) return perform()
  const attributes = { 'pontual.activity': activity, 'pontual.sequence': sequence, 'pontual.attempt': attempt }
  const above = parent === undefined ? api.context.active() : contextOf(api, parent)
  const span = tracerOf(api).startSpan(`activity ${activity}`, { kind: api.SpanKind.INTERNAL, attributes }, above)
  try {
    const result = api.context.with(api.trace.setSpan(above, span), perform)
    if (!(result instanceof Promise)) {
      span.end()
      return result
    }
    const ended = result.then(
      (value: unknown) => {
        span.end()
        return value
      },
      (error: unknown) => {
        recordFailure(api, span, error)
        span.end()
        throw error
      },
    )
    return ended as Result
  } catch (error) {
    recordFailure(api, span, error)
    span.end()
    throw error
  }
}

async function within<Result>(
  api: OpenTelemetry,
  span: Span,
  above: Context,
  call: (span: OpenSpan) => Promise<Result>,
): Promise<Result> {
  const open: OpenSpan = {
    trace: headersOf(span),
    setId: (executionId) => void span.setAttribute('messaging.message.id', executionId),
    fail: (error) => recordFailure(api, span, error),
  }
  try {
    return await api.context.with(api.trace.setSpan(above, span), () => call(open))
  } catch (error) {
    recordFailure(api, span, error)
    throw error
  } finally {
    span.end()
  }
}

/** Attributes of the semantic conventions for messaging. The destination of an execution is its job type. */
function messageAttributes(type: 'send' | 'process', name: 'enqueue' | 'run', jobType: string): Attributes {
  return {
    'messaging.system': 'pontual',
    'messaging.operation.type': type,
    'messaging.operation.name': name,
    'messaging.destination.name': jobType,
  }
}

function recordFailure(api: OpenTelemetry, span: Span, thrown: unknown): void {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  span.recordException(error)
  span.setAttribute('error.type', error.name)
  span.setStatus({ code: api.SpanStatusCode.ERROR, message: error.message })
}

function tracingApi(): OpenTelemetry | null {
  return isTracing() ? openTelemetry() : null
}

function tracerOf(api: OpenTelemetry) {
  return api.trace.getTracer('pontual')
}

/** The provider behind the proxy until an SDK is registered. */
let idle: TracerProvider | null = null

function isRegistered({ ProxyTracerProvider }: OpenTelemetry, provider: TracerProvider): boolean {
  idle ??= new ProxyTracerProvider().getDelegate()
  return !(provider instanceof ProxyTracerProvider && provider.getDelegate() === idle)
}

/** Written here and not by the application's propagator, which may use other headers. */
function headersOf(span: Span): TraceContext {
  const { traceId, spanId, traceFlags, traceState } = span.spanContext()
  const traceparent = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
  return traceState ? { traceparent, tracestate: traceState.serialize() } : { traceparent }
}

function contextOf(api: OpenTelemetry, headers: TraceContext): Context {
  const [link] = linksTo(api, [headers])
  return link ? api.trace.setSpanContext(api.ROOT_CONTEXT, link.context) : api.ROOT_CONTEXT
}

function linksTo(api: OpenTelemetry, senders: readonly TraceContext[]): Link[] {
  return senders.flatMap(({ traceparent = '', tracestate }) => {
    const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent) ?? []
    if (!traceId || !spanId || !flags) return []
    const traceState = tracestate === undefined ? {} : { traceState: api.createTraceState(tracestate) }
    return [{ context: { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true, ...traceState } }]
  })
}
