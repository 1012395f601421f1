import { isAtLeast } from '../../../logger.ts'
import type { LogLine, LogQuery, NewLogLine } from '../../logs.ts'
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
    if (this.#lines.size > sizeBefore) this.#bytes += bytesOf({ message, fields })
  }

  /** Puts other words in place of what lines say. */
  rewrite(change: (line: LogLine) => LogLine): void {
    for (const line of Array.from(this.#lines.ascending())) {
      const changed = change(line)
      this.#lines.delete(line)
      this.#lines.add(Object.freeze(changed))
      this.#bytes += bytesOf(changed) - bytesOf(line)
    }
  }

  read({ after, lowest = 'debug', attempt, limit }: LogQuery): LogLine[] {
    const lines = this.#lines.ascending(({ sequence }) => after !== undefined && sequence <= after)
    const isWanted = (line: LogLine) =>
      isAtLeast(line.level, lowest) && (attempt === undefined || line.attempt === attempt)
    return take(lines, limit, { where: isWanted })
  }
}

function bytesOf({ message, fields }: Pick<LogLine, 'message' | 'fields'>): number {
  return Buffer.byteLength(message) + Buffer.byteLength(fields ?? '')
}
