import type { CustomTypesConfig, PoolClient, QueryConfig, QueryResult } from 'pg'
import type { Env } from '../../clock.ts'
import { answerWithin } from './deadline.ts'
import type { Statement, Transaction } from './driver.ts'
import { deadlinePassed, failureOf, makesUnfit } from './pg-errors.ts'

/** What all sessions of a driver share. */
export interface PgSurroundings {
  readonly env: Pick<Env, 'after'>
  readonly server: string
  readonly types: CustomTypesConfig
  /** The name under which a statement is prepared; undefined where none is. */
  readonly nameOf: (statement: Statement) => string | undefined
  /** Whether the connection of a client is known to be gone. */
  readonly isBroken: (client: PoolClient) => boolean
  /** Asks the server to drop what a client is waiting for. Never fails. */
  readonly cancel: (client: PoolClient) => Promise<void>
}

/**
 * A connection of the pool while somebody has it. When an answer does not come in time the connection is destroyed: whoever had it next would
 * wait behind the same silence, or read an answer that was meant for another.
 */
export class PgSession implements Transaction {
  readonly #client: PoolClient
  readonly #around: PgSurroundings
  readonly #deadlineMs: number
  /** Set when the connection is of no further use. */
  #end: Error | null = null
  #cancelling: Promise<void> | null = null

  constructor(client: PoolClient, around: PgSurroundings, deadlineMs: number) {
    this.#client = client
    this.#around = around
    this.#deadlineMs = deadlineMs
  }

  async query<Row>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    const { types, nameOf } = this.#around
    const name = statement.isOnce ? undefined : nameOf(statement)
    const config = { ...(name && { name }), text: statement.text, values: [...values], types }
    const { rows } = await this.#send(statement.name, config)
    return rows as Row[]
  }

  async script(text: string): Promise<void> {
    await this.#send('a script', { text })
  }

  /** Runs in a transaction; what fails is rolled back. */
  async transact<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    await this.#send('begin', { text: 'begin' })
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
    const release = () => this.#client.release(this.#end ?? this.#around.isBroken(this.#client))
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

  async #send(what: string, config: QueryConfig<unknown[]>): Promise<QueryResult> {
    if (this.#end) throw this.#end
    const { env, server, isBroken } = this.#around
    try {
      return await answerWithin(env, this.#deadlineMs, this.#client.query(config), () => this.#destroy(what))
    } catch (error) {
      const failure = failureOf(server, what, error, isBroken(this.#client))
      if (makesUnfit(failure)) this.#end ??= failure as Error
      throw failure
    }
  }

  /** Closes the socket, since a polite end would wait for the same silent server; a pooler forgets whom to cancel once it is closed. */
  #destroy(what: string): Error {
    this.#end = deadlinePassed(this.#around.server, what, this.#deadlineMs)
    const close = () => this.#client.connection.stream.destroy()
    this.#cancelling = this.#around.cancel(this.#client).finally(close)
    return this.#end
  }
}
