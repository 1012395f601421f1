import diagnostics from 'node:diagnostics_channel'
import type { Attributes, Counter, Histogram, MeterProvider } from '@opentelemetry/api'
import { type Logger, type LogLevel, takesLevel } from '../../logger.ts'
import { invalidOption, requireOneOf } from '../../time/require.ts'
import type { EngineEvent, EngineEvents } from './events.ts'
import { type OpenTelemetry, openTelemetry } from './open-telemetry.ts'

/** How loud an event is. Whatever goes as planned is `debug`: at 50,000 a second nobody wants to read it. */
const LEVELS: Readonly<Record<EngineEvent, LogLevel>> = {
  'execution.queued': 'debug',
  'execution.claimed': 'debug',
  'execution.succeeded': 'debug',
  'execution.failed': 'error',
  'execution.retried': 'warn',
  'execution.cancelled': 'info',
  'execution.released': 'info',
  'execution.recovered': 'warn',
  'execution.refused': 'warn',
  'execution.parked': 'debug',
  'execution.diverged': 'warn',
  'activity.completed': 'debug',
  'activity.failed': 'warn',
  'activity.retried': 'warn',
  'activity.replayed': 'debug',
  'job.fired': 'debug',
  'job.misfired': 'warn',
  'job.faulted': 'error',
  'alert.opened': 'error',
  'alert.closed': 'info',
  'node.started': 'info',
  'node.lost': 'error',
  'node.stopped': 'info',
}

const channels = new Map(Object.keys(LEVELS).map((name) => [name, diagnostics.channel(`pontual:${name}`)]))

type Listener = (facts: object) => void

interface Instruments {
  readonly events: Counter
  readonly duration: Histogram
  readonly lateness: Histogram
}

/** null if the provider is the one that discards everything. */
function instrumentsOf(api: OpenTelemetry, provider: MeterProvider): Instruments | null {
  const meter = provider.getMeter('pontual')
  if (meter.constructor === api.createNoopMeter().constructor) return null
  return {
    events: meter.createCounter('pontual.events', { description: 'State changes, by event and job type' }),
    duration: meter.createHistogram('pontual.attempt.duration', { unit: 'ms' }),
    lateness: meter.createHistogram('pontual.occurrence.lateness', {
      unit: 'ms',
      description: 'From the instant an occurrence was due to the start of its run',
    }),
  }
}

/** Tells the outside what happens: a log line, a message on `pontual:<event>` of `node:diagnostics_channel`, and OpenTelemetry metrics. */
export class Telemetry {
  readonly #logger: Logger
  readonly #listeners = new Map<EngineEvent, Set<Listener>>()
  #meterProvider: MeterProvider | null = null
  #known: Instruments | null = null
  readonly #attributes = new Map<EngineEvent, Map<string, Attributes>>()

  constructor(logger: Logger) {
    this.#logger = logger
  }

  /** Calls whenever something happens. Returns how to stop. */
  on<Name extends EngineEvent>(name: Name, listener: (facts: EngineEvents[Name]) => void): () => void {
    requireOneOf(name, 'event', Object.keys(LEVELS))
    if (typeof listener !== 'function') throw invalidOption(listener, 'listener', 'a function')
    const known = this.#listeners.get(name) ?? new Set()
    const call = listener as Listener
    this.#listeners.set(name, known.add(call))
    return () => known.delete(call)
  }

  /** Whether anybody would learn of an event: what goes as planned, thousands of times a second, need not be put together for nobody. */
  hears(name: EngineEvent): boolean {
    if (this.#instruments || takesLevel(this.#logger, LEVELS[name])) return true
    return channels.get(name)?.hasSubscribers === true || (this.#listeners.get(name)?.size ?? 0) > 0
  }

  /** One state change. `level`: where it is not as loud as others of its name. */
  tell<Name extends EngineEvent>(name: Name, facts: EngineEvents[Name], level: LogLevel = LEVELS[name]): void {
    this.#logger[level](name, facts)
    const channel = channels.get(name)
    // A subscriber that throws is told by Node as an uncaught exception of its own.
    if (channel?.hasSubscribers) channel.publish(facts)
    const listeners = this.#listeners.get(name)
    if (listeners) this.#call(listeners, name, facts)
    const instruments = this.#instruments
    if (!instruments) return
    const attributes = this.#attributesOf(name, 'jobType' in facts ? facts.jobType : '')
    instruments.events.add(1, attributes)
    if ('durationMs' in facts) instruments.duration.record(facts.durationMs, attributes)
    if ('latenessMs' in facts && facts.latenessMs !== null) instruments.lateness.record(facts.latenessMs)
  }

  /** An SDK may be registered at any time, and does not count what a meter made before it is told. */
  get #instruments(): Instruments | null {
    const api = openTelemetry()
    if (!api) return null
    const provider = api.metrics.getMeterProvider()
    if (provider !== this.#meterProvider) {
      this.#meterProvider = provider
      this.#known = instrumentsOf(api, provider)
    }
    return this.#known
  }

  #call(listeners: Iterable<Listener>, name: EngineEvent, facts: object): void {
    for (const listener of listeners) {
      try {
        listener(facts)
      } catch (error) {
        this.#logger.error('Who listens to an event has thrown', { event: name, error })
      }
    }
  }

  /** Made once for each event and job type. */
  #attributesOf(event: EngineEvent, jobType: string): Attributes {
    const ofEvent = this.#attributes.get(event) ?? new Map<string, Attributes>()
    this.#attributes.set(event, ofEvent)
    const attributes = ofEvent.get(jobType) ?? (jobType === '' ? { event } : { event, jobType })
    ofEvent.set(jobType, attributes)
    return attributes
  }
}
