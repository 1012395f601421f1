import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomFillSync } from 'node:crypto'
import { InvalidInputError, PontualError, quote } from '../../errors.ts'
import type { DataKey } from '../data-keys.ts'

/** A key as whoever keeps it hands it in. */
export interface RingKeyOptions {
  /** Names it for ever: letters, digits, `.`, `_` and `-`, at most 64. */
  readonly id: string
  /** 32 bytes, or the same in base64. */
  readonly key: string | Uint8Array
}

/** The keys of a ring, the current one first; or as text, `id:base64,older:base64`. */
export type KeyRingOptions = string | readonly RingKeyOptions[]

const ID = /^[\w.-]{1,64}$/
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Keys that wrap data keys. What is drawn here is not of an Env: what a test can foretell is no secret. The first one wraps what is new; the others open what they have wrapped. */
export class KeyRing {
  readonly currentId: string
  readonly #keys: ReadonlyMap<string, KeyObject>

  constructor(options: KeyRingOptions) {
    const given = typeof options === 'string' ? fromText(options) : options
    const [first] = given
    if (!first) throw invalid('it has no key', 'encryption.keys_missing')
    this.currentId = first.id
    this.#keys = new Map(given.map((each) => [requireId(each.id), keyOf(each)]))
    if (this.#keys.size < given.length) throw invalid('two keys have the same id')
  }

  get ids(): readonly string[] {
    return [...this.#keys.keys()]
  }

  has(keyId: string): boolean {
    return this.#keys.has(keyId)
  }

  /** A new data key of a tenant. */
  create(tenant: string, version: number): DataKey {
    return this.wrap(randomFillSync(Buffer.alloc(KEY_BYTES)), tenant, version)
  }

  wrap(secret: Uint8Array, tenant: string, version: number): DataKey {
    const nonce = randomFillSync(Buffer.alloc(NONCE_BYTES))
    const cipher = createCipheriv('aes-256-gcm', this.#keyOf(this.currentId), nonce)
    cipher.setAAD(placeOf(tenant, version, this.currentId))
    const wrapped = Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()])
    return { tenant, version, keyId: this.currentId, wrapped: wrapped.toString('base64') }
  }

  /** Throws where the key of the ring is not there, or it is not what that has wrapped for this tenant. */
  unwrap({ tenant, version, keyId, wrapped }: DataKey): Uint8Array {
    const bytes = Buffer.from(wrapped, 'base64')
    if (bytes.length !== NONCE_BYTES + KEY_BYTES + TAG_BYTES) throw broken(tenant, keyId)
    const cipher = createDecipheriv('aes-256-gcm', this.#keyOf(keyId), bytes.subarray(0, NONCE_BYTES))
    cipher.setAAD(placeOf(tenant, version, keyId))
    cipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    try {
      return Buffer.concat([cipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), cipher.final()])
    } catch {
      throw broken(tenant, keyId)
    }
  }

  #keyOf(keyId: string): KeyObject {
    const key = this.#keys.get(keyId)
    if (key) return key
    const message = `There is no key ${quote(keyId)} on the key ring, which has ${this.ids.join(', ')}.`
    throw new PontualError('encryption.key_unknown', message, { keyId, known: this.ids })
  }
}

function placeOf(tenant: string, version: number, keyId: string): Buffer {
  return Buffer.from(JSON.stringify([tenant, 'data_keys', version, keyId]))
}

function broken(tenant: string, keyId: string): PontualError {
  const message = `The data key of tenant ${quote(tenant)} is not what key ${quote(keyId)} has wrapped.`
  return new PontualError('encryption.data_key_corrupt', message, { tenant, keyId })
}

/** An id may hold no colon, so that the first one parts it from its key. */
function fromText(text: string): RingKeyOptions[] {
  const items = text.split(',').map((item) => item.trim())
  return items
    .filter((item) => item !== '')
    .map((item) => {
      const at = item.indexOf(':')
      if (at < 0) throw invalid('a key has no id: it is written as id:base64')
      return { id: item.slice(0, at), key: item.slice(at + 1) }
    })
}

function requireId(id: unknown): string {
  if (typeof id === 'string' && ID.test(id)) return id
  throw invalid(`an id has 1-64 letters, digits, ".", "_" or "-", and stands before its key: id:base64`)
}

/** What was received is not told: it may be most of a key. */
function keyOf({ id, key }: RingKeyOptions): KeyObject {
  const bytes = typeof key === 'string' ? Buffer.from(key, 'base64') : key
  if (!(bytes instanceof Uint8Array) || bytes.length !== KEY_BYTES) {
    // Nor is what stands where its id should, if it is as long as a key.
    const named = id.length < KEY_BYTES ? `key ${quote(id)}` : 'a key'
    throw invalid(`${named} must have ${KEY_BYTES} bytes, in base64; make one with: openssl rand -base64 32`)
  }
  return createSecretKey(bytes)
}

function invalid(reason: string, code = 'encryption.keys_invalid'): InvalidInputError {
  return new InvalidInputError(code, `The key ring cannot be used: ${reason}.`, { reason })
}
