import { callbackify } from 'node:util'
import type { Client, ClientConfig, PoolClient } from 'pg'
import type { Pg } from './pg-module.ts'

/** Sent by the server as a connection starts, and by no pooler that is older than this habit. */
interface ParameterStatus {
  readonly parameterName: string
  readonly parameterValue: string
}

/** Why a server cannot be used though it accepts connections; with the state that a write on it would fail with. */
class ReadOnlyServerError extends Error {
  readonly code = '25006'
}

/** Columns that tell whether a server accepts writes. */
export const READ_ONLY_COLUMNS = `
  pg_is_in_recovery() as "isStandby",
  current_setting('transaction_read_only') = 'on' as "isReadOnly"`

export interface ReadOnlyRow {
  readonly isStandby: boolean
  readonly isReadOnly: boolean
}

/** Throws for a server that accepts no writes. */
export function requireWritable({ isStandby, isReadOnly }: ReadOnlyRow): void {
  if (isStandby) throw new ReadOnlyServerError('it is a standby, and a standby accepts no writes')
  if (isReadOnly) throw new ReadOnlyServerError('its transactions are read-only (default_transaction_read_only is on)')
}

export interface PrimaryConfig extends ClientConfig {
  /** Whether there is another server to try where this one accepts no writes. */
  readonly needsWrites: boolean
}

/** A client of `pg` that knows the configuration it was made from, and connects only where writes are accepted if it needs them. */
export interface PrimaryClient extends Client {
  readonly config: PrimaryConfig
  /** Why the connection ended; null while it may be used. */
  readonly loss: Error | null
  /** As `pg` has read them, also from a connection string. */
  readonly connectionParameters: { readonly query_timeout?: number | string | false }
}

/** One of a pool. */
export type PooledClient = PrimaryClient & PoolClient

type ClientClass = new (config: PrimaryConfig) => PrimaryClient

const classes = new WeakMap<Pg, ClientClass>()

/** The class of clients that refuse a standby. One class for each copy of `pg`. */
export function clientClassOf(pg: Pg): ClientClass {
  const known = classes.get(pg) ?? makeClass(pg)
  classes.set(pg, known)
  return known
}

function makeClass(pg: Pg): ClientClass {
  class WritableClient extends pg.Client implements PrimaryClient {
    readonly config: PrimaryConfig
    declare readonly connectionParameters: PrimaryClient['connectionParameters']
    #loss: Error | null = null
    readonly #reported = new Map<string, string>()

    constructor(config: PrimaryConfig) {
      super(config)
      this.config = config
      // `pg` drops a function when there is a connection string, even one without a password.
      if (typeof config.password === 'function' && !this.password) setPassword(this, config.password)
      // Without a listener an error event ends the process. It may come as soon as the client is connected, before a pool listens.
      this.on('error', (error) => {
        this.#loss ??= error
      })
      this.connection.on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) => {
        this.#reported.set(parameterName, parameterValue)
      })
    }

    get loss(): Error | null {
      return this.#loss
    }

    override connect(): Promise<Client>
    override connect(callback: ((error: Error) => void) | ((error: null, client: Client) => void)): void
    override connect(callback?: (error: never, client: Client) => void): Promise<Client> | undefined {
      if (!callback) return this.#connectToPrimary()
      callbackify(() => this.#connectToPrimary())(callback as (error: Error | null, client: Client) => void)
      return undefined
    }

    async #connectToPrimary(): Promise<Client> {
      await super.connect()
      try {
        await this.#requireWritable()
        return this
      } catch (error) {
        void this.end()
        throw error
      }
    }

    /** A server reports it as the connection starts; a pooler may not, and is asked. */
    async #requireWritable(): Promise<void> {
      if (!this.config.needsWrites) return
      const standby = this.#reported.get('in_hot_standby')
      const readOnly = this.#reported.get('default_transaction_read_only')
      if (standby !== undefined && readOnly !== undefined) {
        requireWritable({ isStandby: standby === 'on', isReadOnly: readOnly === 'on' })
      } else {
        const { rows } = await this.query<ReadOnlyRow>(`select ${READ_ONLY_COLUMNS}`)
        requireWritable(rows[0]!)
      }
    }
  }
  return WritableClient
}

type AskPassword = Exclude<ClientConfig['password'], string | undefined>

/** It stays hidden, as `pg` hides it. */
function setPassword(client: Client, password: AskPassword): void {
  for (const holder of [client, (client as Client & { connectionParameters: object }).connectionParameters]) {
    Object.defineProperty(holder, 'password', {
      configurable: true,
      enumerable: false,
      writable: true,
      value: password,
    })
  }
}
