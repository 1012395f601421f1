import type { ClientConfig } from 'pg'
import { InvalidInputError } from '../../errors.ts'
import type { Pg } from './pg-module.ts'

/** How to reach the server: what `pg` takes, as far as it concerns a connection. What is left out comes from PGHOST, PGUSER and so on. */
export interface PgConfig {
  readonly connectionString?: string | undefined
  readonly host?: string | undefined
  readonly port?: number | undefined
  readonly database?: string | undefined
  readonly user?: string | undefined
  /** A function is asked at each new connection, such as for a token that expires. */
  readonly password?: string | (() => string | Promise<string>) | undefined
  /** What `tls.connect` takes, or true. */
  readonly ssl?: boolean | object | undefined
  /** Default: `pontual`. */
  readonly application_name?: string | undefined
  /** How long a connection may take to be made. Default: 5 seconds. */
  readonly connectionTimeoutMillis?: number | undefined
  /** Anything else that `pg` knows. */
  readonly [option: string]: unknown
}

const CONNECT_TIMEOUT_MS = 5_000

/** Nothing is sent at startup but user, database and application name: PgBouncer refuses parameters it does not know. */
export function clientConfigOf(connection: string | PgConfig): ClientConfig {
  const given = typeof connection === 'string' ? { connectionString: connection } : connection
  return {
    fallback_application_name: 'pontual',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // A connection whose other side is gone without a word is noticed by the kernel at last, also where nobody asks anything.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    ...(given as ClientConfig),
  }
}

/** Where a configuration leads, as it may stand in a message: without user and password. */
export function describeServer(pg: Pg, config: ClientConfig): string {
  try {
    const { host, port, database } = new pg.Client(config)
    return `${host}:${port}/${database ?? ''}`
  } catch (cause) {
    // The text itself is not repeated: it holds a password.
    const message =
      'The connection string cannot be read. It must look like postgres://user:password@host:5432/database, with special characters of the password percent-encoded.'
    throw new InvalidInputError('store.connection_invalid', message, {}, { cause })
  }
}
