import type { LogLevel } from '../logger.ts'
import type { WhereToLook } from './archive.ts'
import type { Held } from './leases.ts'

export interface TenantLogStore {
  /** Lines of an execution in order. */
  read(query: LogQuery): Promise<LogLine[]>
  /** How many bytes of lines are kept of an execution. */
  size(executionId: string): Promise<number>
}

export interface LogStore extends TenantLogStore {
  /** Appends lines, if the execution is still held with that epoch. Returns the ids of executions whose lines were refused. */
  append(lines: readonly NewLogLine[]): Promise<string[]>
}

export interface NewLogLine extends Held {
  /** Grows within an execution, over its claims: `epoch * 2^32 + n`. */
  readonly sequence: number
  readonly attempt: number
  readonly at: number
  readonly level: LogLevel
  readonly message: string
  /** JSON text, null for none. */
  readonly fields: string | null
}

/** What a handler has logged. */
export interface LogLine extends Omit<NewLogLine, 'epoch'> {}

export interface LogQuery extends WhereToLook {
  readonly executionId: string
  /** Lines after this one. */
  readonly after?: number | undefined
  readonly lowest?: LogLevel | undefined
  /** Only lines of this attempt. */
  readonly attempt?: number | undefined
  readonly limit: number
}
