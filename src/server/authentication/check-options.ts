import { PROFILES } from '../../access/profile.ts'
import { requireName } from '../../job/name.ts'
import { requireOneOf, requireOptions, requireText } from '../../time/require.ts'
import type { ClaimName, IdentityOptions, JwtOptions } from './identity-options.ts'

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
