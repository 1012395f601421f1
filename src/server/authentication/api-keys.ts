import type { Env } from '../../clock.ts'
import type { Logger } from '../../logger.ts'
import { hashSecret } from '../../service/secret.ts'
import type { ApiKey, CredentialStore } from '../../store/credentials.ts'
import { notAccepted } from './credentials.ts'
import type { Identified } from './identity-options.ts'
import { narrowed } from './principals.ts'
import { ShortMemory } from './short-memory.ts'

const LONGEST_KEY = 200
/** How precisely it is known when a key was used last. */
const TOUCH_EVERY_MS = 60_000

/** Checks API keys. One that is revoked is refused at most five seconds later, on every node. */
export class ApiKeys {
  readonly #credentials: CredentialStore
  readonly #env: Env
  readonly #logger: Logger
  readonly #memory: ShortMemory<Identified & { readonly key: ApiKey }>
  readonly #touchedAt = new Map<string, number>()

  constructor(around: { credentials: CredentialStore; env: Env; logger: Logger }) {
    this.#credentials = around.credentials
    this.#env = around.env
    this.#logger = around.logger
    this.#memory = new ShortMemory(around.env)
  }

  /** Whose key it is; throws where it does not hold. */
  async identify(text: string): Promise<Identified> {
    if (text.length > LONGEST_KEY) throw notAccepted()
    const hash = hashSecret(text)
    const found = await this.#memory.find(hash, async () => {
      const key = await this.#credentials.findKey(hash)
      return key === null ? null : { ...identifiedBy(key), key }
    })
    if (found === null || found.key.revokedAt !== null || this.#isOver(found.key)) throw notAccepted()
    this.#touch(found.key)
    return found
  }

  #isOver({ expiresAt }: ApiKey): boolean {
    return expiresAt !== null && expiresAt <= this.#env.now()
  }

  /** Nobody waits for it, and it is no reason to turn anybody away. */
  #touch({ id }: ApiKey): void {
    const now = this.#env.monotonic()
    if (now - (this.#touchedAt.get(id) ?? Number.NEGATIVE_INFINITY) < TOUCH_EVERY_MS) return
    this.#touchedAt.set(id, now)
    this.#credentials.touchKeys([id]).catch((error: unknown) => {
      this.#logger.warn('Could not note that an API key was used', { keyId: id, error })
    })
  }
}

function identifiedBy(key: ApiKey): Identified {
  return {
    principal: {
      tenant: key.tenant,
      userId: `key:${key.id}`,
      ownerId: key.ownerId,
      profile: key.profile,
      permissions: narrowed(key.profile, key.permissions),
      source: 'apiKey',
    },
    source: 'apiKey',
    keyId: key.id,
    expiresAt: key.expiresAt,
  }
}
