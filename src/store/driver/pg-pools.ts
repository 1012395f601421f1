import type { Pool } from 'pg'
import type { Logger } from '../../logger.ts'
import { clientClassOf, type PooledClient } from './pg-client.ts'
import { busy, reasonOf, unreachable } from './pg-errors.ts'
import type { Pg } from './pg-module.ts'
import type { PgServer, PgServers } from './pg-servers.ts'

export interface PgPoolsOptions {
  readonly pg: Pg
  readonly servers: PgServers
  readonly maxConnections: number
  readonly logger: Logger
}

/** A pool of connections for each server, of which one is in use: that of the server that accepts writes. */
export class PgPools {
  readonly #options: PgPoolsOptions
  readonly #pools = new Map<PgServer, Pool>()

  constructor(options: PgPoolsOptions) {
    this.#options = options
    for (const server of options.servers.all) this.#pools.set(server, this.#open(server))
  }

  async connect(): Promise<PooledClient> {
    const { servers, maxConnections } = this.#options
    return await servers.first(async (server) => {
      try {
        return (await this.#pools.get(server)!.connect()) as PooledClient
      } catch (error) {
        const isWaitOver = error instanceof Error && error.message === 'timeout exceeded when trying to connect'
        throw isWaitOver ? busy(server.name, maxConnections, error) : unreachable(server.name, error)
      }
    })
  }

  count(counted: (pool: Pool) => number): number {
    return [...this.#pools.values()].reduce((total, pool) => total + counted(pool), 0)
  }

  async end(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.end()))
  }

  #open({ config, name }: PgServer): Pool {
    const { pg, maxConnections, logger } = this.#options
    const Client = clientClassOf(pg) as unknown as new () => PooledClient
    const pool = new pg.Pool({ idleTimeoutMillis: 30_000, ...config, max: maxConnections, Client })
    // Without a listener an error event ends the process. Only the reason: the pool attaches the whole client to the error, keys included.
    pool.on('error', (error) => {
      logger.debug('An idle connection was lost', { server: name, reason: reasonOf(error) })
    })
    return pool
  }
}
