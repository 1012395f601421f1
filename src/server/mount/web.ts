import type { IncomingMessage } from 'node:http'
import { type Env, systemEnv } from '../../clock.ts'
import type { App } from '../app-options.ts'
import { peerAddress, prefixOf, rootsOf, splitUrl, underPrefix } from './api-path.ts'
import { refusalResponse } from './refusal.ts'

/** Where the API is mounted. */
export interface WebMountOptions {
  /** What stands before `/api` and `/jobs` in every URL, such as `/ops`. Default: nothing. */
  readonly prefix?: string | undefined
  /** How many proxies of your own stand in front, each of which adds to X-Forwarded-For. Default: none, and the header is not believed. */
  readonly trustedProxies?: number | undefined
}

/** Answers a web request; null where it is not for the API. */
type WebHandler = (request: Request, socketAddress: string | null) => Promise<Response | null>

/** For everything that hands over requests as the web knows them. */
function webHandler(app: App, { prefix: at = '', trustedProxies = 0 }: WebMountOptions): WebHandler {
  const prefix = prefixOf(at)
  const roots = rootsOf(app)
  return async (request, socketAddress) => {
    const { origin, pathname, search } = new URL(request.url)
    const url = splitUrl(pathname + search, prefix, roots)
    if (url === null) return null
    const address = peerAddress(socketAddress, request.headers.get('x-forwarded-for'), trustedProxies)
    const asked = prefix === '' ? request : moved(request, origin + url)
    return underPrefix(await app.fetch(asked, { address }), prefix)
  }
}

/** Field by field: what a framework calls a request need not be one that can be copied. */
function moved(request: Request, url: string): Request {
  const { method, headers, body, signal } = request
  return new Request(
    url,
    body === null ? { method, headers, signal } : { method, headers, signal, body, duplex: 'half' },
  )
}

/** What Hono takes as a middleware. */
export type HonoMiddleware = (context: HonoContext, next: () => Promise<void>) => Promise<Response | undefined>

/** What of Hono's context is used. */
interface HonoContext {
  readonly req: { readonly raw: Request }
  readonly env: unknown
}

/** A middleware for Hono: `server.use(honoMiddleware(api))`. What is not the API's goes on to the next. */
export function honoMiddleware(app: App, options: WebMountOptions = {}): HonoMiddleware {
  const answer = webHandler(app, options)
  return async (context, next) => {
    const answered = await answer(context.req.raw, socketAddress(context.env))
    if (answered !== null) return answered
    await next()
    return undefined
  }
}

/** On Node the adapter of Hono hands over what it was given. */
function socketAddress(env: unknown): string | null {
  const { incoming } = (env ?? {}) as { incoming?: IncomingMessage }
  return incoming?.socket?.remoteAddress ?? null
}

/** Where the API is mounted in a Next application. */
export interface NextMountOptions extends WebMountOptions {
  readonly env?: Env | undefined
}

type RouteHandler = (request: Request) => Promise<Response>

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

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
