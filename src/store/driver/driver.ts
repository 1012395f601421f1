/** A statement: constant text under the name of the verb it serves, so that it can be prepared once and found in the server's statistics. */
export interface Statement {
  readonly name: string
  readonly text: string
}

/** How SQL is sent. Both drivers give rows as plain objects: text, numbers (int8 as well), booleans, null, parsed JSON for jsonb, arrays for arrays. */
export interface Queryable {
  query<Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>
}

export interface Driver extends Queryable {
  /** Such as `postgres` or `pglite`. */
  readonly kind: string
  /** Several statements that commit together; a failure rolls them back. */
  transaction<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result>
  /** Plain SQL of several statements, in one transaction of its own; for migrations. */
  script(text: string): Promise<void>
  /** Messages of a channel, as far as they come. Returns how to stop. */
  listen(channel: string, onMessage: (payload: string) => void): () => void
  close(): Promise<void>
}

/** An error of the database, as both drivers give it. */
export interface DatabaseError extends Error {
  /** SQLSTATE. */
  readonly code: string
}
