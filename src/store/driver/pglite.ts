import type { PGlite, Transaction as PgliteTransaction } from '@electric-sql/pglite'
import type { Logger } from '../../logger.ts'
import type { Driver, Statement, Transaction } from './driver.ts'
import { InFlight } from './in-flight.ts'
import { troubleOf } from './pg-errors.ts'
import type { PgliteDatabase } from './pglite-database.ts'
import { scopedDriver } from './scoped-driver.ts'
import { enterTenant } from './tenant-scope.ts'

/** PostgreSQL within this process. Statements and transactions wait for one another: there is one connection. */
export async function openPgliteDriver(database: PgliteDatabase, logger: Logger): Promise<Driver> {
  return new PgliteDriver(await database.acquire(), database, logger)
}

class PgliteDriver implements Driver {
  readonly kind = 'pglite'
  readonly #db: PGlite
  readonly #database: PgliteDatabase
  readonly #logger: Logger
  readonly #inFlight = new InFlight()
  readonly #listeners = new Set<() => Promise<void>>()

  constructor(db: PGlite, database: PgliteDatabase, logger: Logger) {
    this.#db = db
    this.#database = database
    this.#logger = logger
  }

  async query<Row>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    return await this.#inFlight.run(() => send<Row>(this.#db, statement, values))
  }

  async transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return await this.#inFlight.run(() => this.#db.transaction((inner) => work(transactionOf(inner))))
  }

  async script(text: string): Promise<void> {
    await this.transaction((transaction) => transaction.script(text))
  }

  /** Messages arrive after the commit they were sent in, from whoever shares the database in this process. */
  listen(channel: string, onMessage: (payload: string) => void): () => void {
    // One function may be handed in twice; each time is a listener of its own.
    let isListening = true
    const listening = this.#db.listen(channel, (payload) => {
      // To stop takes PGlite a moment, in which messages still come.
      if (isListening) onMessage(payload)
    })
    listening.catch((error: unknown) => this.#logger.warn('PGlite gives no hints, polling finds work', { error }))
    const stop = async () => {
      isListening = false
      if (this.#listeners.delete(stop)) await listening.then((unlisten) => unlisten()).catch(() => {})
    }
    this.#listeners.add(stop)
    return () => void stop()
  }

  forTenant(tenant: string): Driver {
    const transaction: Driver['transaction'] = (work) =>
      this.transaction(async (inner) => {
        await inner.query(enterTenant, [tenant])
        return await work(inner)
      })
    const query = <Row>(statement: Statement, values?: readonly unknown[]) =>
      transaction((inner) => inner.query<Row>(statement, values))
    return scopedDriver(this, { query, transaction })
  }

  async close(): Promise<void> {
    if (!(await this.#inFlight.close())) return
    await Promise.all([...this.#listeners].map((stop) => stop()))
    await this.#database.release()
  }
}

function transactionOf(inner: PgliteTransaction): Transaction {
  return {
    query: (statement, values = []) => send(inner, statement, values),
    script: async (text) => void (await inner.exec(text)),
  }
}

async function send<Row>(to: Pick<PGlite, 'query'>, statement: Statement, values: readonly unknown[]): Promise<Row[]> {
  try {
    const { rows } = await to.query<Row>(statement.text, [...values])
    return rows
  } catch (error) {
    throw troubleOf('PGlite', statement.name, error) ?? error
  }
}
