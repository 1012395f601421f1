import { createServer } from 'node:net'
import type { Env } from '../clock.ts'
import { type Duration, parseDuration } from '../duration.ts'
import type { Service } from '../engine/node/loop.ts'
import { InvalidInputError } from '../errors.ts'
import type { Pontual, StillRunning } from '../pontual.ts'
import { type ApiOptions, createApi } from '../server/create-api.ts'
import { type Served, serve } from '../server/mount/serve.ts'
import type { ServiceApi } from '../service/api.ts'

/** Of jobs that have none of their own. */
export const SERVICE_TIMEOUT = '30m'

const [PORT, METRICS_PORT] = ['--port or PONTUAL_PORT', 'PONTUAL_METRICS_PORT']

export interface RunServiceOptions extends ApiOptions {
  readonly host: string
  readonly port: number
  readonly trustedProxies?: number | undefined
  /** Of metrics and health alone. Default: metrics are served beside the API. */
  readonly metricsPort?: number | undefined
  /** How long HTTP is served once the service is told to stop; at most the shutdown grace. Default 0. */
  readonly shutdownDelay?: Duration | undefined
}

export interface RunningService {
  readonly url: string
  /** Where people find it in a browser; null where it is switched off, or was not built. */
  readonly dashboardUrl: string | null
  /** The same without HTTP. */
  readonly service: ServiceApi
  /** Where metrics are served, where that is a port of its own. */
  readonly metricsUrl: string | null
  /** How long requests and running work may take to finish. */
  readonly graceMs: number
  /** Is no longer ready and claims nothing more, at once; lets requests and running work finish; closes the store. Returns the handlers that still run. */
  stop(): Promise<readonly StillRunning[]>
}

/** How long the last requests may take where the delay is as long as the grace. */
const LEAST_CLOSE_MS = 1_000

/** A node with its API: jobs run and are asked about until it is stopped. */
export async function runService(app: Pontual, options: RunServiceOptions): Promise<RunningService> {
  const { host, port, trustedProxies, metricsPort, shutdownDelay = 0, ...rest } = options
  const { graceMs } = app
  const delayMs = Math.min(parseDuration(shutdownDelay, 'shutdownDelay'), graceMs)
  const closing = { graceMs: Math.max(LEAST_CLOSE_MS, graceMs - delayMs) }
  // Before anything is opened: no job runs in a process that cannot listen.
  await requireFreePort(host, port, PORT)
  if (metricsPort !== undefined) await requireFreePort(host, metricsPort, METRICS_PORT)
  const apiOptions = metricsPort === undefined ? rest : { ...rest, metrics: { ...rest.metrics, isApart: true } }
  let metricsServer: Served | null = null
  try {
    // First, so that what runs is recorded from the first on.
    const api = await createApi(app, apiOptions)
    await app.start()
    if (metricsPort !== undefined) {
      metricsServer = await serve(api.operations, { hostname: host, port: metricsPort, ...closing })
    }
    const served = await serve(api, { hostname: host, port, trustedProxies, isLoopbackOnly: api.isDev, ...closing })
    // HTTP ends before the store is closed.
    const opened = await app.opened()
    opened.join(servers(metricsServer ? [served, metricsServer] : [served], delayMs, app.env))
    return {
      url: served.url,
      dashboardUrl: api.hasDashboard ? `${served.url}/jobs/` : null,
      service: api.service,
      metricsUrl: metricsServer?.url ?? null,
      graceMs,
      stop: () => app.stop(),
    }
  } catch (error) {
    await metricsServer?.close()
    await app.stop()
    // Somebody was faster.
    const { port: taken = port } = (error ?? {}) as { readonly port?: number }
    throw portError(error, host, taken, taken === metricsPort ? METRICS_PORT : PORT)
  }
}

/** Servers as a part of the application: they are served for a while once it stops, so that load balancers can notice. */
function servers(all: readonly Served[], delayMs: number, env: Env): Service {
  return {
    start() {},
    async stop() {
      if (delayMs > 0) await new Promise<void>((resolve) => void env.after(delayMs, resolve))
      await Promise.all(all.map((server) => server.close()))
    },
  }
}

/** Refuses a port on which something else listens. `chosenBy`: with what another is chosen. */
async function requireFreePort(host: string, port: number, chosenBy: string): Promise<void> {
  if (port === 0) return
  const server = createServer()
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, host, resolve)
    })
  } catch (error) {
    throw portError(error, host, port, chosenBy)
  }
  await new Promise((resolve) => server.close(resolve))
}

/** What listening has ended with, in words where that is known. */
function portError(error: unknown, host: string, port: number, chosenBy: string): unknown {
  if ((error as NodeJS.ErrnoException | null)?.code !== 'EADDRINUSE') return error
  const message = `Port ${port} of ${host} is taken: end what listens there, or choose another with ${chosenBy}.`
  return new InvalidInputError('serve.port_taken', message, { host, port })
}
