import { UnauthenticatedError } from '../../access/errors.ts'
import type { Principal } from '../../access/principal.ts'
import { type Env, systemEnv } from '../../clock.ts'
import { InvalidInputError, quote } from '../../errors.ts'
import { type Logger, silentLogger } from '../../logger.ts'
import type { CredentialStore } from '../../store/credentials.ts'
import { ApiKeys } from './api-keys.ts'
import type { Authenticate, Connection, Sessions } from './authenticate.ts'
import { BrowserSessions } from './browser-sessions.ts'
import { credentialsOf, notAccepted } from './credentials.ts'
import { checkIdentityOptions, type Identified, type IdentityOptions, type Shown } from './identity-options.ts'
import { type OriginRules, refuseOtherSites, requireOwnPage } from './origin.ts'
import { devPrincipal, isFromThisMachine, isLoopbackHost, ownIdentity } from './principals.ts'
import { Tokens } from './tokens.ts'

export interface IdentitySurroundings {
  readonly credentials: CredentialStore
  readonly env?: Env | undefined
  readonly logger?: Logger | undefined
  /** Origins whose pages may ask from a browser: those that CORS allows. */
  readonly trustedOrigins?: readonly string[] | undefined
  /** Told of every request whose credentials do not hold; what it throws is answered instead. */
  readonly onRefused?: ((connection: Connection) => Promise<void> | void) | undefined
}

/** Who asks, by whatever way the options allow. */
export interface Identity {
  readonly authenticate: Authenticate
  readonly sessions: Sessions
  /** Whether somebody without credentials may be Admin: such a server is for this machine only. */
  readonly isDev: boolean
}

const NO_WAY_IN =
  'Nobody could show who he is: set PONTUAL_JWT_SECRET (make one with: openssl rand -base64 48), or PONTUAL_JWKS_URL with issuer and audience; in code give ' +
  'jwt, authenticate or apiKeys: true. For development on this machine only: dev: true, or pontual dev.'

/** Throws where nobody could show who he is, or where a secret is one that can be guessed: to be known before a store is opened, and perhaps migrated. */
export function checkIdentity(options: IdentityOptions): void {
  checkIdentityOptions(options)
  const { jwt, dev = false, sessions } = options
  if (!jwt && !options.authenticate && options.apiKeys !== true && dev === false) {
    throw new InvalidInputError('identity.missing', NO_WAY_IN)
  }
  if (jwt) void new Tokens(jwt, { env: systemEnv, logger: silentLogger })
  checkOrigin(sessions?.publicOrigin)
}

/** Puts the ways together in which people show who they are; throws where there is none. */
export function createIdentity(options: IdentityOptions, around: IdentitySurroundings): Identity {
  checkIdentity(options)
  return new Ways(options, around)
}

class Ways implements Identity {
  readonly isDev: boolean
  readonly sessions: BrowserSessions
  readonly #options: IdentityOptions
  readonly #around: IdentitySurroundings
  readonly #tokens: Tokens | null
  readonly #apiKeys: ApiKeys | null
  readonly #dev: Identified | null
  readonly #origins: OriginRules
  readonly #shown = new WeakMap<Principal, Shown>()

  constructor(options: IdentityOptions, around: IdentitySurroundings) {
    const { env = systemEnv, logger = silentLogger, credentials } = around
    const { dev = false } = options
    this.#options = options
    this.#around = around
    this.#tokens = options.jwt ? new Tokens(options.jwt, { env, logger }) : null
    this.#apiKeys = options.apiKeys === false ? null : new ApiKeys({ credentials, env, logger })
    this.isDev = dev !== false
    this.#dev = dev === false ? null : { principal: devPrincipal(dev), source: 'dev', keyId: null, expiresAt: null }
    this.#origins = {
      publicOrigin: checkOrigin(options.sessions?.publicOrigin),
      trustedOrigins: around.trustedOrigins ?? [],
    }
    this.sessions = new BrowserSessions({
      credentials,
      env,
      origins: this.#origins,
      lifetimeMs: options.sessions?.lifetimeMs,
      isDev: this.isDev,
      shownBy: (principal) => this.#shown.get(principal) ?? { source: principal.source, keyId: null, expiresAt: null },
    })
    if (this.#dev) {
      logger.warn('Development: whoever asks from this machine is Admin, without a token. Not for production.', {
        tenant: this.#dev.principal.tenant,
      })
    }
  }

  readonly authenticate: Authenticate = async (request, connection) => {
    try {
      const identified = await this.#identify(request, connection)
      if (identified === null) return null
      const { principal } = identified
      if (this.#options.admit && !(await this.#options.admit(principal))) throw notAccepted()
      this.#shown.set(principal, identified)
      return principal
    } catch (error) {
      if (error instanceof UnauthenticatedError) await this.#around.onRefused?.(connection)
      throw error
    }
  }

  async #identify(request: Request, connection: Connection): Promise<Identified | null> {
    const { authenticate } = this.#options
    const own = authenticate ? await ownIdentity(authenticate, request) : null
    if (own !== null) {
      refuseOtherSites(request, this.#origins)
      return own
    }
    const credentials = credentialsOf(request.headers)
    switch (credentials.kind) {
      case 'token':
        if (this.#tokens === null) throw notAccepted()
        return await this.#tokens.identify(credentials.text)
      case 'apiKey':
        if (this.#apiKeys === null) throw notAccepted()
        return await this.#apiKeys.identify(credentials.text)
      case 'session':
        return await this.#browser(credentials.text, request, connection)
      case 'none':
        return this.#developer(request, connection)
    }
  }

  async #browser(secret: string, request: Request, connection: Connection): Promise<Identified | null> {
    try {
      const identified = await this.sessions.identify(secret)
      requireOwnPage(request, this.#origins)
      return identified
    } catch (error) {
      // A store that begins anew with every start leaves cookies of sessions behind that it has never heard of.
      if (this.#dev !== null && error instanceof UnauthenticatedError) return this.#developer(request, connection)
      throw error
    }
  }

  #developer(request: Request, connection: Connection): Identified | null {
    if (this.#dev === null || !isFromThisMachine(request, connection)) return null
    refuseOtherSites(request, this.#origins)
    return this.#dev
  }
}

function checkOrigin(text: string | undefined): string | null {
  if (text === undefined) return null
  // A browser keeps the cookie of a session over https, or on its own machine: elsewhere nobody could sign in.
  if (URL.canParse(text) && new URL(text).origin === text && isKeptAt(new URL(text))) return text
  throw new InvalidInputError(
    'identity.public_origin_invalid',
    `sessions.publicOrigin must be an origin of https such as "https://jobs.example.com", got ${quote(text)}.`,
  )
}

function isKeptAt({ protocol, host }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(host))
}
