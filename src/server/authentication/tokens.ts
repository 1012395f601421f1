import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import type { Env } from '../../clock.ts'
import { InvalidInputError, quote } from '../../errors.ts'
import type { Logger } from '../../logger.ts'
import { hashSecret } from '../../service/secret.ts'
import { IdentityUnavailableError, notAccepted } from './credentials.ts'
import type { Identified, JwtOptions } from './identity-options.ts'
import { principalOfClaims } from './principals.ts'
import { ShortMemory } from './short-memory.ts'
import { type TokenKeys, tokenKeys } from './token-keys.ts'

const LONGEST_TOKEN = 8_192
const MOST_SKEW_SECONDS = 60
/** The end of the year 9999: a later instant is no instant. */
const LAST_SECOND = 253_402_300_799

/** Checks tokens that somebody else has signed. */
export class Tokens {
  readonly #options: JwtOptions
  readonly #keys: TokenKeys
  readonly #env: Env
  readonly #skewSeconds: number
  readonly #memory: ShortMemory<Identified>

  constructor(options: JwtOptions, { env, logger }: { env: Env; logger: Logger }) {
    this.#options = options
    this.#env = env
    this.#keys = tokenKeys(options, env, logger)
    this.#skewSeconds = checkSkew(options.clockSkewSeconds ?? 30)
    this.#memory = new ShortMemory(env)
  }

  /** Who the token says that asks; throws where it does not hold. */
  async identify(token: string): Promise<Identified> {
    if (token.length > LONGEST_TOKEN) throw notAccepted()
    const identified = await this.#memory.find(hashSecret(token), () => this.#check(token))
    if (identified === null) throw notAccepted()
    if ((identified.expiresAt ?? 0) + this.#skewSeconds * 1_000 <= this.#env.now()) throw expired()
    return identified
  }

  async #check(token: string): Promise<Identified | null> {
    const claims = await this.#verify(token)
    if (claims === null || !this.#holds(claims)) return null
    const principal = principalOfClaims(claims, this.#options)
    if (principal === null) return null
    return { principal, source: 'jwt', keyId: null, expiresAt: (claims.exp ?? 0) * 1_000 }
  }

  /** Every key is tried, so that one secret can take another's place. */
  async #verify(token: string): Promise<JWTPayload | null> {
    for (const key of this.#keys.candidates) {
      try {
        return await this.#verifyWith(token, key)
      } catch (error) {
        if (error instanceof IdentityUnavailableError) throw error
        if (error instanceof errors.JWTExpired) throw expired()
      }
    }
    return null
  }

  async #verifyWith(token: string, key: Uint8Array | JWTVerifyGetKey): Promise<JWTPayload> {
    const { issuer, audience } = this.#options
    const options = {
      algorithms: [...this.#keys.algorithms],
      requiredClaims: ['exp'],
      clockTolerance: this.#skewSeconds,
      currentDate: new Date(this.#env.now()),
      ...(issuer === undefined ? {} : { issuer }),
      ...(audience === undefined ? {} : { audience }),
    }
    const { payload } = await (typeof key === 'function'
      ? jwtVerify(token, key, options)
      : jwtVerify(token, key, options))
    return payload
  }

  /** What the library leaves open: when it ends, whether it was signed in the future, and for how many it is. */
  #holds({ exp, iat, aud }: JWTPayload): boolean {
    if (exp === undefined || exp > LAST_SECOND) return false
    if (iat !== undefined && iat * 1_000 > this.#env.now() + this.#skewSeconds * 1_000) return false
    return !Array.isArray(aud) || this.#options.acceptsAudienceLists === true
  }
}

function expired() {
  return notAccepted('expired')
}

function checkSkew(seconds: number): number {
  if (Number.isFinite(seconds) && seconds >= 0 && seconds <= MOST_SKEW_SECONDS) return seconds
  const message = `jwt.clockSkewSeconds must be 0-${MOST_SKEW_SECONDS}, got ${quote(seconds)}.`
  throw new InvalidInputError('identity.clock_skew_invalid', message)
}
