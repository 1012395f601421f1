import type { PGlite } from '@electric-sql/pglite'
import { eventLoopTurn } from '../../clock.ts'
import type { Logger } from '../../logger.ts'
import type { Driver, Statement, Transaction } from './driver.ts'
import { InFlight } from './in-flight.ts'
import { troubleOf } from './pg-errors.ts'
import type { PgliteDatabase } from './pglite-database.ts'
import { PgliteSession, type Role } from './pglite-session.ts'
import { defaultSchema, type SchemaName } from './schema-name.ts'
import { enterTenant, enterTenantForHead, readHead, scopedDriver } from './tenant-scope.ts'
import { type Asked, Together } from './together.ts'

/** PostgreSQL within this process. Statements and transactions wait for one another: there is one connection. */
export async function openPgliteDriver(
  database: PgliteDatabase,
  logger: Logger,
  schema: SchemaName = defaultSchema,
): Promise<Driver> {
  return new PgliteDriver(await database.acquire(), database, logger, schema)
}

class PgliteDriver implements Driver {
  readonly kind = 'pglite'
  readonly schema: SchemaName
  readonly #db: PGlite
  readonly #session: PgliteSession
  readonly #database: PgliteDatabase
  readonly #logger: Logger
  readonly #inFlight = new InFlight()
  readonly #listeners = new Set<() => Promise<void>>()

  constructor(db: PGlite, database: PgliteDatabase, logger: Logger, schema: SchemaName) {
    this.schema = schema
    this.#db = db
    this.#session = PgliteSession.of(db)
    this.#database = database
    this.#logger = logger
  }

  async query<Row>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    const before = statement.isHead ? [{ statement: readHead, values: [] }] : []
    return (await this.#sendAlone(before, [{ statement, values }]))[0] as Row[]
  }

  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return this.#transaction(null, work)
  }

  async script(text: string): Promise<void> {
    await this.transaction((transaction) => transaction.script(text))
  }

  /** Messages arrive after the commit they were sent in, from whoever shares the database in this process. */
  listen(channel: string, onMessage: (payload: string) => void): () => void {
    // One function may be handed in twice; each time is a listener of its own.
    let isListening = true
    const listening = this.#db.listen(this.schema.compose(channel), (payload) => {
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
    const enter: Asked = { statement: enterTenant, values: [tenant] }
    const together = new Together((asked) => this.#sendAlone([enter], asked, 'tenant'))
    const query = async <Row>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> => {
      if (!statement.isHead && !statement.isOnce) return await together.query(statement, values)
      const before = statement.isHead ? { ...enter, statement: enterTenantForHead } : enter
      return (await this.#sendAlone([before], [{ statement, values }], 'tenant'))[0] as Row[]
    }
    return scopedDriver(this, { query, transaction: (work) => this.#transaction(enter, work) })
  }

  /** Sends statements as one transaction, with what has to be settled before them. */
  async #sendAlone(before: readonly Asked[], asked: readonly Asked[], role: Role = 'engine'): Promise<unknown[][]> {
    return await this.#inFlight.run(() =>
      this.#db._runExclusiveTransaction(async () => {
        try {
          const answers = await this.#send([...before, ...asked], role)
          return answers.slice(before.length)
        } finally {
          await this.#db.syncToFs()
        }
      }),
    )
  }

  async #transaction<Result>(
    enter: Asked | null,
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    const role = enter === null ? 'engine' : 'tenant'
    return await this.#inFlight.run(() =>
      this.#db.transaction(async (inner) => {
        if (enter !== null) await this.#send([enter], 'engine')
        return await work({
          query: async <Row>(statement: Statement, values: readonly unknown[] = []) =>
            (await this.#send([{ statement, values }], role))[0] as Row[],
          script: async (text) => void (await inner.exec(this.schema.compose(text))),
        })
      }),
    )
  }

  /** The database computes in this thread and resolves without waiting for anything, so a loop of awaited calls would never let a timer or a socket have its turn. */
  async #send(asked: readonly Asked[], role: Role): Promise<unknown[][]> {
    await eventLoopTurn()
    try {
      return await this.#session.send(
        asked.map((each) => this.#composed(each)),
        role,
      )
    } catch (error) {
      throw troubleOf('PGlite', asked.at(-1)?.statement.name ?? 'nothing', error) ?? error
    }
  }

  #composed(asked: Asked): Asked {
    const { statement, values } = asked
    const text = statement.isForeign ? statement.text : this.schema.compose(statement.text)
    return text === statement.text ? asked : { statement: { ...statement, text }, values }
  }

  async close(): Promise<void> {
    if (!(await this.#inFlight.close())) return
    await Promise.all([...this.#listeners].map((stop) => stop()))
    await this.#database.release()
  }
}
