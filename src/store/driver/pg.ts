import type { CustomTypesConfig } from 'pg'
import type { Env } from '../../clock.ts'
import type { Logger } from '../../logger.ts'
import type { Connections } from '../store.ts'
import type { Driver, Statement, Transaction, TransactionOptions } from './driver.ts'
import { InFlight } from './in-flight.ts'
import { cancelRequest } from './pg-cancel.ts'
import { type PooledClient, READ_ONLY_COLUMNS, type ReadOnlyRow, requireWritable } from './pg-client.ts'
import type { PgConnection } from './pg-connection.ts'
import { namesAreLost, unreachable } from './pg-errors.ts'
import { PgListener } from './pg-listener.ts'
import { loadPg, type Pg } from './pg-module.ts'
import { PgPools } from './pg-pools.ts'
import { PgServers } from './pg-servers.ts'
import { PgSession, type PgSurroundings } from './pg-session.ts'
import { defaultSchema, type SchemaName } from './schema-name.ts'
import { sendAgain } from './send-again.ts'
import { StatementNames } from './statement-names.ts'
import { scopedDriver } from './tenant-scope.ts'
import { Together } from './together.ts'

const INT8 = 20

const NUMERIC = 1_700

const INT8_ARRAY = 1_016

const NUMERIC_ARRAY = 1_231

const FLOAT8_ARRAY = 1_022

type Parse = (text: string) => unknown

/** How values are read, handed along with each query: to set it globally would change how the rest of the process reads its own. */
function readNumbers(pg: Pg): CustomTypesConfig {
  const standard = pg.types.getTypeParser as (oid: number, format?: 'text' | 'binary') => Parse
  const numbers = standard(FLOAT8_ARRAY)
  const ours = new Map<number, Parse>([
    [INT8, Number],
    [NUMERIC, Number],
    [INT8_ARRAY, numbers],
    [NUMERIC_ARRAY, numbers],
  ])
  const getTypeParser = (oid: number, format?: 'text' | 'binary'): Parse =>
    (format !== 'binary' && ours.get(oid)) || standard(oid, format)
  return { getTypeParser }
}

export interface PgDriverOptions {
  readonly maxConnections: number
  /** How long a statement may take before its connection is given up. */
  readonly deadlineMs: number
  /** Whether statements are prepared under a name; `auto`: where no pooler stands between. */
  readonly prepare: 'auto' | boolean
  /** Default: the schema `pontual`. */
  readonly schema?: SchemaName | undefined
}

interface Surroundings {
  readonly env: Env
  readonly logger: Logger
}

/** How a connection is used: for how long at most, and for which tenant; absent: for whoever is logged in. */
interface Use extends TransactionOptions {
  readonly tenant?: string | null | undefined
}

const SETTINGS = `
set plan_cache_mode = force_generic_plan;
set default_transaction_isolation = 'read committed';
set idle_in_transaction_session_timeout = '15s'`

/** Connects and finds out what is on the other side. */
export async function openPgDriver(
  connection: string | PgConnection,
  options: PgDriverOptions,
  surroundings: Surroundings,
): Promise<Driver> {
  const pg = await loadPg()
  const driver = new PgDriver(pg, new PgServers(pg, connection), options, surroundings)
  try {
    await driver.meet()
    return driver
  } catch (error) {
    await driver.close()
    throw error
  }
}

/** Connections outside of the pools. */
const [LISTENING, RENEWING] = [1, 1]

class PgDriver implements Driver {
  readonly kind = 'postgres'
  readonly schema: SchemaName
  readonly #pool: PgPools
  /** Of its own: functions that are planned for one role are planned anew for another, and requests of tenants must not keep the engine waiting. */
  readonly #tenantPool: PgPools
  readonly #options: PgDriverOptions
  readonly #around: PgSurroundings
  readonly #env: Env
  readonly #logger: Logger
  readonly #listener: PgListener
  readonly #inFlight = new InFlight()
  readonly #settled = new WeakSet<object>()
  readonly #names = new StatementNames()
  #prepares: boolean
  #isPooled = false

  constructor(pg: Pg, servers: PgServers, options: PgDriverOptions, { env, logger }: Surroundings) {
    this.#options = options
    this.schema = options.schema ?? defaultSchema
    this.#prepares = options.prepare === true
    this.#env = env
    this.#logger = logger
    this.#listener = new PgListener(pg, servers, env, logger)
    this.#around = {
      pg,
      env,
      server: servers.name,
      schema: this.schema,
      types: readNumbers(pg),
      nameOf: (statement) => (this.#prepares ? this.#names.nameOf(statement) : undefined),
      cancel: (client) => cancelRequest(pg, client, env),
    }
    const { maxConnections } = options
    const openPools = () => new PgPools({ pg, servers, maxConnections, logger })
    this.#pool = openPools()
    this.#tenantPool = openPools()
  }

