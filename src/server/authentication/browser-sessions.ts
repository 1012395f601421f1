import type { Principal } from '../../access/principal.ts'
import { type Env, newSecret } from '../../clock.ts'
import { HOUR_MS } from '../../duration.ts'
import { InvalidInputError, quote } from '../../errors.ts'
import { hashSecret } from '../../service/secret.ts'
import type { CredentialStore, Session } from '../../store/credentials.ts'
import type { OpenedSession, Sessions } from './authenticate.ts'
import { CLEAR_SESSION_COOKIE, notAccepted, sessionCookie, setSessionCookie } from './credentials.ts'
import type { Identified, Shown } from './identity-options.ts'
import { type OriginRules, refuseOtherSites } from './origin.ts'
import { narrowed } from './principals.ts'

const LIFETIME_MS = 12 * HOUR_MS
const LONGEST_LIFETIME_MS = 30 * 24 * HOUR_MS
const SECRET = /^[A-Za-z0-9_-]{43}$/

export interface SessionSurroundings {
  readonly credentials: CredentialStore
  readonly env: Env
  readonly lifetimeMs: number | undefined
  readonly origins: OriginRules
  /** Whether sessions that were given for development count. */
  readonly isDev: boolean
  /** What the principal of the current request has shown. */
  shownBy(principal: Principal): Shown
}

/** Sessions of browsers, kept in the store: what is ended there is over everywhere at once. */
export class BrowserSessions implements Sessions {
  readonly isDev: boolean
  readonly #around: SessionSurroundings
  readonly #lifetimeMs: number

  constructor(around: SessionSurroundings) {
    this.isDev = around.isDev
    this.#around = around
    this.#lifetimeMs = checkLifetime(around.lifetimeMs ?? LIFETIME_MS)
  }

  /** Always a new secret, and the end of the session that the browser had: what somebody else has planted or seen is worth nothing. */
  async open(request: Request, principal: Principal): Promise<OpenedSession> {
    const { credentials, env, origins } = this.#around
    // Nobody else may put somebody into a session of his choosing.
    refuseOtherSites(request, origins)
    const { source, keyId, expiresAt: end } = this.#around.shownBy(principal)
    const now = env.now()
    const expiresAt = Math.min(now + this.#lifetimeMs, end ?? Number.POSITIVE_INFINITY)
    const secret = newSecret()
    await credentials.addSession({
      secretHash: hashSecret(secret),
      tenant: principal.tenant,
      userId: principal.userId,
      ownerId: principal.ownerId,
      profile: principal.profile,
      permissions: [...principal.permissions],
      source,
      keyId,
      expiresAt,
    })
    await this.#end(request)
    return { setCookie: setSessionCookie(secret, (expiresAt - now) / 1_000), expiresAt }
  }

  async close(request: Request): Promise<string> {
    await this.#end(request)
    return CLEAR_SESSION_COOKIE
  }

  /** Whose session it is; throws where it does not hold. */
  async identify(secret: string): Promise<Identified> {
    if (!SECRET.test(secret)) throw notAccepted()
    const session = await this.#around.credentials.findSession(hashSecret(secret))
    if (session === null || session.expiresAt <= this.#around.env.now()) throw notAccepted('ended')
    if (session.source === 'dev' && !this.#around.isDev) throw notAccepted('ended')
    return identifiedBy(session)
  }

  async #end(request: Request): Promise<void> {
    const secret = sessionCookie(request.headers)
    if (secret !== null) await this.#around.credentials.removeSessions([hashSecret(secret)])
  }
}

function identifiedBy(session: Session): Identified {
  return {
    principal: {
      tenant: session.tenant,
      userId: session.userId,
      ownerId: session.ownerId,
      profile: session.profile,
      permissions: narrowed(session.profile, session.permissions),
      source: 'session',
    },
    source: session.source,
    keyId: session.keyId,
    expiresAt: session.expiresAt,
  }
}

function checkLifetime(lifetimeMs: number): number {
  if (Number.isSafeInteger(lifetimeMs) && lifetimeMs > 0 && lifetimeMs <= LONGEST_LIFETIME_MS) return lifetimeMs
  const message = `sessions.lifetimeMs must be whole milliseconds, up to 30 days, got ${quote(lifetimeMs)}.`
  throw new InvalidInputError('identity.session_lifetime_invalid', message)
}
