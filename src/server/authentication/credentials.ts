import { isApiKeyText } from '../../service/secret.ts'
import { sessionCookie } from './cookie.ts'
import { notAccepted } from './errors.ts'

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
