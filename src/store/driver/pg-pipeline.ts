import type { Connection, QueryConfig, QueryResult, Submittable } from 'pg'
import type { Pg } from './pg-module.ts'

type Callback = (error: Error | null, results?: QueryResult[]) => void

type QueryCallback = (error: Error | null, result?: QueryResult) => void

/** What `pg` asks of a query, and its types leave out. */
interface Answered extends Submittable {
  readonly name?: string | undefined
  readonly text: string
  submit(connection: Connection): Error | null
  handleRowDescription(message: unknown): void
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, connection: Connection): void
  handleEmptyQuery(connection: Connection): void
  handleCopyInResponse(connection: Connection): void
  handleError(error: Error, connection: Connection): void
  handleReadyForQuery(connection: Connection): void
}

interface Submitting extends Connection {
  /** What was sent to be prepared, and not answered yet. */
  readonly submittedNamedStatements?: Record<string, string>
}

/** Sends statements at once, as one: they commit together, nobody comes between, and there is one answer to wait for, that of all of them. */
export function sendAll(
  pg: Pg,
  client: { query(query: Submittable): unknown },
  configs: readonly QueryConfig[],
): Promise<QueryResult[]> {
  return new Promise((resolve, reject) => {
    const callback: Callback = (error, results) => (error ? reject(error) : resolve(results ?? []))
    client.query(new Pipeline(pg, configs, callback))
  })
}

/**
 * Queries of `pg` before one Sync. It knows which of them the server is answering, since `pg` notes what is prepared by the name of the query that it
 * thinks is under way.
 */
class Pipeline implements Answered {
  readonly #queries: readonly Answered[]
  readonly #results: QueryResult[] = []
  #place = 0
  /** A property, because `pg` puts its own in its place where it has a time limit. */
  callback: Callback

  constructor(pg: Pg, configs: readonly QueryConfig[], callback: Callback) {
    this.callback = callback
    this.#queries = configs.map((config) =>
      queryOf(pg, config, (error, result) => {
        if (error) this.callback(error)
        else this.#results.push(result as QueryResult)
      }),
    )
  }

  get name(): string | undefined {
    return this.#answering.name
  }

  get text(): string {
    return this.#answering.text
  }

  get #answering(): Answered {
    return this.#queries[Math.min(this.#place, this.#queries.length - 1)]!
  }

  submit(connection: Connection): Error | null {
    const { stream } = connection
    const last = this.#queries.length - 1
    stream.cork()
    try {
      for (const [place, query] of this.#queries.entries()) {
        const refused = query.submit(place === last ? connection : withoutSync(connection))
        if (refused) return refused
      }
      return null
    } finally {
      stream.uncork()
    }
  }

  handleRowDescription(message: unknown): void {
    this.#answering.handleRowDescription(message)
  }

  handleDataRow(message: unknown): void {
    this.#answering.handleDataRow(message)
  }

  handleCommandComplete(message: unknown, connection: Connection): void {
    this.#answering.handleCommandComplete(message, connection)
    this.#place += 1
  }

  handleEmptyQuery(connection: Connection): void {
    this.#answering.handleEmptyQuery(connection)
    this.#place += 1
  }

  handleCopyInResponse(connection: Connection): void {
    this.#answering.handleCopyInResponse(connection)
  }

  /** Whichever of them it was: what failed has undone all. Those behind it were not even looked at, so that they are not prepared, whatever `pg` believes. */
  handleError(error: Error, connection: Connection): void {
    const { submittedNamedStatements: submitted = {} } = connection as Submitting
    for (const { name } of this.#queries) if (name !== undefined) delete submitted[name]
    this.#answering.handleError(error, connection)
  }

  handleReadyForQuery(connection: Connection): void {
    for (const query of this.#queries) query.handleReadyForQuery(connection)
    this.callback(null, this.#results)
  }
}

/** With the messages of the extended protocol also where there are no values: a simple query would end with a Sync of its own. */
function queryOf(pg: Pg, config: QueryConfig, callback: QueryCallback): Answered {
  return new pg.Query({ ...config, queryMode: 'extended', callback } as QueryConfig) as unknown as Answered
}

/** A connection that leaves out what would end the transaction. */
function withoutSync(connection: Connection): Connection {
  return Object.create(connection, { sync: { value: () => {} } }) as Connection
}
