import type { ServerEvent } from './event-stream.ts'

/** A service that answers, wherever it is. */
export interface Connection {
  /** For messages: `http://…`, or `the database of DATABASE_URL`. */
  readonly place: string
  /** Straight on the database: nobody has shown who he is. */
  readonly isDirect: boolean
  /** Asks for a path under `/api/jobs`. Throws an AnsweredError for an answer that is a problem, and an UnreachableError where none comes. */
  ask<Answer>(method: string, path: string, body?: unknown, options?: AskOptions): Promise<Answer>
  /**
   * Server-sent events, until the signal is aborted or the server says that there are no more. One that is cut off is taken up again behind the last event that came;
   * `onCut` is told why, once for each time.
   */
  stream(path: string, signal: AbortSignal, onCut?: (reason: string) => void): AsyncIterable<ServerEvent>
  close(): Promise<void>
}

export interface AskOptions {
  /** Only if it is still this version; else a conflict. */
  readonly version?: number
  /** Whoever asks has had enough; then its reason is thrown. */
  readonly signal?: AbortSignal
}
