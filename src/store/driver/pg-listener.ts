import type { Client, Notification } from 'pg'
import type { CancelTimer, Env } from '../../clock.ts'
import type { Logger } from '../../logger.ts'
import { answerWithin, lookAtSockets } from './deadline.ts'
import { reasonOf } from './pg-errors.ts'
import type { Pg } from './pg-module.ts'
import type { PgServers } from './pg-servers.ts'

const HEARTBEAT_MS = 5_000
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 30_000

type OnMessage = (payload: string) => void

/**
 * Listens on a connection of its own. A connection whose other side has gone without a word looks like one where nothing happens, so it sends
 * itself a message every few seconds, and is replaced when that does not come back. Meanwhile messages are lost; polling stands behind them.
 */
export class PgListener {
  readonly #pg: Pg
  readonly #servers: PgServers
  readonly #env: Env
  readonly #logger: Logger
  readonly #handlers = new Map<string, Set<OnMessage>>()
  #client: Client | null = null
  #state: 'new' | 'listening' | 'lost' = 'new'
  #failures = 0
  /** What ends with the connection: its heartbeat, or the wait for the next one. */
  #timers: CancelTimer[] = []

  constructor(pg: Pg, servers: PgServers, env: Env, logger: Logger) {
    this.#pg = pg
    this.#servers = servers
    this.#env = env
    this.#logger = logger
  }

  listen(channel: string, onMessage: OnMessage): () => void {
    const handlers = this.#handlers.get(channel) ?? new Set()
    const isNew = handlers.size === 0
    const isFirst = this.#handlers.size === 0
    // One function may be handed in twice; each time is a listener of its own.
    const handler: OnMessage = (payload) => onMessage(payload)
    this.#handlers.set(channel, handlers.add(handler))
    if (isFirst) void this.#connect()
    else if (isNew && this.#client) this.#send(this.#client, `listen ${this.#pg.escapeIdentifier(channel)}`)
    return () => this.#forget(channel, handler)
  }

  close(): void {
    this.#handlers.clear()
    this.#leave()
  }

  #forget(channel: string, handler: OnMessage): void {
    const handlers = this.#handlers.get(channel)
    if (!handlers?.delete(handler) || handlers.size > 0) return
    this.#handlers.delete(channel)
    if (this.#handlers.size === 0) this.#leave()
  }

  async #connect(): Promise<void> {
    let tried: Client | null = null
    const onTry = (client: Client) => {
      if (tried !== null && this.#client !== tried) throw new Error('It is no longer wanted.')
      tried = client
      this.#client = client
    }
    try {
      const client = await this.#servers.connect(onTry)
      client.on('error', (error) => this.#lose(client, reasonOf(error)))
      client.on('end', () => this.#lose(client, 'the connection ended'))
      const heartbeat = `pontual_heartbeat_${(client as Client & { processID?: number }).processID}`
      for (const channel of [heartbeat, ...this.#handlers.keys()]) {
        await this.#within(client.query(`listen ${this.#pg.escapeIdentifier(channel)}`))
      }
      if (this.#client === client) this.#keepWatch(client, heartbeat)
    } catch (error) {
      if (tried) this.#lose(tried, reasonOf(error))
    }
  }

  /** Proves that messages arrive, at once and from then on. */
  #keepWatch(client: Client, heartbeat: string): void {
    let sent = 0
    let cancelAlarm: CancelTimer | null = null
    const alarm = async () => {
      await lookAtSockets()
      if (cancelAlarm) this.#lose(client, 'its heartbeat did not come back')
    }
    const beat = () => {
      if (cancelAlarm) return
      cancelAlarm = this.#env.after(HEARTBEAT_MS, () => void alarm())
      this.#send(client, 'select pg_notify($1, $2)', [heartbeat, String(++sent)])
    }
    client.on('notification', ({ channel, payload = '' }: Notification) => {
      if (this.#client !== client) return
      if (channel !== heartbeat) return this.#deliver(channel, payload)
      if (payload !== String(sent)) return
      cancelAlarm?.()
      cancelAlarm = null
      this.#prove()
    })
    this.#timers = [this.#env.every(HEARTBEAT_MS, beat), () => cancelAlarm?.()]
    beat()
  }

  #deliver(channel: string, payload: string): void {
    for (const handler of this.#handlers.get(channel) ?? []) handler(payload)
  }

  #prove(): void {
    this.#failures = 0
    if (this.#state === 'lost') this.#logger.info('Listening to PostgreSQL again', { server: this.#servers.name })
    this.#state = 'listening'
  }

  #lose(client: Client, reason: string): void {
    if (this.#client !== client) return
    this.#leave()
    // A polite end would wait for the same silent server.
    client.connection.stream.destroy()
    if (this.#state !== 'lost') {
      const fields = { server: this.#servers.name, reason }
      this.#logger.warn('Notifications of PostgreSQL do not arrive, polling finds work meanwhile', fields)
    }
    this.#state = 'lost'
    const wait = Math.min(FIRST_WAIT_MS * 2 ** this.#failures++, LONGEST_WAIT_MS)
    // Nodes that lost the same server do not come back in step.
    this.#timers = [this.#env.after(wait * (0.75 + this.#env.random() / 4), () => void this.#connect())]
  }

  #leave(): void {
    for (const cancel of this.#timers.splice(0)) cancel()
    const client = this.#client
    this.#client = null
    void client?.end()
  }

  #send(client: Client, text: string, values: string[] = []): void {
    client.query(text, values).catch((error: unknown) => this.#lose(client, reasonOf(error)))
  }

  async #within<Answer>(answer: Promise<Answer>): Promise<Answer> {
    return await answerWithin(this.#env, HEARTBEAT_MS, answer, () => new Error('it gave no answer in time'))
  }
}
