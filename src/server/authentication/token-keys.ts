import { createLocalJWKSet, createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose'
import type { Clock } from '../../clock.ts'
import { InvalidInputError, quote } from '../../errors.ts'
import type { Logger } from '../../logger.ts'
import { IdentityUnavailableError } from './credentials.ts'
import type { JwtOptions } from './identity-options.ts'
import { isLoopbackHost } from './principals.ts'

/** What signatures are checked against: one of several keys, or whatever the issuer publishes. */
export interface TokenKeys {
  readonly algorithms: readonly string[]
  readonly candidates: readonly (Uint8Array | JWTVerifyGetKey)[]
}

const SECRET_BYTES = 32
/** Fewer than these and it was typed, not drawn. */
const SECRET_CHARACTERS = 8
const OF_SECRETS = ['HS256', 'HS384', 'HS512']
const OF_PUBLIC_KEYS = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ')
const MAKE_ONE = 'Make one with: openssl rand -base64 48'
/** How long a server that failed is left alone: tokens must not make us knock at it a thousand times a second. */
const RESPITE_MS = 5_000

/** The keys of the options; throws where they are missing, weak, or more than one kind. */
export function tokenKeys(options: JwtOptions, clock: Clock, logger: Logger): TokenKeys {
  const given = (['secret', 'jwksUrl', 'keys'] as const).filter((name) => options[name] !== undefined)
  if (given.length !== 1) {
    throw new InvalidInputError(
      'identity.jwt_key_invalid',
      `jwt needs one of secret, jwksUrl and keys, got ${given.length === 0 ? 'none' : given.join(' and ')}. ${MAKE_ONE}`,
    )
  }
  if (options.secret !== undefined) {
    const secrets = typeof options.secret === 'string' ? [options.secret] : options.secret
    if (secrets.length === 0) throw weakSecret()
    return { algorithms: algorithmsOf(options, OF_SECRETS, ['HS256']), candidates: secrets.map(secretBytes) }
  }
  if (options.issuer === undefined || options.audience === undefined) {
    throw new InvalidInputError(
      'identity.jwt_audience_missing',
      'jwt with public keys needs issuer and audience: else a token that was made for another application would be taken.',
    )
  }
  const algorithms = algorithmsOf(options, OF_PUBLIC_KEYS, ['RS256', 'ES256'])
  if (options.keys !== undefined) return { algorithms, candidates: [createLocalJWKSet({ keys: [...options.keys] })] }
  return { algorithms, candidates: [publishedKeys(options.jwksUrl ?? '', clock, logger)] }
}

function algorithmsOf(options: JwtOptions, allowed: readonly string[], byDefault: readonly string[]) {
  const algorithms = options.algorithms ?? byDefault
  const wrong = algorithms.find((algorithm) => !allowed.includes(algorithm))
  if (wrong === undefined && algorithms.length > 0) return algorithms
  throw new InvalidInputError(
    'identity.jwt_algorithm_invalid',
    `jwt.algorithms must be of ${allowed.join(', ')} for this kind of key, got ${quote(wrong)}.`,
  )
}

function secretBytes(secret: unknown): Uint8Array {
  const bytes = new TextEncoder().encode(typeof secret === 'string' ? secret : '')
  if (bytes.length < SECRET_BYTES || new Set(bytes).size < SECRET_CHARACTERS) throw weakSecret()
  return bytes
}

/** Says nothing of what was received: it may be most of a secret. */
function weakSecret(): InvalidInputError {
  const message = `jwt.secret must be at least ${SECRET_BYTES} bytes that nobody can guess. ${MAKE_ONE}`
  return new InvalidInputError('identity.jwt_secret_weak', message)
}

function publishedKeys(text: string, clock: Clock, logger: Logger): JWTVerifyGetKey {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.host)))) {
    throw new InvalidInputError('identity.jwks_url_invalid', `jwt.jwksUrl must be an https URL, got ${quote(text)}.`)
  }
  const keyOf = createRemoteJWKSet(url, { timeoutDuration: 5_000, cooldownDuration: 30_000 })
  let failedAt = Number.NEGATIVE_INFINITY
  return async (header, token) => {
    if (clock.now() - failedAt < RESPITE_MS) throw new IdentityUnavailableError()
    try {
      return await keyOf(header, token)
    } catch (error) {
      if (isAboutToken(error)) throw error
      failedAt = clock.now()
      logger.error('The keys that tokens are checked against cannot be read', { url: url.href, error })
      throw new IdentityUnavailableError(error)
    }
  }
}

/** Whether there are keys, and none of them is the token's. */
function isAboutToken(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys ||
    error instanceof errors.JOSENotSupported
  )
}
