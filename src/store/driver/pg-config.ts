import type { ClientConfig } from 'pg'
import { InvalidInputError, quote } from '../../errors.ts'
import type { PgConnection } from './pg-connection.ts'
import type { Pg } from './pg-module.ts'

const CONNECT_TIMEOUT_MS = 5_000

/** Nothing is sent at startup but user, database and application name: PgBouncer refuses parameters it does not know. */
export function clientConfigOf(connection: string | PgConnection): ClientConfig {
  requireReadable(connection)
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

/** `pg` takes any other text for the name of a database on this machine, or of a host that nobody meant. */
const READABLE = /^(postgres(ql)?:\/\/|socket:|\/)/i

/** Refuses text that does not look like a connection string. */
export function requireReadable(connection: string | PgConnection): void {
  const text = typeof connection === 'string' ? connection : connection.connectionString
  if (text === undefined || READABLE.test(text)) return
  const message = `This is no connection string of PostgreSQL: got ${quote(beginningOf(text))}. It takes postgres://user:password@host:5432/database, or postgresql://, or several hosts as host1:5432,host2:5432, or the directory of a unix socket and a database as in "/var/run/postgresql database", or an object.`
  throw new InvalidInputError('store.connection_invalid', message)
}

/** As much as surely holds no password: what comes before the first sign that could part one from the rest. */
function beginningOf(text: string): string {
  const [scheme] = /^[a-z][a-z0-9+.-]*:\/\//i.exec(text) ?? []
  const beginning = scheme ?? /^[^\s:@=?]*/.exec(text)?.[0] ?? ''
  return beginning === text ? text : `${beginning}…`
}

/** Where a configuration leads, as it may stand in a message: without user and password. */
export function describeServer(pg: Pg, config: ClientConfig): string {
  try {
    const { host, port, database } = new pg.Client(config)
    return `${host}:${port}/${database ?? ''}`
  } catch (cause) {
    // The text itself is not repeated: it holds a password.
    const message =
      'The connection string cannot be read. It must look like postgres://user:password@host:5432/database, with several hosts as host1:5432,host2:5432, and with special characters of user and password percent-encoded.'
    throw new InvalidInputError('store.connection_invalid', message, {}, { cause })
  }
}
