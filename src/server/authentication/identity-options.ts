import type { JWK } from 'jose'
import type { Permission } from '../../access/permission.ts'
import type { Principal, PrincipalSource } from '../../access/principal.ts'
import { PROFILES, type Profile } from '../../access/profile.ts'
import { requireName } from '../../job/name.ts'
import { requireOneOf, requireOptions, requireText } from '../../time/require.ts'

/** How people show who they are. At least one way is needed: there is no default secret. */
export interface IdentityOptions {
  /** Tokens that somebody else signs. */
  readonly jwt?: JwtOptions | undefined
  /** Whether API keys are taken. Default: yes; on its own it has to be said. */
  readonly apiKeys?: boolean | undefined
  /** Your own way, asked first, with the request but for its body; null: not known to you, so the other ways are tried. */
  readonly authenticate?: ((request: Request) => Promise<OwnIdentity | null> | OwnIdentity | null) | undefined
  /**
   * The last word about everybody who has shown who he is, asked with every request: false for a user whom you have removed or demoted since his token was
   * signed.
   */
  readonly admit?: ((principal: Principal) => Promise<boolean> | boolean) | undefined
  /** How long sessions of browsers last, and where. */
  readonly sessions?: SessionOptions | undefined
  /** For development: whoever asks from this machine without credentials is Admin. Never behind a proxy. */
  readonly dev?: boolean | DevOptions | undefined
}

/** Who somebody is by your own `authenticate`. */
export interface OwnIdentity {
  readonly tenant: string
  readonly userId: string
  readonly profile: Profile
  /** Default: those of the profile. Never more than those. */
  readonly permissions?: readonly Permission[] | undefined
}

/** One of `secret`, `jwksUrl` and `keys`. */
export interface JwtOptions {
  /** For HS256: at least 32 bytes that nobody can guess. Several while one takes another's place. */
  readonly secret?: string | readonly string[] | undefined
  /** Where the issuer publishes its public keys, over https. Then `issuer` and `audience` are needed. */
  readonly jwksUrl?: string | undefined
  /** Public keys. */
  readonly keys?: readonly JWK[] | undefined
  /** The only algorithms that are taken. Default: HS256 for a secret, RS256 and ES256 for public keys. */
  readonly algorithms?: readonly string[] | undefined
  /** What `iss` has to be. */
  readonly issuer?: string | undefined
  /** What `aud` has to be. */
  readonly audience?: string | undefined
  /** Takes tokens for several audiences too, if this one is among them. Default: no. */
  readonly acceptsAudienceLists?: boolean | undefined
  /** How far clocks may differ, up to 60. Default: 30. */
  readonly clockSkewSeconds?: number | undefined
  /** Which claims tell tenant, user, profile and permissions. */
  readonly claims?: ClaimNames | undefined
  /** The tenant of everybody, where tokens do not name one; then no claim is read for it. */
  readonly tenant?: string | undefined
  /** Which profile a value of the profile claim stands for. Default: its own name. */
  readonly profiles?: Readonly<Record<string, Profile>> | undefined
}

/** The name of a claim, or the way to it: `['realm_access', 'roles']`. */
export type ClaimName = string | readonly string[]

/** Which claims of a token tell what. */
export interface ClaimNames {
  /** Default `clienteId`. */
  readonly tenant?: ClaimName | undefined
  /** Default `sub`. */
  readonly user?: ClaimName | undefined
  /** One value or several, of which the one that allows most counts. Default `profile`. */
  readonly profile?: ClaimName | undefined
  /** A list, or names with spaces between them, that narrows what the profile allows. Default `permissions`. */
  readonly permissions?: ClaimName | undefined
}

/** Sessions that browsers exchange tokens and keys for. */
export interface SessionOptions {
  /** How long a session lasts; never longer than the token it was exchanged for. Default: 12 hours. */
  readonly lifetimeMs?: number | undefined
  /** The origin under which browsers see this server, such as `https://jobs.example.com`. Default: the one the request names, over https. */
  readonly publicOrigin?: string | undefined
}

/** Who everybody on this machine is, during development. */
export interface DevOptions {
  /** Default `default`. */
  readonly tenant?: string | undefined
  /** Default `dev`. */
  readonly userId?: string | undefined
}

/** Throws where an option is not what it should be: one that is misspelt would leave a door open. */
export function checkIdentityOptions(options: IdentityOptions): void {
  requireOptions(options, 'identity', ['jwt', 'apiKeys', 'authenticate', 'admit', 'sessions', 'dev'])
  if (options.jwt !== undefined) checkJwt(options.jwt)
  if (options.sessions !== undefined) requireOptions(options.sessions, 'sessions', ['lifetimeMs', 'publicOrigin'])
  if (typeof options.dev === 'object') requireOptions(options.dev, 'dev', ['tenant', 'userId'])
}

function checkJwt(jwt: JwtOptions): void {
  requireOptions(jwt, 'jwt', [
    'secret',
    'jwksUrl',
    'keys',
    'algorithms',
    'issuer',
    'audience',
    'acceptsAudienceLists',
    'clockSkewSeconds',
    'claims',
    'tenant',
    'profiles',
  ])
  if (jwt.issuer !== undefined) requireText(jwt.issuer, 'jwt.issuer')
  if (jwt.audience !== undefined) requireText(jwt.audience, 'jwt.audience')
  if (jwt.tenant !== undefined) requireName(jwt.tenant, 'jwt.tenant')
  for (const [name, profile] of Object.entries(jwt.profiles ?? {})) {
    requireOneOf(profile, `jwt.profiles.${name}`, PROFILES)
  }
  if (jwt.claims === undefined) return
  requireOptions(jwt.claims, 'jwt.claims', ['tenant', 'user', 'profile', 'permissions'])
  for (const [name, claim] of Object.entries(jwt.claims)) {
    if (claim !== undefined) checkClaim(claim as ClaimName, `jwt.claims.${name}`)
  }
}

function checkClaim(claim: ClaimName, name: string): void {
  for (const step of typeof claim === 'string' ? [claim] : claim) requireText(step, name)
}

/** By what somebody has shown who he is: a session may outlive neither. */
export interface Shown {
  readonly source: PrincipalSource
  readonly keyId: string | null
  /** null: for as long as he likes. */
  readonly expiresAt: number | null
}

/** A principal with what it rests on. */
export interface Identified extends Shown {
  readonly principal: Principal
}
