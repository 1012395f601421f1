import type { LogLineView } from '../api/wire.ts'
import { plainText } from './plain-text.ts'

type Level = LogLineView['level']

export const LEVELS: readonly Level[] = ['debug', 'info', 'warn', 'error']

/** Which lines are shown. Absent: it does not matter. */
export interface LogFilter {
  /** The lowest level. */
  readonly level?: Level | undefined
  readonly attempt?: number | undefined
  /** In the message or the fields, whatever the case. */
  readonly text?: string | undefined
}

/** A page keeps no more: the oldest are forgotten first. */
const MOST = 100_000

/** The lines of a log as they come, and those of them that a filter lets through: of new ones only they are looked at. */
export class LogBuffer {
  readonly #most: number
  #filter: LogFilter = {}
  #lines: LogLineView[] = []
  #shown: LogLineView[] = []
  #forgotten = 0

  constructor(most = MOST) {
    this.#most = most
  }

  get count(): number {
    return this.#lines.length + this.#forgotten
  }

  get forgotten(): number {
    return this.#forgotten
  }

  get shown(): readonly LogLineView[] {
    return this.#shown
  }

  /** From where to go on. */
  get last(): number | undefined {
    return this.#lines.at(-1)?.sequence
  }

  /** Lines that were seen before, as after a cut, are left out. */
  add(lines: readonly LogLineView[]): void {
    for (const line of lines) {
      if (line.sequence <= (this.last ?? Number.NEGATIVE_INFINITY)) continue
      this.#lines.push(line)
      if (isShown(line, this.#filter)) this.#shown.push(line)
    }
    const tooMany = this.#lines.length - this.#most
    if (tooMany <= 0) return
    this.#forgotten += tooMany
    this.#lines = this.#lines.slice(tooMany)
    const oldest = this.#lines[0]?.sequence ?? 0
    this.#shown = this.#shown.filter(({ sequence }) => sequence >= oldest)
  }

  filter(filter: LogFilter): void {
    if (JSON.stringify(filter) === JSON.stringify(this.#filter)) return
    this.#filter = filter
    this.#shown = this.#lines.filter((line) => isShown(line, filter))
  }
}

function isShown(line: LogLineView, { level, attempt, text }: LogFilter): boolean {
  if (level !== undefined && LEVELS.indexOf(line.level) < LEVELS.indexOf(level)) return false
  if (attempt !== undefined && line.attempt !== attempt) return false
  if (text === undefined || text === '') return true
  const sought = text.toLowerCase()
  if (plainText(line.message).toLowerCase().includes(sought)) return true
  return line.fields !== null && JSON.stringify(line.fields).toLowerCase().includes(sought)
}
