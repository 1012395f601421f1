import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Env } from '../../clock.ts'
import type { Logger } from '../../logger.ts'
import type { Driver, Statement } from '../driver/driver.ts'
import type { PgConfig } from '../driver/pg-config.ts'
import type { RenewalCommand, RenewalNews, RenewalOrder } from '../driver/renewal-messages.ts'
import type { KeepAliveRequest, LeaseKeeper } from '../nodes.ts'
import { RenewalLoop } from '../renewal-loop.ts'
import type { KeepAlive } from './nodes.ts'

/** What the store's own `renew` sends, by the server's clock. */
const renewNode: Statement = {
  name: 'renewNode',
  text: `
update pontual.nodes
set
  lease_ms = $2::float8,
  renewed_at = pontual.clock(null),
  expires_at = pontual.clock(null) + $2::float8 * interval '1 millisecond'
where id = $1::uuid
returning id`,
}

const findNode: Statement = {
  name: 'findNode',
  text: `
select id
from pontual.nodes
where id = $1::uuid`,
}

/** How long a thread may take to end by itself. */
const FAREWELL_MS = 2_000

/** Renews from the event loop: where there is no server to reach from a thread, or time is moved by hand. */
export function renewInProcess(driver: Driver, env: Env): KeepAlive {
  return (nodes, { nodeId, leaseMs, intervalMs, onLost }) => {
    const lease = {
      renew: () => nodes.renew(nodeId, leaseMs),
      isListed: async () => (await driver.query(findNode, [nodeId])).length > 0,
    }
    return new RenewalLoop(env, lease, { intervalMs, onLost })
  }
}

/** Renews from a thread with a connection of its own; from the event loop where that cannot be. */
export function renewFromThread(
  connection: string | PgConfig,
  driver: Driver,
  { env, logger }: { readonly env: Env; readonly logger: Logger },
): KeepAlive {
  const inProcess = renewInProcess(driver, env)
  return (nodes, request) =>
    new ThreadKeeper(connection, env, request, (onLost, error) => {
      const message =
        'The lease is not renewed from a thread: a handler that blocks the event loop for long loses its work'
      logger.warn(message, { error })
      return inProcess(nodes, { ...request, onLost })
    })
}

/** Takes over from a thread that does not run. */
type Substitute = (onLost: (reason: string) => void, error: unknown) => LeaseKeeper

class ThreadKeeper implements LeaseKeeper {
  readonly #env: Env
  readonly #request: KeepAliveRequest
  readonly #substituteFor: Substitute
  #worker: Worker | null = null
  #substitute: LeaseKeeper | null = null
  #isOver = false

  constructor(connection: string | PgConfig, env: Env, request: KeepAliveRequest, substituteFor: Substitute) {
    this.#env = env
    this.#request = request
    this.#substituteFor = substituteFor
    try {
      this.#worker = this.#start(connection)
    } catch (error) {
      // What cannot be handed to another thread is named in the message as it is written, such as a function that knows a password.
      const isFunction = error instanceof Error && error.name === 'DataCloneError'
      this.#replace(isFunction ? new Error('The connection is configured with a function.') : error)
    }
  }

  allowUntil(inMs: number | null): void {
    this.#worker?.postMessage({ kind: 'allow', inMs } satisfies RenewalCommand)
    this.#substitute?.allowUntil(inMs)
  }

  async stop(): Promise<void> {
    this.#isOver = true
    const worker = this.#worker
    this.#worker = null
    await this.#substitute?.stop()
    if (!worker) return
    const ended = new Promise((resolve) => worker.once('exit', resolve))
    worker.postMessage({ kind: 'stop' } satisfies RenewalCommand)
    const cancel = this.#env.after(FAREWELL_MS, () => void worker.terminate())
    await ended
    cancel()
  }

  #start(connection: string | PgConfig): Worker {
    const { nodeId, leaseMs, intervalMs } = this.#request
    const order: RenewalOrder = {
      connection,
      renew: { statement: renewNode, values: [nodeId, leaseMs] },
      look: { statement: findNode, values: [nodeId] },
      intervalMs,
    }
    // `.ts` in a clone, `.js` in the package.
    const file = new URL(`../driver/renewal-thread${extname(import.meta.url)}`, import.meta.url)
    const worker = new Worker(file, { name: 'pontual-renewal', workerData: order })
    worker.on('message', ({ lost }: RenewalNews) => this.#lose(lost))
    worker.on('error', (error) => this.#replace(error))
    worker.on('exit', (code) => this.#replace(new Error(`The thread ended with ${code}.`)))
    return worker
  }

  #lose(reason: string): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#request.onLost(reason)
  }

  #replace(error: unknown): void {
    this.#worker = null
    if (this.#isOver || this.#substitute) return
    this.#substitute = this.#substituteFor((reason) => this.#lose(reason), error)
  }
}
