import { isAtLeast } from '../../logger.ts'
import type { LogLine, LogQuery, NewLogLine } from '../logs.ts'
import { OrderedSet } from './ordered-set.ts'
import { take } from './take.ts'

/** The lines of one execution. */
export class ExecutionLog {
  readonly #lines = new OrderedSet<LogLine>((a, b) => a.sequence - b.sequence)
  #bytes = 0

  get bytes(): number {
    return this.#bytes
  }

  /** A line whose number is there already is left out: it was sent twice. */
  append({ executionId, sequence, attempt, at, level, message, fields }: NewLogLine): void {
    const sizeBefore = this.#lines.size
    this.#lines.add(Object.freeze({ executionId, sequence, attempt, at, level, message, fields }))
    if (this.#lines.size > sizeBefore) this.#bytes += Buffer.byteLength(message) + Buffer.byteLength(fields ?? '')
  }

  read({ after, lowest = 'debug', limit }: LogQuery): LogLine[] {
    const lines = this.#lines.ascending(({ sequence }) => after !== undefined && sequence <= after)
    return take(lines, limit, { where: ({ level }) => isAtLeast(level, lowest) })
  }
}