  /**
   * A pooler such as PgBouncer gives each client a number of its own, which is not that of the server process behind it. Where one stands
   * between, the next statement may meet another process: nothing can be prepared and nothing listened to.
   */
  async meet(): Promise<void> {
    const backend = { name: 'backend', text: `select pg_backend_pid() as pid,${READ_ONLY_COLUMNS}` }
    const isPooled = await this.#use(async (session, client) => {
      const [row] = await session.query<ReadOnlyRow & { pid: number }>(backend)
      this.#requireWritable(row!)
      return row!.pid !== (client as PooledClient & { processID?: number }).processID
    })
    this.#isPooled = isPooled
    if (this.#options.prepare === 'auto') this.#prepares = !isPooled
    // Makes the connection that is there ready as well.
    await this.#use(() => Promise.resolve())
  }

  async query<Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]> {
    return await this.#untilSettled((session) => session.query<Row>(statement, values))
  }

  async transaction<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result> {
    return await this.#untilSettled((session) => session.transact(work), options)
  }

  async script(text: string): Promise<void> {
    await this.transaction((transaction) => transaction.script(text))
  }

  listen(channel: string, onMessage: (payload: string) => void): () => void {
    if (!this.#isPooled) return this.#listener.listen(this.schema.compose(channel), onMessage)
    const { server } = this.#around
    this.#logger.info('A pooler stands before PostgreSQL: no notifications, polling finds work', { server })
    return () => {}
  }

  forTenant(tenant: string): Driver {
    const together = new Together((asked) => this.#untilSettled((session) => session.queryAll(asked), { tenant }))
    const query = <Row>(statement: Statement, values: readonly unknown[] = []) =>
      statement.isHead
        ? this.#untilSettled((session) => session.query<Row>(statement, values), { tenant })
        : together.query<Row>(statement, values)
    const transaction: Driver['transaction'] = (work, options) =>
      this.#untilSettled((session) => session.transact(work), { ...options, tenant })
    return scopedDriver(this, { query, transaction })
  }

  connections(): Connections {
    const pools = [this.#pool, this.#tenantPool]
    const sum = (counted: Parameters<PgPools['count']>[0]) =>
      pools.reduce((total, pool) => total + pool.count(counted), 0)
    return {
      most: pools.length * this.#options.maxConnections + (this.#isPooled ? 0 : LISTENING) + RENEWING,
      isPooled: this.#isPooled,
      open: sum(({ totalCount }) => totalCount),
      idle: sum(({ idleCount }) => idleCount),
      waiting: sum(({ waitingCount }) => waitingCount),
    }
  }

  async close(): Promise<void> {
    if (!(await this.#inFlight.close())) return
    this.#listener.close()
    await Promise.all([this.#pool.end(), this.#tenantPool.end()])
  }

  async #untilSettled<Result>(work: (session: PgSession) => Promise<Result>, use: Use = {}): Promise<Result> {
    return await this.#inFlight.run(() => sendAgain(this.#env, () => this.#use(work, use)))
  }

  async #use<Result>(
    work: (session: PgSession, client: PooledClient) => Promise<Result>,
    { tenant = null, deadlineMs = this.#options.deadlineMs }: Use = {},
  ): Promise<Result> {
    const client = await (tenant === null ? this.#pool : this.#tenantPool).connect()
    const session = new PgSession(client, this.#around, { deadlineMs, tenant })
    try {
      if (this.#prepares && !this.#settled.has(client)) await this.#settle(session, client)
      return await work(session, client)
    } catch (error) {
      if (namesAreLost(error)) this.#stopPreparing()
      throw error
    } finally {
      session.release()
    }
  }

  /**
   * A statement that is prepared is planned once: left to itself the server plans most of ours anew each time, which takes longer than to run
   * them. And each sees what was committed before it, whatever the role's default: where two want the same row the second waits for the first.
   */
  async #settle(session: PgSession, client: PooledClient): Promise<void> {
    await session.script(SETTINGS)
    this.#settled.add(client)
  }

  #requireWritable(row: ReadOnlyRow): void {
    try {
      requireWritable(row)
    } catch (error) {
      throw unreachable(this.#around.server, error)
    }
  }

  #stopPreparing(): void {
    if (!this.#prepares) return
    this.#prepares = false
    const { server } = this.#around
    this.#logger.warn('Prepared statements do not stay where they are: a pooler? No more are prepared', { server })
  }
}
