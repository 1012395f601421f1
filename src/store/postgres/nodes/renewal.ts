import { Worker } from 'node:worker_threads'
import type { Env } from '../../../clock.ts'
import { EMBEDDED_RENEWAL, programBeside } from '../../../embedded.ts'
import type { Logger } from '../../../logger.ts'
import type { Driver, Statement } from '../../driver/driver.ts'
import type { PgConnection } from '../../driver/pg-connection.ts'
import type { RenewalCommand, RenewalNews, RenewalOrder } from '../../driver/renewal-messages.ts'
import type { SchemaName } from '../../driver/schema-name.ts'
import type { KeepAliveRequest, LeaseKeeper } from '../../nodes.ts'
import { RenewalLoop } from '../../renewal-loop.ts'
import { type KeepAlive, leaveNode, renewNode } from './nodes.ts'

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
export function renewInProcess(driver: Driver, env: Env): (...given: Parameters<KeepAlive>) => RenewalLoop {
  return (nodes, { nodeId, leaseMs, intervalMs, onLost }) => {
    const lease = {
      renew: () => nodes.renew(nodeId, leaseMs),
      isListed: async () => (await driver.query(findNode, [nodeId])).length > 0,
    }
    return new RenewalLoop(env, lease, { intervalMs, onLost })
  }
}

/** Renews from a thread with a connection of its own; from the event loop until it does, where that cannot be, and while it fails. */
export function renewFromThread(
  connection: string | PgConnection,
  driver: Driver,
  { env, logger }: { readonly env: Env; readonly logger: Logger },
): KeepAlive {
  const inProcess = renewInProcess(driver, env)
  return (nodes, request) => {
    const renewHere = (onLost: (reason: string) => void) => inProcess(nodes, { ...request, onLost })
    return new ThreadKeeper(connection, request, { env, logger, schema: driver.schema, renewHere })
  }
}

interface ThreadSurroundings {
  readonly env: Env
  readonly logger: Logger
  readonly schema: SchemaName
  /** Takes over from a thread that does not run yet, or no longer, or cannot renew. */
  readonly renewHere: (onLost: (reason: string) => void) => RenewalLoop
}

class ThreadKeeper implements LeaseKeeper {
  readonly #around: ThreadSurroundings
  readonly #request: KeepAliveRequest
  #worker: Worker | null = null
  #substitute: RenewalLoop | null = null
  /** In the time of `monotonic`. */
  #allowedUntil: number | null = null
  #isFailing = false
  #isOver = false
  #hasEnded = false

  constructor(connection: string | PgConnection, request: KeepAliveRequest, around: ThreadSurroundings) {
    this.#request = request
    this.#around = around
    try {
      this.#worker = this.#start(connection)
      // On a busy machine it may take a thread longer than the lease to start.
      this.#renewHere()
    } catch (error) {
      // What cannot be handed to another thread is named in the message as it is written, such as a function that knows a password.
      const isFunction = error instanceof Error && error.name === 'DataCloneError'
      this.#replace(isFunction ? new Error('The connection is configured with a function.') : error)
    }
  }

  allowUntil(inMs: number | null): void {
    this.#allowedUntil = inMs === null ? null : this.#around.env.monotonic() + inMs
    this.#worker?.postMessage({ kind: 'allow', inMs } satisfies RenewalCommand)
    this.#substitute?.allowUntil(inMs)
  }

  leaveIn(inMs: number, leaseMs: number): void {
    this.#worker?.postMessage({ kind: 'leave', inMs, leaseMs } satisfies RenewalCommand)
  }

  async stop(): Promise<void> {
    this.#isOver = true
    const worker = this.#worker
    this.#worker = null
    await this.#substitute?.stop()
    if (!worker) return
    const ended = new Promise((resolve) => worker.once('exit', resolve))
    worker.postMessage({ kind: 'stop' } satisfies RenewalCommand)
    const cancel = this.#around.env.after(FAREWELL_MS, () => void worker.terminate())
    await ended
    cancel()
  }

  #start(connection: string | PgConnection): Worker {
    const { nodeId, leaseMs, intervalMs } = this.#request
    const { schema } = this.#around
    const composed = ({ name, text }: Statement): Statement => ({ name, text: schema.compose(text) })
    const isAsking = typeof connection === 'object' && typeof connection.password === 'function'
    const order: RenewalOrder = {
      connection: isAsking ? { ...connection, password: undefined } : connection,
      asksPassword: isAsking,
      renew: { statement: composed(renewNode), values: [null, nodeId, leaseMs] },
      look: { statement: composed(findNode), values: [nodeId] },
      leave: { statement: composed(leaveNode), values: [null, nodeId] },
      intervalMs,
    }
    const own = 'store/postgres/nodes/renewal'
    const program = programBeside(import.meta.url, own, '../../driver/renewal-thread', EMBEDDED_RENEWAL)
    const options = { name: 'pontual-renewal', workerData: order }
    const worker =
      'file' in program ? new Worker(program.file, options) : new Worker(program.code, { ...options, eval: true })
    worker.on('message', (news: RenewalNews) => {
      if (news.kind === 'password') void sendPassword(worker, connection)
      else this.#hear(news)
    })
    worker.on('error', (error) => this.#replace(error))
    worker.on('exit', (code) => this.#replace(new Error(`The thread ended with ${code}.`)))
    return worker
  }

  #hear(news: Exclude<RenewalNews, { kind: 'password' }>): void {
    if (this.#isOver) return
    const { logger } = this.#around
    if (news.kind === 'lost') {
      this.#lose(news.reason)
    } else if (news.kind === 'failed') {
      const message =
        'The thread cannot renew the lease, the event loop does meanwhile: a handler that blocks it for long loses its work'
      logger.warn(message, { reason: news.reason })
      this.#isFailing = true
      this.#renewHere().renewNow()
    } else {
      if (this.#isFailing) logger.info('The thread renews the lease again')
      this.#isFailing = false
      const substitute = this.#substitute
      this.#substitute = null
      void substitute?.stop()
    }
  }

  #lose(reason: string): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#request.onLost(reason)
  }

  #replace(error: unknown): void {
    this.#worker = null
    if (this.#isOver || this.#hasEnded) return
    // A thread that ends with an error ends twice.
    this.#hasEnded = true
    const message =
      'The lease is not renewed from a thread: a handler that blocks the event loop for long loses its work'
    this.#around.logger.warn(message, { error })
    this.#renewHere().renewNow()
  }

  /** The pool may have a connection where the thread finds none: the server, or the role, may have no more of them. */
  #renewHere(): RenewalLoop {
    if (this.#substitute) return this.#substitute
    this.#substitute = this.#around.renewHere((reason) => this.#lose(reason))
    if (this.#allowedUntil !== null) {
      this.#substitute.allowUntil(this.#allowedUntil - this.#around.env.monotonic())
    }
    return this.#substitute
  }
}

/** A function cannot be handed to another thread, what it returns can. */
async function sendPassword(worker: Worker, connection: string | PgConnection): Promise<void> {
  const ask = typeof connection === 'object' ? connection.password : undefined
  let password: string | null = null
  try {
    password = typeof ask === 'function' ? await ask() : null
  } catch {
    // The pool asks the same function, and its error is reported there.
  }
  worker.postMessage({ kind: 'password', password } satisfies RenewalCommand)
}
