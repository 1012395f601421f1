import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type Env, systemEnv } from '../../clock.ts'
import { InvalidInputError, quote } from '../../errors.ts'
import { requireInteger } from '../../time/require.ts'
import type { App } from '../app-options.ts'
import { isLoopbackHost } from '../authentication/principals.ts'
import { type NodeMountOptions, nodeListener } from './node-listener.ts'
import { type RefusalStatus, refusal, refusalText } from './refusal.ts'

/** Where a server listens, and how long it waits. */
export interface ServeOptions extends NodeMountOptions {
  /** Default 3000; 0: any that is free. */
  readonly port?: number | undefined
  /** Default `127.0.0.1`: this machine only. */
  readonly hostname?: string | undefined
  /** Refuses to listen anywhere but on this machine: set it where people are let in without credentials. */
  readonly isLoopbackOnly?: boolean | undefined
  /** How long requests that are under way may take once it closes. Default: 10 seconds. */
  readonly graceMs?: number | undefined
  /** How long a whole request may take to arrive. Default: 30 seconds; its headers a third of that. */
  readonly arrivalMs?: number | undefined
  /** How long a client may leave an answer unread. Default: 60 seconds. */
  readonly stallMs?: number | undefined
  /** How many connections may be open at once; one more is closed at once. Default: 10,000. */
  readonly connections?: number | undefined
}

/** A server that listens. */
export interface Served {
  /** With the port that it has in the end. */
  readonly url: string
  readonly port: number
  readonly server: Server
  /** Takes no more connections, ends streams, and lets requests that are under way finish. */
  readonly close: () => Promise<void>
}

/** So that a URL that is too long is seen as that; what a request may really have is checked once it is there. */
const PARSER_LIMIT = 131_072
/** Longer than proxies and clients keep a connection that nobody uses: who closes first may close under a request that is on its way. */
const KEEP_ALIVE_MS = 65_000
const STALL_MS = 60_000
const CONNECTIONS = 10_000

/** Serves the API by itself. */
export async function serve(app: App, options: ServeOptions = {}): Promise<Served> {
  const { port = 3_000, hostname = '127.0.0.1', graceMs = 10_000, env = systemEnv } = options
  const { arrivalMs = 30_000, stallMs = STALL_MS } = options
  if (options.isLoopbackOnly) requireLoopback(hostname)
  const connections = requireInteger(options.connections ?? CONNECTIONS, 'connections', 1)
  const server = createServer({
    maxHeaderSize: PARSER_LIMIT,
    headersTimeout: Math.ceil(arrivalMs / 3),
    requestTimeout: arrivalMs,
    connectionsCheckingInterval: Math.max(100, Math.min(5_000, Math.ceil(arrivalMs / 6))),
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Refused by us, so that the answer is a problem as every other one.
    requireHostHeader: false,
  })
  server.maxConnections = connections
  // As Hono does on Node: a process that serves is taken to be the server's own.
  const listener = nodeListener(app, { replacesGlobals: true, ...options })
  const underWay = new WeakMap<Duplex, ServerResponse>()
  let closing: Promise<void> | null = null
  server.on('request', (incoming, outgoing) => {
    underWay.set(incoming.socket, outgoing)
    outgoing.once('close', () => {
      if (underWay.get(incoming.socket) === outgoing) underWay.delete(incoming.socket)
      if (closing) server.closeIdleConnections()
    })
    // Behind a request to speak another protocol Node reads no further one, so that whoever sent one would wait.
    if (closing || incoming.headers.upgrade !== undefined) outgoing.setHeader('connection', 'close')
    listener(incoming, outgoing)
  })
  server.setTimeout(stallMs, (socket: Socket) => {
    // Who waits for an answer that takes its time, or for the next event of a stream, is no reason to end it; who leaves it unread is.
    if (underWay.has(socket) && socket.writableLength === 0) socket.setTimeout(stallMs)
    else socket.destroy()
  })
  server.on('checkExpectation', (incoming, outgoing) => {
    const { status, headers, body } = refusal(417, env, incoming.headers['accept-language'])
    outgoing.writeHead(status, headers).end(body)
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Half an answer cannot be taken back.
    if (!socket.writable || underWay.get(socket)?.headersSent) socket.destroy()
    else socket.end(refusalText(statusOf(error), env), () => socket.destroy())
  })
  await listening(server, port, hostname)
  const { port: actual } = server.address() as AddressInfo
  return {
    server,
    port: actual,
    url: `http://${hostname.includes(':') ? `[${hostname}]` : hostname}:${actual}`,
    close: () => {
      closing ??= closed(server, graceMs, env)
      app.close()
      return closing
    },
  }
}

function listening(server: Server, port: number, hostname: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, hostname, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

async function closed(server: Server, graceMs: number, env: Env): Promise<void> {
  const isDown = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const cancel = env.after(graceMs, () => server.closeAllConnections())
  await isDown
  cancel()
}

function statusOf({ code }: NodeJS.ErrnoException): RefusalStatus {
  if (code === 'HPE_HEADER_OVERFLOW') return 431
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
}

function requireLoopback(hostname: string): void {
  if (isLoopbackHost(hostname.includes(':') ? `[${hostname}]` : hostname)) return
  throw new InvalidInputError(
    'serve.loopback_only',
    `In development Pontual listens on this machine only, because whoever asks is Admin: use 127.0.0.1 instead of ${quote(hostname)}, or set a secret.`,
  )
}
