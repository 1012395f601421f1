import type { Pontual } from '../pontual.ts'
import type { ServiceApi } from '../service/api.ts'
import type { ServiceOptions } from '../service/options.ts'
import { createService } from '../service/service.ts'
import { createApp } from './app.ts'
import type { App } from './app-options.ts'
import { createIdentity } from './authentication/identity.ts'
import type { IdentityOptions } from './authentication/identity-options.ts'
import { type CorsOptions, withCors } from './cors.ts'
import { type LimitOptions, RequestLimits } from './limits/request-limits.ts'

export interface ApiOptions {
  /** How people show who they are. */
  readonly identity: IdentityOptions
  readonly service?: ServiceOptions | undefined
  /** Which other origins' pages may ask. Default: none. */
  readonly cors?: CorsOptions | undefined
  /** How many requests a minute are taken. */
  readonly limits?: LimitOptions | undefined
  /** What stands before `/api` in the URLs that clients use, such as `/ops`: the API's description names it. Default: nothing. */
  readonly prefix?: string | undefined
  /** How many streams a tenant may have open at once. Default: 50. */
  readonly streamsPerTenant?: number | undefined
}

/** The API of an application: to be served, or mounted in a server of one's own. */
export interface Api extends App {
  /** Ends streams, lets requests finish that are under way, and then answers nobody any more. */
  close(): void
  /** The same without HTTP. */
  readonly service: ServiceApi
  /** Whether somebody without credentials may be Admin: such an API is for this machine only. */
  readonly isDev: boolean
}

/**
 * Puts the API of an application together.
 *
 * ```ts
 * const api = await createApi(app, { identity: { jwt: { secret: process.env.PONTUAL_JWT_SECRET } } })
 * const { url, close } = await serve(api, { port: 3000 })
 * ```
 */
export async function createApi(app: Pontual, options: ApiOptions): Promise<Api> {
  const { store, around } = await app.opened()
  const { env, logger } = around
  const limiter = new RequestLimits(options.limits, env)
  const identity = createIdentity(options.identity, {
    credentials: store.credentials,
    env,
    logger,
    trustedOrigins: options.cors?.origins,
    onRefused: (connection) => limiter.refused(connection),
  })
  const service = createService(app, options.service)
  // Before anything is run or asked: what happens from here on is recorded.
  await service.ready()
  const { authenticate, sessions, isDev } = identity
  const { streamsPerTenant, prefix } = options
  const served = withCors(
    createApp({
      service,
      authenticate,
      sessions,
      limiter,
      requests: store.requests,
      env,
      logger,
      streamsPerTenant,
      prefix,
    }),
    options.cors ?? {},
  )
  let underWay = 0
  let isClosing = false
  const closeOnceQuiet = () => {
    if (isClosing && underWay === 0) service.close()
  }
  return {
    service,
    isDev,
    async fetch(request, connection) {
      underWay += 1
      try {
        return await served.fetch(request, connection)
      } finally {
        underWay -= 1
        closeOnceQuiet()
      }
    },
    close: () => {
      isClosing = true
      served.close()
      closeOnceQuiet()
    },
  }
}
