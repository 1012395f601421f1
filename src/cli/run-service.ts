import type { Pontual } from '../pontual.ts'
import { type ApiOptions, createApi } from '../server/create-api.ts'
import { type Served, serve } from '../server/mount/serve.ts'
import type { ServiceApi } from '../service/api.ts'
import { portError, requireFreePort } from './free-port.ts'

/** Of jobs that have none of their own. */
export const SERVICE_TIMEOUT = '30m'

const [PORT, METRICS_PORT] = ['--port or PONTUAL_PORT', 'PONTUAL_METRICS_PORT']

export interface RunServiceOptions extends ApiOptions {
  readonly host: string
  readonly port: number
  readonly trustedProxies?: number | undefined
  /** Of metrics and health alone. Default: metrics are served beside the API. */
  readonly metricsPort?: number | undefined
}

export interface RunningService {
  readonly url: string
  /** Where people find it in a browser; null where it is switched off, or was not built. */
  readonly dashboardUrl: string | null
  /** The same without HTTP. */
  readonly service: ServiceApi
  /** Where metrics are served, where that is a port of its own. */
  readonly metricsUrl: string | null
  /** Lets requests and running work finish, then closes the store. */
  stop(): Promise<void>
}

/** A node with its API: jobs run and are asked about until it is stopped. */
export async function runService(app: Pontual, options: RunServiceOptions): Promise<RunningService> {
  const { host, port, trustedProxies, metricsPort, ...rest } = options
  // Before anything is opened: no job runs in a process that cannot listen.
  await requireFreePort(host, port, PORT)
  if (metricsPort !== undefined) await requireFreePort(host, metricsPort, METRICS_PORT)
  const apiOptions = metricsPort === undefined ? rest : { ...rest, metrics: { ...rest.metrics, isApart: true } }
  let metricsServer: Served | null = null
  try {
    // First, so that what runs is recorded from the first on.
    const api = await createApi(app, apiOptions)
    await app.start()
    if (metricsPort !== undefined) metricsServer = await serve(api.operations, { hostname: host, port: metricsPort })
    const served = await serve(api, { hostname: host, port, trustedProxies, isLoopbackOnly: api.isDev })
    return {
      url: served.url,
      dashboardUrl: api.hasDashboard ? `${served.url}/jobs/` : null,
      service: api.service,
      metricsUrl: metricsServer?.url ?? null,
      stop: async () => {
        await served.close()
        await metricsServer?.close()
        await app.stop()
      },
    }
  } catch (error) {
    await metricsServer?.close()
    await app.stop()
    // Somebody was faster.
    const { port: taken = port } = (error ?? {}) as { readonly port?: number }
    throw portError(error, host, taken, taken === metricsPort ? METRICS_PORT : PORT)
  }
}
