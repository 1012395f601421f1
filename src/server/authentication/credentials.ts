import { UnauthenticatedError } from '../../access/errors.ts'
import { isApiKeyText } from '../../service/secret.ts'
import { RequestError } from '../request/request-error.ts'

/** What a request carries to show who asks. Never of its URL: that ends up in logs and histories. */
export type Credentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'token' | 'apiKey' | 'session'; readonly text: string }

const BEARER = /^bearer +([A-Za-z0-9._~+/=-]+)$/i
const NONE: Credentials = { kind: 'none' }

/**
 * The credentials of a request. A header rules over a cookie, which browsers send unasked; what cannot be read throws, and nothing else is tried in its place.
 */
export function credentialsOf(headers: Headers): Credentials {
  const authorization = headers.get('authorization')
  const apiKey = headers.get('x-api-key')
  if (authorization !== null && apiKey !== null) throw notAccepted('two')
  if (apiKey !== null) {
    if (!isApiKeyText(apiKey)) throw notAccepted()
    return { kind: 'apiKey', text: apiKey }
  }
  if (authorization === null) {
    const cookie = sessionCookie(headers)
    return cookie === null ? NONE : { kind: 'session', text: cookie }
  }
  const text = BEARER.exec(authorization)?.[1]
  if (text === undefined) throw notAccepted('form')
  return { kind: isApiKeyText(text) ? 'apiKey' : 'token', text }
}

/** The prefix makes browsers refuse it without Secure, with a Domain, or with another path: no other host can plant it. */
const NAME = '__Host-pontual'

const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax'

/** Who signs tokens cannot be reached, so nobody can say whether one holds. */
export class IdentityUnavailableError extends RequestError {
  constructor(cause?: unknown) {
    const message = 'The keys that tokens are checked against cannot be read right now. Try again shortly.'
    super(503, 'unavailable', message, { headers: { 'retry-after': '5' }, details: { case: 'keys' } })
    this.cause = cause
  }
}

const REASONS = {
  invalid: 'The credentials are not valid.',
  two: 'Send either Authorization or X-Api-Key.',
  form: 'Authorization must be: Bearer, a space, and a token or an API key.',
  expired: 'The token has expired.',
  ended: 'The session has ended.',
} as const

/** Credentials that do not hold. Says no more than that: a reason helps who guesses. */
export function notAccepted(why: keyof typeof REASONS = 'invalid'): UnauthenticatedError {
  return new UnauthenticatedError('unauthenticated', REASONS[why], { case: why })
}

/** What the session cookie of a request holds; null where there is none. */
export function sessionCookie(headers: Headers): string | null {
  const values = (headers.get('cookie') ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${NAME}=`))
    .map((pair) => pair.slice(NAME.length + 1))
  // A browser sends one; of several nobody knows whose they are.
  return values.length === 1 ? (values[0] ?? null) : null
}

export function setSessionCookie(secret: string, maxAgeSeconds: number): string {
  return `${NAME}=${secret}; ${ATTRIBUTES}; Max-Age=${Math.max(0, Math.floor(maxAgeSeconds))}`
}

export const CLEAR_SESSION_COOKIE = `${NAME}=; ${ATTRIBUTES}; Max-Age=0`
