import type { IncomingMessage, ServerResponse } from 'node:http'
import type { App } from '../app-options.ts'
import { DEPTH_LIMIT } from '../request/json-text.ts'
import { prefixOf, rootsOf, splitUrl } from './api-path.ts'
import { arrivalListener } from './arrival-listener.ts'

/** What Express adds to a request. */
interface ExpressRequest extends IncomingMessage {
  readonly originalUrl: string
  readonly baseUrl: string
  /** By Express's own `trust proxy`. */
  readonly ip?: string | undefined
  readonly body?: unknown
}

/** What Express takes as a middleware. */
export type ExpressHandler = (
  request: ExpressRequest,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void

/**
 * A handler for Express: `server.use(expressHandler(api))`, at the root or under a prefix. What is not the API's goes on to the next.
 *
 * It works behind `express.json()` too. Then Express has read the body: its limit rules, and of a key that is there twice the last is taken.
 */
export function expressHandler(app: App): ExpressHandler {
  const answer = arrivalListener(app)
  const roots = rootsOf(app)
  return (request, response, next) => {
    const prefix = prefixOf(request.baseUrl)
    const url = splitUrl(request.originalUrl, prefix, roots)
    if (url === null) return next()
    giveBackBody(request)
    void answer(request, response, { url, prefix, address: request.ip ?? null })
  }
}

/** A body that was read before us is written again: the stream has nothing more to give. */
function giveBackBody(request: ExpressRequest & { rawBody?: unknown }): void {
  const { body } = request
  if (!request.readableDidRead || request.rawBody instanceof Buffer || body === undefined) return
  if (body instanceof Buffer) request.rawBody = body
  else request.rawBody = Buffer.from(typeof body === 'string' ? body : written(body))
}

/** Refused in the same way as what is too deep to be written. */
const TOO_DEEP = '['.repeat(DEPTH_LIMIT + 1)

function written(body: unknown): string {
  try {
    // JSON has no word for a number that was too large to be read, and would say null: so it is one that is too large again.
    return JSON.stringify(body, (_key, value: unknown) => (value === Infinity || value === -Infinity ? 1e308 : value))
  } catch {
    return TOO_DEEP
  }
}
