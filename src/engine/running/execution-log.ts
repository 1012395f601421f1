import { Buffer } from 'node:buffer'
import type { Clock } from '../../clock.ts'
import { storableText } from '../../job/execution/payload.ts'
import { type LogFields, type Logger, type LogLevel, loggerTo, toJsonLine } from '../../logger.ts'
import type { Batcher } from '../../store/batcher.ts'
import type { Held } from '../../store/leases.ts'
import type { LogStore, NewLogLine } from '../../store/logs.ts'
import { InFlight } from './in-flight.ts'

const MAX_LINE_BYTES = 8_192
const MAX_LOG_BYTES = 10 * 1_048_576
/** What a line takes beside its text, so that empty lines have an end too. */
const LINE_OVERHEAD_BYTES = 32
const CUT = '… [cut]'
const FULL = `The log of this execution has reached ${MAX_LOG_BYTES} bytes; what follows is not kept.`

export interface ExecutionLogOptions {
  readonly held: Held
  readonly attempt: number
  readonly time: Clock
  readonly logs: LogStore
  /** Asks the store until it answers. */
  readonly persist: <Answer>(ask: () => Promise<Answer>) => Promise<Answer>
  /** Answers whether the line was accepted. */
  readonly batcher: Batcher<NewLogLine, boolean>
  /** The application's own log, which gets every line too. */
  readonly logger: Logger
  /** What stands on every line there. */
  readonly facts: LogFields
  /** The execution is no longer this node's. */
  onRefused(): void
}

/** What a handler logs: kept with the execution, in order, up to a limit. */
export class ExecutionLog {
  readonly logger: Logger
  readonly #options: ExecutionLogOptions
  #earlierBytes: Promise<number> | null
  #bytes = 0
  #lines = 0
  #isFull = false
  #isOver = false
  readonly #kept = new InFlight()

  constructor(options: ExecutionLogOptions) {
    this.#options = options
    this.#earlierBytes = options.held.epoch === 1 ? Promise.resolve(0) : null
    this.logger = loggerTo((level, message, fields) => this.#write(level, message, fields))
  }

  /** Waits until what was logged so far is kept. */
  async kept(): Promise<void> {
    await this.#kept.settled()
  }

  /** Waits until what was logged is kept. After that no more is: what is logged goes to the application's log alone. */
  async end(): Promise<void> {
    this.#isOver = this.#kept.isSettled
    await this.#kept.settled()
    this.#isOver = true
  }

  #write(level: LogLevel, message: string, fields: LogFields): void {
    const { logger, facts, time } = this.#options
    const safe = readable(fields)
    logger[level](message, { ...facts, ...safe })
    // The limit ends the work of a handler that logs without end, not only its storage.
    if (this.#isOver || this.#isFull || this.#bytes > MAX_LOG_BYTES) return
    const line = this.#lineOf(level, time.now(), cut(String(message)), cutFields(safe))
    this.#bytes += LINE_OVERHEAD_BYTES + Buffer.byteLength(line.message) + Buffer.byteLength(line.fields ?? '')
    void this.#kept.track(this.#keep(line, this.#bytes))
  }

  async #keep(line: NewLogLine, bytesSoFar: number): Promise<void> {
    const { logs, held, batcher, logger } = this.#options
    try {
      this.#earlierBytes ??= this.#options.persist(() => logs.size(held.executionId))
      const isOver = (await this.#earlierBytes) + bytesSoFar > MAX_LOG_BYTES
      if (this.#isFull) return
      this.#isFull = isOver
      const isAccepted = await batcher.add(isOver ? { ...line, level: 'warn', message: FULL, fields: null } : line)
      if (!isAccepted && !this.#isOver) this.#options.onRefused()
    } catch (error) {
      logger.error('A log line could not be kept', { executionId: held.executionId, error })
    }
  }

  #lineOf(level: LogLevel, at: number, message: string, fields: string | null): NewLogLine {
    const { held, attempt } = this.#options
    this.#lines += 1
    // An attempt that was given back unspent has its number again.
    return { ...held, attempt, sequence: held.epoch * 2 ** 32 + this.#lines, at, level, message, fields }
  }
}

function cut(text: string): string {
  const bytes = Buffer.from(storableText(text, MAX_LINE_BYTES))
  if (bytes.length <= MAX_LINE_BYTES) return bytes.toString()
  return bytes.toString('utf8', 0, MAX_LINE_BYTES - Buffer.byteLength(CUT)).replace(/\ufffd+$/, '') + CUT
}

function cutFields(fields: LogFields): string | null {
  if (Object.keys(fields).length === 0) return null
  const text = toJsonLine(fields)
  return Buffer.byteLength(text) <= MAX_LINE_BYTES ? text : JSON.stringify({ cut: text.slice(0, MAX_LINE_BYTES / 4) })
}

/** Fields as they are; those that throw when they are read say so. */
function readable(fields: LogFields): LogFields {
  try {
    return { ...fields }
  } catch {
    return { unreadable: 'fields that throw when they are read' }
  }
}
