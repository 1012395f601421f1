import { InvalidInputError } from '../errors.ts'
import type { Pontual } from '../pontual.ts'
import { type ApiOptions, createApi } from '../server/create-api.ts'
import { serve } from '../server/mount/serve.ts'

/** Of jobs that have none of their own. */
export const SERVICE_TIMEOUT = '30m'

export interface RunServiceOptions extends ApiOptions {
  readonly host: string
  readonly port: number
  readonly trustedProxies?: number | undefined
}

export interface RunningService {
  readonly url: string
  /** Lets requests and running work finish, then closes the store. */
  stop(): Promise<void>
}

/** A node with its API: jobs run and are asked about until it is stopped. */
export async function runService(app: Pontual, options: RunServiceOptions): Promise<RunningService> {
  const { host, port, trustedProxies, ...apiOptions } = options
  try {
    // First, so that what runs is recorded from the first on.
    const api = await createApi(app, apiOptions)
    await app.start()
    const served = await serve(api, { hostname: host, port, trustedProxies, isLoopbackOnly: api.isDev })
    return {
      url: served.url,
      stop: async () => {
        await served.close()
        await app.stop()
      },
    }
  } catch (error) {
    await app.stop()
    throw (error as NodeJS.ErrnoException | null)?.code === 'EADDRINUSE' ? portTaken(host, port) : error
  }
}

function portTaken(host: string, port: number): InvalidInputError {
  const message = `Port ${port} of ${host} is taken: end what listens there, or choose another with --port or PONTUAL_PORT.`
  return new InvalidInputError('serve.port_taken', message, { host, port })
}
