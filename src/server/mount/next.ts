import { type Env, systemEnv } from '../../clock.ts'
import type { App } from '../app-options.ts'
import { refusalResponse } from './refusal.ts'
import { type WebMountOptions, webHandler } from './web-handler.ts'

type RouteHandler = (request: Request) => Promise<Response>

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** Where the API is mounted in a Next application. */
export interface NextMountOptions extends WebMountOptions {
  readonly env?: Env | undefined
}

/**
 * Route handlers for Next, in `app/api/[...path]/route.ts`: `export const { GET, POST, PUT, DELETE, HEAD, PATCH, OPTIONS } = nextHandlers(api)`.
 * The same in `app/jobs/[[...path]]/route.ts` serves the dashboard, with `serverExternalPackages: ['pontual']` in the configuration, so that its files are found.
 * Next tells no address, so that limits by address need `trustedProxies`.
 */
export function nextHandlers(
  app: App | Promise<App>,
  options: NextMountOptions = {},
): Record<(typeof METHODS)[number], RouteHandler> {
  const { env = systemEnv } = options
  const handle: RouteHandler = async (request) => {
    const answer = webHandler(await app, options)
    return (await answer(request, null)) ?? refusalResponse(404, env)
  }
  return Object.fromEntries(METHODS.map((method) => [method, handle])) as Record<(typeof METHODS)[number], RouteHandler>
}
