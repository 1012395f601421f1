import { type Duration, parseDuration } from '../../duration.ts'
import { InvalidInputError, quote } from '../../errors.ts'
import { requireBoolean, requireInteger, requireOneOf, requireOptions } from '../../time/require.ts'
import { openPgDriver, type PgDriverOptions } from '../driver/pg.ts'
import { requireReadable } from '../driver/pg-config.ts'
import type { PgConnection } from '../driver/pg-connection.ts'
import { connectionsOf } from '../driver/pg-hosts.ts'
import { readSchemaName } from '../driver/schema-name.ts'
import type { StoreSource } from '../store.ts'
import { renewFromThread, renewInProcess } from './nodes/renewal.ts'
import { openStore, timeOfServer } from './open-store.ts'

/** How a database is spoken to. */
export interface PostgresOptions {
  /**
   * How many connections at most; one more listens, and one more renews the node's lease. Requests of tenants, where a service answers them, have as many of
   * their own. Default: 10.
   */
  readonly maxConnections?: number | undefined
  /** How long a statement may take before its connection is given up and the call fails. Default: 10 seconds. */
  readonly deadline?: Duration | undefined
  /**
   * Whether statements are prepared under a name. Default: `auto`, which means where no pooler such as PgBouncer stands between; behind one
   * that keeps prepared statements itself, or in session mode, `true` is safe.
   */
  readonly prepare?: 'auto' | boolean | undefined
  /** Whether to create and update the tables when opening. With `false` a database that lacks any is refused. Default: true. */
  readonly migrate?: boolean | undefined
  /**
   * The schema that contains the tables and functions: lowercase letters, digits and underscores, at most 50. Roles, the notification channel and locks are named
   * after it, so several Pontuals in one database are independent. Default: `pontual`.
   */
  readonly schema?: string | undefined
}

const DEADLINE_MS = 10_000
const MAX_CONNECTIONS = 10

/**
 * Keeps everything in PostgreSQL, in one schema of a database: for several processes, and for work that must not be lost.
 *
 * @example
 * const store = postgres(process.env.DATABASE_URL)
 */
export function postgres(connection: string | PgConnection | undefined, options: PostgresOptions = {}): StoreSource {
  const given = requireConnection(connection)
  requireReadable(given)
  connectionsOf(given, process.env)
  const driverOptions = readOptions(options)
  const { migrate = true } = options
  requireBoolean(migrate, 'migrate')
  return {
    kind: 'postgres',
    open: async (surroundings) => {
      const { env, logger, now } = surroundings
      // A copy, since `pg` hides the keys of what it is given, and what is hidden does not reach the thread.
      const driver = await openPgDriver(copyOf(given), driverOptions, { env: timeOfServer(surroundings), logger })
      const keepAlive = now ? renewInProcess(driver, env) : renewFromThread(given, driver, { env, logger })
      return await openStore({ driver, surroundings, keepAlive, migrates: migrate })
    },
  }
}

function requireConnection(connection: unknown): string | PgConnection {
  if (typeof connection === 'string' && connection !== '') return connection
  if (typeof connection === 'object' && connection !== null) return connection as PgConnection
  // As for users of `pg`, the environment names the server; without PGHOST a forgotten DATABASE_URL would lead to the server of this machine.
  if (connection === undefined && process.env['PGHOST']) return {}
  if (connection === undefined || connection === '') {
    const message =
      'postgres() got no connection: is DATABASE_URL set? It takes a connection string such as postgres://user:password@host:5432/database, or an object, or what PGHOST and its like name.'
    throw new InvalidInputError('store.connection_missing', message)
  }
  const message = `postgres() takes a connection string or an object, got ${quote(connection)}.`
  throw new InvalidInputError('store.connection_invalid', message)
}

function readOptions(options: PostgresOptions): PgDriverOptions {
  requireOptions(options, 'postgres()', ['maxConnections', 'deadline', 'prepare', 'migrate', 'schema'])
  const { maxConnections = MAX_CONNECTIONS, deadline = DEADLINE_MS, prepare = 'auto' } = options
  return {
    maxConnections: requireInteger(maxConnections, 'maxConnections', 1, 1_000),
    deadlineMs: requireInteger(parseDuration(deadline, 'deadline'), 'deadline', 1),
    prepare: typeof prepare === 'boolean' ? prepare : requireOneOf(prepare, 'prepare', ['auto'] as const),
    schema: readSchemaName(options.schema),
  }
}

function copyOf(connection: string | PgConnection): string | PgConnection {
  if (typeof connection === 'string') return connection
  const { ssl } = connection
  return { ...connection, ...(typeof ssl === 'object' && { ssl: { ...ssl } }) }
}
