/** The prefix makes browsers refuse it without Secure, with a Domain, or with another path: no other host can plant it. */
const NAME = '__Host-pontual'
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax'

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
