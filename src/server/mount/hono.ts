import type { IncomingMessage } from 'node:http'
import type { App } from '../app-options.ts'
import { type WebMountOptions, webHandler } from './web-handler.ts'

/** What of Hono's context is used. */
interface HonoContext {
  readonly req: { readonly raw: Request }
  readonly env: unknown
}

/** What Hono takes as a middleware. */
export type HonoMiddleware = (context: HonoContext, next: () => Promise<void>) => Promise<Response | undefined>

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
