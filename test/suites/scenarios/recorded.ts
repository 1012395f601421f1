import diagnostics from 'node:diagnostics_channel'
import type { EngineEvent, EngineEvents } from '../../../src/engine/telemetry/events.ts'
import { type LogFields, type Logger, type LogLevel, loggerTo } from '../../../src/logger.ts'

export interface RecordedLine {
  readonly level: LogLevel
  readonly message: string
  readonly fields: LogFields
}

/** A logger that remembers. */
export class RecordedLog {
  readonly lines: RecordedLine[] = []
  readonly logger: Logger = loggerTo((level, message, fields) => this.lines.push({ level, message, fields }))

  /** The lines with a message. */
  of(message: string): RecordedLine[] {
    return this.lines.filter((line) => line.message === message)
  }

  /** The messages of a level. */
  at(level: LogLevel): string[] {
    return this.lines.filter((line) => line.level === level).map(({ message }) => message)
  }
}

const EVENTS: readonly EngineEvent[] = [
  'execution.queued',
  'execution.claimed',
  'execution.succeeded',
  'execution.failed',
  'execution.retried',
  'execution.cancelled',
  'execution.released',
  'execution.recovered',
  'execution.refused',
  'execution.parked',
  'execution.diverged',
  'activity.completed',
  'activity.failed',
  'activity.retried',
  'activity.replayed',
  'job.fired',
  'job.misfired',
  'job.faulted',
  'node.started',
  'node.lost',
  'node.stopped',
]

/** Everything the engine publishes on `node:diagnostics_channel`, from now until it is disposed. */
export class RecordedEvents implements Disposable {
  readonly all: { readonly name: EngineEvent; readonly facts: unknown }[] = []
  readonly #stops: (() => void)[]

  constructor() {
    this.#stops = EVENTS.map((name) => {
      const record = (facts: unknown) => void this.all.push({ name, facts })
      diagnostics.subscribe(`pontual:${name}`, record)
      return () => diagnostics.unsubscribe(`pontual:${name}`, record)
    })
  }

  get names(): EngineEvent[] {
    return this.all.map(({ name }) => name)
  }

  /** What the events of a name told. */
  of<Name extends EngineEvent>(name: Name): EngineEvents[Name][] {
    return this.all.filter((event) => event.name === name).map(({ facts }) => facts as EngineEvents[Name])
  }

  [Symbol.dispose](): void {
    for (const stop of this.#stops) stop()
  }
}

/** All that comes, until nothing more does. */
export async function listOf<Item>(source: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of source) items.push(item)
  return items
}
