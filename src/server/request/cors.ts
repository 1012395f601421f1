import { InvalidInputError, quote } from '../../errors.ts'
import { requireOptions } from '../../time/require.ts'
import type { App } from '../app-options.ts'
import { ALWAYS_HEADERS } from '../response/problem.ts'

/** Which pages of other origins may ask. */
export interface CorsOptions {
  /** Origins whose pages may ask: `https://portal.example.com`. Default: none but our own. */
  readonly origins?: readonly string[] | undefined
}

const METHODS = 'GET, HEAD, POST, PUT, DELETE'
const REQUEST_HEADERS =
  'authorization, content-type, idempotency-key, if-match, if-none-match, last-event-id, traceparent, x-api-key'
const EXPOSED = 'etag, location, ratelimit, ratelimit-policy, retry-after, traceparent'
const PREFLIGHT_SECONDS = '600'

/**
 * Lets pages of the listed origins ask, with a token or a key that they send themselves. Cookies of ours are never for them, so credentials are not allowed;
 * nobody else gets a header, and `*` and `null` are not origins.
 */
export function withCors(app: App, options: CorsOptions): App {
  const { origins = [] } = requireOptions(options, 'cors', ['origins'])
  const allowed = new Set(origins.map(requireOrigin))
  if (allowed.size === 0) return app
  return {
    hasDashboard: app.hasDashboard,
    close: () => app.close(),
    async fetch(request, connection) {
      const origin = request.headers.get('origin')
      const isAllowed = origin !== null && allowed.has(origin)
      if (isAllowed && isPreflight(request)) return preflight(origin)
      const answer = await app.fetch(request, connection)
      answer.headers.append('vary', 'Origin')
      if (isAllowed) {
        answer.headers.set('access-control-allow-origin', origin)
        answer.headers.set('access-control-expose-headers', EXPOSED)
      }
      return answer
    },
  }
}

function isPreflight({ method, headers }: Request): boolean {
  return method === 'OPTIONS' && headers.has('access-control-request-method')
}

function preflight(origin: string): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...ALWAYS_HEADERS,
      'access-control-allow-origin': origin,
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': REQUEST_HEADERS,
      'access-control-max-age': PREFLIGHT_SECONDS,
      vary: 'Origin',
    },
  })
}

function requireOrigin(text: string): string {
  if (URL.canParse(text) && new URL(text).origin === text && text !== 'null') return text
  const message = `cors.origins must be origins such as "https://portal.example.com", got ${quote(text)}.`
  throw new InvalidInputError('cors.origin_invalid', message)
}
