import type { CustomTypesConfig, QueryConfig, QueryResult } from 'pg'
import type { Env } from '../../clock.ts'
import { answerWithin } from './deadline.ts'
import type { Statement, Transaction } from './driver.ts'
import type { PooledClient } from './pg-client.ts'
import { deadlinePassed, failureOf, isReadTimeout, lostBefore, makesUnfit } from './pg-errors.ts'
import type { Pg } from './pg-module.ts'
import { sendAll } from './pg-pipeline.ts'
import type { SchemaName } from './schema-name.ts'
import { enterTenant, enterTenantForHead, readHead } from './tenant-scope.ts'
import type { Asked } from './together.ts'

/** What all sessions of a driver share. */
export interface PgSurroundings {
  readonly pg: Pg
  readonly env: Pick<Env, 'after'>
  readonly server: string
  readonly schema: SchemaName
  readonly types: CustomTypesConfig
  /** The name under which a statement is prepared; undefined where none is. */
  readonly nameOf: (statement: Statement) => string | undefined
  /** Asks the server to drop what a client is waiting for. Never fails. */
  readonly cancel: (client: PooledClient) => Promise<void>
}

const BEGIN: QueryConfig<unknown[]> = { text: 'begin' }

export interface PgSessionOptions {
  readonly deadlineMs: number
  /** The tenant that all is done for; null: whoever is logged in. */
  readonly tenant: string | null
}

/**
 * A connection of the pool while somebody has it. When an answer does not come in time the connection is destroyed: whoever had it next would
 * wait behind the same silence, or read an answer that was meant for another.
 */
export class PgSession implements Transaction {
  readonly #client: PooledClient
  readonly #around: PgSurroundings
  readonly #deadlineMs: number
  readonly #tenant: string | null
  #isInTransaction = false
  /** Set when the connection is of no further use. */
  #end: Error | null = null
  #cancelling: Promise<void> | null = null

  constructor(client: PooledClient, around: PgSurroundings, { deadlineMs, tenant }: PgSessionOptions) {
    this.#client = client
    this.#around = around
    this.#deadlineMs = deadlineMs
    this.#tenant = tenant
  }

  async query<Row>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    const config = this.#configOf(statement, values)
    const entering = this.#isInTransaction ? null : this.#entering(statement)
    const { rows } = await this.#send(statement.name, config, entering)
    return rows as Row[]
  }

  /** Several at once, in one transaction and one round trip; none of them the head of a list. */
  async queryAll(asked: readonly Asked[]): Promise<unknown[][]> {
    const entering = this.#entering()
    const configs = asked.map(({ statement, values }) => this.#configOf(statement, values))
    const what = asked.map(({ statement }) => statement.name).join(', ')
    const results = await this.#sendAll(what, entering ? [entering, ...configs] : configs)
    return results.slice(-asked.length).map(({ rows }) => rows as unknown[])
  }

  async script(text: string): Promise<void> {
    await this.#send('a script', { text: this.#around.schema.compose(text) })
  }

  /** Runs in a transaction; what fails is rolled back. */
  async transact<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    const entering = this.#entering()
    await (entering ? this.#send('begin', entering, BEGIN) : this.#send('begin', BEGIN))
    this.#isInTransaction = true
    let result: Result
    try {
      result = await work(this)
    } catch (error) {
      await this.#rollBack()
      throw error
    }
    const { command } = await this.#send('commit', { text: 'commit' })
    // The server answers so, without an error, when a statement had failed and its error went no further.
    if (command === 'ROLLBACK') throw new Error('The transaction was rolled back: one of its statements had failed.')
    return result
  }

  /** Gives the connection back, or ends it where it is of no use any more. */
  release(): void {
    const release = () => this.#client.release(this.#end ?? this.#client.loss ?? false)
    // Its place in the pool stays taken meanwhile, so that the server has no more backends of ours than it may.
    if (this.#cancelling) void this.#cancelling.finally(release)
    else release()
  }

  async #rollBack(): Promise<void> {
    if (this.#end) return
    try {
      await this.#send('rollback', { text: 'rollback' })
    } catch (error) {
      // Who asked learns the first error; a connection in an unknown state is nobody's.
      this.#end ??= error as Error
    }
  }

  /** What has to come before a statement, in its transaction: for whom it is, and how it is planned. */
  #entering({ isHead }: Partial<Statement> = {}): QueryConfig<unknown[]> | null {
    if (this.#tenant === null) return isHead ? this.#configOf(readHead, []) : null
    return this.#configOf(isHead ? enterTenantForHead : enterTenant, [this.#tenant])
  }

  #configOf(statement: Statement, values: readonly unknown[]): QueryConfig<unknown[]> {
    const { types, nameOf, schema } = this.#around
    const name = statement.isOnce || statement.isHead ? undefined : nameOf(statement)
    const text = statement.isForeign ? statement.text : schema.compose(statement.text)
    return { ...(name && { name }), text, values: [...values], types }
  }

  /** Both where there is a first: in one transaction, and one round trip. */
  async #send(
    what: string,
    config: QueryConfig<unknown[]>,
    first: QueryConfig<unknown[]> | null = null,
  ): Promise<QueryResult> {
    if (first === null) return await this.#answer(what, () => this.#client.query(config))
    const [, result] = await this.#sendAll(what, [first, config])
    return result!
  }

  async #sendAll(what: string, configs: readonly QueryConfig<unknown[]>[]): Promise<QueryResult[]> {
    return await this.#answer(what, () => sendAll(this.#around.pg, this.#client, configs))
  }

  async #answer<Answer>(what: string, send: () => Promise<Answer>): Promise<Answer> {
    if (this.#end) throw this.#end
    const { env, server } = this.#around
    const { loss, connectionParameters } = this.#client
    if (loss) throw lostBefore(server, what, loss)
    try {
      return await answerWithin(env, this.#deadlineMs, send(), () => this.#destroy(what, this.#deadlineMs))
    } catch (error) {
      if (isReadTimeout(error)) throw this.#destroy(what, Number(connectionParameters.query_timeout))
      const failure = failureOf(server, what, error, this.#client.loss !== null)
      if (makesUnfit(failure)) this.#end ??= failure as Error
      throw failure
    }
  }

  /** Closes the socket, since a polite end would wait for the same silent server; a pooler forgets whom to cancel once it is closed. */
  #destroy(what: string, deadlineMs: number): Error {
    this.#end = deadlinePassed(this.#around.server, what, deadlineMs)
    const close = () => this.#client.connection.stream.destroy()
    this.#cancelling = this.#around.cancel(this.#client).finally(close)
    return this.#end
  }
}
