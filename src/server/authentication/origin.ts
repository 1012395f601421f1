import { ForbiddenError } from '../../access/errors.ts'
import { isLoopbackHost } from './principals.ts'

/** What a browser sends from another site only after asking us first: that a form or an image cannot send it is all it says. */
const CUSTOM_HEADER = 'x-pontual-request'
const HARMLESS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Which origins are our own. */
export interface OriginRules {
  /** Where browsers see this server; null: wherever the request says, over https. */
  readonly publicOrigin: string | null
  /** Origins of others whose pages may ask, with credentials that they have and send themselves. */
  readonly trustedOrigins: readonly string[]
}

/**
 * Throws unless a request by session cookie comes from our own pages. Browsers send a cookie whoever makes them ask, so to change something takes the origin
 * and a header that only our own pages can send.
 */
export function requireOwnPage(request: Request, rules: OriginRules): void {
  const { publicOrigin } = rules
  if (HARMLESS.has(request.method)) {
    refuseForeignRead(request, rules)
    return
  }
  if (request.headers.get(CUSTOM_HEADER) === null) {
    throw forged('header', 'A request by session that changes something needs the header X-Pontual-Request.')
  }
  if (!isOwnOrigin(request, request.headers.get('origin'), publicOrigin)) throw fromElsewhere()
}

/**
 * Throws where a browser says that another site makes it ask. For those whom a browser takes along without being told: a cookie of somebody else's, or an
 * address that is trusted.
 */
export function refuseOtherSites(request: Request, rules: OriginRules): void {
  const { publicOrigin, trustedOrigins } = rules
  if (HARMLESS.has(request.method)) {
    refuseForeignRead(request, rules)
    return
  }
  const origin = request.headers.get('origin')
  if (origin !== null && trustedOrigins.includes(origin)) return
  const site = request.headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin' && site !== 'none') throw fromElsewhere()
  if (origin !== null && !isOwnOrigin(request, origin, publicOrigin)) throw fromElsewhere()
}

/**
 * Throws if a page of another origin reads, for example by an EventSource: it sees no answer, but a stream that it opens occupies a place of the tenant. A link
 * that a person follows is no such read.
 */
function refuseForeignRead(request: Request, { publicOrigin, trustedOrigins }: OriginRules): void {
  const { headers } = request
  const origin = headers.get('origin')
  if (origin !== null && trustedOrigins.includes(origin)) return
  if (origin !== null && !isOwnOrigin(request, origin, publicOrigin)) throw fromElsewhere()
  const site = headers.get('sec-fetch-site')
  const isForeign = site === 'cross-site' || site === 'same-site'
  // A frame navigates too.
  const isLink =
    headers.get('sec-fetch-mode') === 'navigate' && (headers.get('sec-fetch-dest') ?? 'document') === 'document'
  if (isForeign && !isLink) throw fromElsewhere()
}

/** Without a configured origin the Host header rules: a browser that is tricked still names the host it asks. */
function isOwnOrigin(request: Request, origin: string | null, publicOrigin: string | null): boolean {
  if (origin === null || !URL.canParse(origin)) return false
  if (publicOrigin !== null) return origin === publicOrigin
  const { protocol, host } = new URL(origin)
  if (host !== hostOf(request)) return false
  return protocol === 'https:' || isLoopbackHost(host)
}

/** In the form that URL gives it, without a default port of either scheme. */
function hostOf(request: Request): string {
  const host = request.headers.get('host') ?? new URL(request.url).host
  return URL.canParse(`https://${host}`) ? new URL(`https://${host}`).host.replace(/:80$/, '') : ''
}

function fromElsewhere(): ForbiddenError {
  return forged(
    'origin',
    'The request comes from another origin. Pages are used over https, or http on this machine; behind a proxy that changes the host, sessions.publicOrigin (PONTUAL_PUBLIC_ORIGIN) says what browsers see.',
  )
}

function forged(why: 'header' | 'origin', message: string): ForbiddenError {
  return new ForbiddenError('csrf', message, { case: why })
}
