import type { Client } from 'pg'
import { REFUSED, StoreUnavailableError } from '../unavailable.ts'
import { clientClassOf, type PrimaryConfig } from './pg-client.ts'
import { clientConfigOf, describeServer, requireReadable } from './pg-config.ts'
import type { PgConnection } from './pg-connection.ts'
import { unreachable } from './pg-errors.ts'
import { connectionsOf } from './pg-hosts.ts'
import type { Pg } from './pg-module.ts'

/** One of the servers that a connection names. */
export interface PgServer {
  readonly config: PrimaryConfig
  /** As it may be named in a message: without user and password. */
  readonly name: string
}

/** The servers of a connection. The one that last accepted a connection is tried first, so that a server that is down delays only the first call. */
export class PgServers {
  readonly all: readonly PgServer[]
  readonly #pg: Pg
  #preferred: PgServer

  constructor(pg: Pg, connection: string | PgConnection) {
    requireReadable(connection)
    this.#pg = pg
    this.all = connectionsOf(connection, process.env).map((each, _place, { length }) => {
      // A single server that is read-only for a while continues to answer reads.
      const config = { ...clientConfigOf(each), needsWrites: length > 1 }
      return { config, name: describeServer(pg, config) }
    })
    this.#preferred = this.all[0]!
  }

  /** All of them, as they may be named in a message. */
  get name(): string {
    return this.all.map(({ name }) => name).join(', ')
  }

  /** The result for the first server that can be reached and accepts writes; where none does, an error that gives the reason of each. */
  async first<Result>(attempt: (server: PgServer) => Promise<Result>): Promise<Result> {
    const failures: StoreUnavailableError[] = []
    for (const server of [this.#preferred, ...this.all.filter((each) => each !== this.#preferred)]) {
      try {
        const result = await attempt(server)
        this.#preferred = server
        return result
      } catch (error) {
        // A pool whose connections are all in use says nothing about the server.
        if (!(error instanceof StoreUnavailableError) || error.code === 'store.busy') throw error
        failures.push(error)
      }
    }
    throw noneOf(failures)
  }

  /** A connection outside the pool. `onTry` is given each client before it connects, and may throw to give up. */
  async connect(onTry: (client: Client) => void, timeoutMs?: number): Promise<Client> {
    const PrimaryClient = clientClassOf(this.#pg)
    const limit = timeoutMs === undefined ? {} : { connectionTimeoutMillis: Math.ceil(timeoutMs / this.all.length) }
    return await this.first(async ({ config, name }) => {
      const client = new PrimaryClient({ ...config, ...limit })
      onTry(client)
      try {
        await client.connect()
        return client
      } catch (error) {
        throw unreachable(name, error)
      }
    })
  }
}

/** With the code that all have; otherwise that of servers that cannot be reached. */
function noneOf(failures: readonly StoreUnavailableError[]): StoreUnavailableError {
  const [only] = failures
  if (only && failures.length === 1) return only
  const codes = new Set(failures.map(({ code }) => code))
  const [code = REFUSED] = codes.size === 1 ? codes : ['store.unreachable']
  const message = `None of ${failures.length} PostgreSQL servers can be used. ${failures.map((each) => each.message).join(' ')}`
  const server = failures.map(({ details }) => details['server']).join(', ')
  return new StoreUnavailableError(code, message, { server }, { cause: new AggregateError(failures) })
}
