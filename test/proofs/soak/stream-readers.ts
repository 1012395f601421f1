import type { Socket } from 'node:net'
import type { Pontual } from '../../../src/index.ts'
import { talking, verbose } from './job-types.ts'
import { repeat } from './repeat.ts'
import type { ServiceClient } from './service-client.ts'
import { TENANTS } from './steady-load.ts'

/** More than the buffers of two sockets hold, so that it is the service that has to wait. */
const LOG_BYTES = 9 * 2 ** 20
const SLOW_BYTES = 2_048
const SLOW_READ_MS = 5_000

/** Who follows what happens: some as fast as it comes, some who read hardly anything, and some who come and go. */
export class StreamReaders {
  readonly #app: Pontual
  readonly #service: ServiceClient
  readonly #abort = new AbortController()
  #running: Promise<unknown> = Promise.resolve()
  readonly #slow = new Set<Socket>()
  #opened = 0

  constructor(app: Pontual, service: ServiceClient) {
    this.#app = app
    this.#service = service
  }

  /** How many streams were opened. */
  get opened(): number {
    return this.#opened
  }

  start(): void {
    const { signal } = this.#abort
    this.#running = Promise.all([
      ...TENANTS.map((tenant) => repeat(1_000, signal, () => this.#follow(tenant, '/api/jobs/events'))),
      ...TENANTS.map((tenant) => repeat(1_000, signal, () => this.#followLog(tenant))),
      repeat(SLOW_READ_MS, signal, () => this.#readLittle()),
    ])
    // Whoever watches over it asks for it, but maybe not yet.
    this.#running.catch(() => {})
  }

  /** Ends when it is stopped; rejects where something is refused, or does not answer. */
  get running(): Promise<unknown> {
    return this.#running
  }

  /** Opens so many streams of a log of 9 MiB, of which each reads two kilobytes every five seconds. */
  async openSlow(count: number): Promise<void> {
    const tenant = TENANTS[0] ?? ''
    const { id } = await this.#app.enqueue(verbose, { logBytes: LOG_BYTES, outputBytes: 0 }, { tenant })
    await this.#app.waitFor(id, { timeout: '5m' })
    for (let n = 0; n < count; n += 1) {
      const path = n % 4 === 3 ? '/api/jobs/events?after=0' : `/api/jobs/executions/${id}/logs/stream`
      const socket = await this.#service.openUnread(tenant, path)
      this.#opened += 1
      this.#slow.add(socket)
      socket.on('close', () => this.#slow.delete(socket))
    }
  }

  /** How many of those are open that hardly read. */
  get slowCount(): number {
    return this.#slow.size
  }

  async stop(): Promise<void> {
    this.#abort.abort()
    for (const socket of this.#slow) socket.destroy()
    await this.#running.catch(() => {})
  }

  /** Follows for a while, and comes back. */
  async #follow(tenant: string, path: string, forMs = 20_000): Promise<void> {
    this.#opened += 1
    const signal = AbortSignal.any([this.#abort.signal, AbortSignal.timeout(forMs)])
    await this.#service.readAll(tenant, path, signal)
  }

  async #followLog(tenant: string): Promise<void> {
    const { id } = await this.#app.enqueue(talking, { n: 0 }, { tenant })
    await this.#follow(tenant, `/api/jobs/executions/${id}/logs/stream`)
  }

  async #readLittle(): Promise<void> {
    for (const socket of this.#slow) socket.read(SLOW_BYTES)
  }
}
