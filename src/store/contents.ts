import type { Failure } from '../job/execution/execution.ts'
import type { NewAuditEntry } from './audit.ts'

/** The texts that hold what executions take, give and say, as they stand in the store. */
export interface TenantContentStore {
  /**
   * Overwrites all that an execution has taken, given and said, in every table, with a mark, and removes what is kept of it for others. Only one that has
   * ended; the entry is written with it. To erase it again changes nothing.
   */
  erase(executionId: string, audit?: NewAuditEntry): Promise<EraseResult>
}

export interface ContentStore extends TenantContentStore {
  /** Those of at most `limit` executions, ended or not, archived or not, in the order of their ids from behind one on. Empty at the end. */
  read(after: string | null, limit: number): Promise<ContentPage>
  /** Puts texts in place of what was seen. Returns how many still were as they were seen. */
  rewrite(changes: readonly TextChange[]): Promise<number>
}

/** `open`: it has not ended. `unknown`: there is none. */
export type EraseResult = 'erased' | 'open' | 'unknown'

export interface ContentPage {
  /** The last execution of the page; null where there was none. */
  readonly last: string | null
  readonly texts: readonly StoredText[]
}

/** Where a text stands. */
interface TextPlace {
  readonly executionId: string
  readonly table: ContentTable
  readonly column: string
  /** Which of the execution's rows, such as a sequence; empty where there is but one. */
  readonly part: string
}

export interface StoredText extends TextPlace {
  readonly tenant: string
  /** The execution with which its history began: another one where it is a fork. */
  readonly origin: string
  /** Of a signal. */
  readonly name: string | null
  readonly text: string
}

export interface TextChange extends TextPlace {
  readonly before: string
  readonly after: string
}

export type ContentTable =
  | 'executions'
  | 'results'
  | 'attempts'
  | 'history_entries'
  | 'signals'
  | 'checkpoints'
  | 'execution_logs'

/** What stands in place of an error that was erased. */
export const ERASED_FAILURE: Failure = Object.freeze({
  name: 'Erased',
  message: 'The words of this error were erased.',
  code: 'execution.erased',
})
