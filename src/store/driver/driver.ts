import type { Connections } from '../store.ts'
import type { SchemaName } from './schema-name.ts'

/** A statement: constant text under the name of the verb it serves, so that it can be prepared once and found in the server's statistics. */
export interface Statement {
  readonly name: string
  readonly text: string
  /** It is rarely sent, or its text differs each time: it is not prepared. */
  readonly isOnce?: boolean | undefined
  /** The text is the caller's own SQL: it is not composed for the schema. */
  readonly isForeign?: boolean | undefined
  /**
   * The head of a long list: which index to read it from depends on the values, so that it is planned each time. Within a transaction it is planned as all
   * others are.
   */
  readonly isHead?: boolean | undefined
}

/** How SQL is sent. Both drivers give rows as plain objects: text, numbers (int8 as well), booleans, null, parsed JSON for jsonb, arrays for arrays. */
export interface Queryable {
  query<Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>
}

export interface Transaction extends Queryable {
  /** Plain SQL of several statements without values, within this transaction. */
  script(text: string): Promise<void>
}

export interface TransactionOptions {
  /** How long each statement may take; the driver's own limit where it is not given. */
  readonly deadlineMs?: number | undefined
}

export interface Driver extends Queryable {
  /** Such as `postgres` or `pglite`. */
  readonly kind: string
  /** All SQL is written for the schema `pontual`, and composed for this one when it is sent. */
  readonly schema: SchemaName
  /** Several statements that commit together; a failure rolls them back. Inside, only what is handed to `work` may be asked. */
  transaction<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>
  /** Plain SQL of several statements, in one transaction of its own. */
  script(text: string): Promise<void>
  /** Messages of a channel, as far as they come. Returns how to stop. */
  listen(channel: string, onMessage: (payload: string) => void): () => void
  /**
   * The same for one tenant: whatever is sent runs as a role that sees and writes only what is that tenant's, as far as the database has row security (see
   * `sql/functions/secure_table.sql`). Cheap to make; its `close` does nothing.
   */
  forTenant(tenant: string): Driver
  /** How many connections to a server there are; absent where there is none. */
  connections?(): Connections
  /** Waits for what is under way and lets go of every connection. */
  close(): Promise<void>
}
