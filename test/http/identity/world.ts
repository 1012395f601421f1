import { SignJWT } from 'jose'
import type { Principal } from '../../../src/access/principal.ts'
import type { Env } from '../../../src/clock.ts'
import { silentLogger } from '../../../src/logger.ts'
import type { Connection } from '../../../src/server/authentication/authenticate.ts'
import {
  createIdentity,
  type Identity,
  type IdentitySurroundings,
} from '../../../src/server/authentication/identity.ts'
import type { IdentityOptions } from '../../../src/server/authentication/identity-options.ts'
import { apiKeyText, hashSecret } from '../../../src/service/secret.ts'
import type { CredentialStore, NewApiKey } from '../../../src/store/credentials.ts'
import { memory } from '../../../src/store/memory/memory.ts'
import { uuidFrom } from '../../../src/uuid.ts'

export const SECRET = 'an example of a secret of more than 32 bytes'
const START_AT = Date.UTC(2026, 2, 11, 12)
export const START_SECOND = START_AT / 1_000
export const ADDRESS: Connection = { address: '203.0.113.7' }
export const THIS_MACHINE: Connection = { address: '127.0.0.1' }

/** Who asks, with a clock that stands still. */
export class IdentityWorld {
  readonly credentials: CredentialStore
  /** How often a key was looked up. */
  lookups = 0
  #now = START_AT
  #keys = 0
  readonly env: Env

  static async open(): Promise<IdentityWorld> {
    let now = () => START_AT
    const env = standingEnv(() => now())
    const { credentials } = await memory().open({ env, logger: silentLogger })
    const world = new IdentityWorld(env, credentials)
    now = () => world.#now
    return world
  }

  private constructor(env: Env, credentials: CredentialStore) {
    this.env = env
    const findKey = credentials.findKey.bind(credentials)
    this.credentials = {
      ...credentials,
      findKey: (hash) => {
        this.lookups += 1
        return findKey(hash)
      },
    }
  }

  advance(byMs: number): void {
    this.#now += byMs
  }

  identity(options: IdentityOptions, around: Partial<IdentitySurroundings> = {}): Identity {
    return createIdentity(options, { credentials: this.credentials, env: this.env, logger: silentLogger, ...around })
  }

  /** Makes a key, and gives its text. */
  async key(change: Partial<NewApiKey> = {}): Promise<{ id: string; text: string }> {
    this.#keys += 1
    const id = change.id ?? `0198c0de-0000-7000-8000-${String(this.#keys).padStart(12, '0')}`
    const text = apiKeyText(id, 'x'.repeat(43))
    await this.credentials.addKey({
      id,
      tenant: 'acme',
      name: 'robot',
      secretHash: hashSecret(text),
      profile: 'Developer',
      permissions: ['jobs:read', 'jobs:execute'],
      ownerId: 'ana',
      expiresAt: null,
      ...change,
    })
    return { id, text }
  }
}

function standingEnv(now: () => number): Env {
  return {
    now,
    monotonic: now,
    after: () => () => {},
    every: () => () => {},
    nextTurn: (call) => void setImmediate(call),
    random: () => 0,
    uuid: uuidFrom(() => 0),
  }
}

export const CLAIMS = { sub: 'ana', clienteId: 'acme', profile: 'Developer', exp: START_SECOND + 3_600 }

/** A token of the secret; claims that are undefined are left out. */
export function token(claims: Record<string, unknown> = {}, secret: string = SECRET): Promise<string> {
  return new SignJWT({ ...CLAIMS, ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(secret))
}

export function ask(headers: Record<string, string> = {}, method = 'GET', path = '/api/jobs'): Request {
  return new Request(`https://jobs.example.com${path}`, { method, headers: { host: 'jobs.example.com', ...headers } })
}

/** What became of asking who asks: the person, nobody, or the code of the refusal. */
export async function outcome(answer: Promise<Principal | null>): Promise<string> {
  try {
    const principal = await answer
    return principal === null ? 'nobody' : `${principal.tenant}/${principal.userId}`
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error)
  }
}
