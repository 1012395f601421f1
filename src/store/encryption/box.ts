import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomFillSync,
} from 'node:crypto'
import { ERASED, undecryptable, undecryptableText } from '../../job/execution/unreadable.ts'
import { isSealed, readSealed, sealedText } from '../sealed-text.ts'

/** Where a text stands. What was sealed for one place opens at no other. */
export interface Place {
  readonly table: string
  readonly id: string
  readonly column: string
}

const NONCE_BYTES = 12
const TAG_BYTES = 16
const FORM = 1

/** Nonces are drawn many at a time: one call of the system for each would cost as much as the sealing. */
const pool = Buffer.alloc(NONCE_BYTES * 512)
let drawn = pool.length

function nextNonce(): Buffer {
  if (drawn === pool.length) {
    randomFillSync(pool)
    drawn = 0
  }
  drawn += NONCE_BYTES
  return pool.subarray(drawn - NONCE_BYTES, drawn)
}

/**
 * Seals and opens the texts of one tenant. Each place has a key of its own, drawn from the tenant's: however many texts a tenant has, no key ever seals so many
 * that two random nonces could meet.
 */
export class Box {
  readonly #tenant: string
  readonly #keys: ReadonlyMap<number, KeyObject>
  readonly #version: number
  readonly #indexKey: KeyObject
  readonly #acceptsPlaintext: boolean

  /** By version; the highest seals. */
  constructor(tenant: string, secrets: ReadonlyMap<number, Uint8Array>, acceptsPlaintext: boolean) {
    const versions = [...secrets.keys()].toSorted((a, b) => a - b)
    this.#tenant = tenant
    this.#keys = new Map([...secrets].map(([version, secret]) => [version, createSecretKey(secret)]))
    this.#version = versions.at(-1) ?? 0
    // The same for ever: what is found by a hash has to be found again.
    const first = secrets.get(versions[0] ?? 0) ?? new Uint8Array(0)
    this.#indexKey = createSecretKey(createHmac('sha256', first).update('index').digest())
    this.#acceptsPlaintext = acceptsPlaintext
  }

  /** A text that could not be opened goes back as it was. */
  seal(place: Place, text: string, digest = ''): string {
    return undecryptableText(text) ?? this.sealWords(place, text, digest)
  }

  /** Whatever a text begins with: what people write may look like one that could not be opened. */
  sealWords(place: Place, text: string, digest = ''): string {
    const about = this.#about(place, this.#version, digest)
    const nonce = nextNonce()
    const cipher = createCipheriv('aes-256-gcm', this.#keyAt(this.#version, about), nonce)
    cipher.setAAD(about)
    const bytes = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return sealedText({ keyVersion: this.#version, digest, bytes })
  }

  /** Never throws: what cannot be opened is told by the text that is given. */
  open(place: Place, text: string): string {
    if (!isSealed(text)) return this.#acceptsPlaintext || text.startsWith('!') ? text : undecryptable('plaintext', text)
    const sealed = readSealed(text)
    if (!sealed || sealed.bytes.length < NONCE_BYTES + TAG_BYTES) return undecryptable('corrupt', text)
    const { keyVersion, digest, bytes } = sealed
    if (!this.#keys.has(keyVersion)) return undecryptable('key_unknown', text)
    const about = this.#about(place, keyVersion, digest)
    try {
      const cipher = createDecipheriv('aes-256-gcm', this.#keyAt(keyVersion, about), bytes.subarray(0, NONCE_BYTES))
      cipher.setAAD(about)
      cipher.setAuthTag(bytes.subarray(-TAG_BYTES))
      const start = cipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
      cipher.final()
      return start.toString('utf8')
    } catch {
      return undecryptable('corrupt', text)
    }
  }

  /** null where they cannot be read. */
  openWords(place: Place, text: string): string | null {
    if (text === ERASED) return text
    if (!isSealed(text)) return this.#acceptsPlaintext ? text : null
    const words = this.open(place, text)
    return undecryptableText(words) === text ? null : words
  }

  /** The same for the same text, and nothing to whoever has not the key. */
  hash(purpose: string, text: string): string {
    return createHmac('sha256', this.#indexKey)
      .update(JSON.stringify([purpose, text]))
      .digest('hex')
  }

  #about({ table, id, column }: Place, keyVersion: number, digest: string): Buffer {
    return Buffer.from(JSON.stringify([this.#tenant, table, id, column, FORM, keyVersion, digest]))
  }

  #keyAt(keyVersion: number, about: Buffer): Buffer {
    const key = this.#keys.get(keyVersion)
    if (!key) throw new Error('There is no such key.')
    return createHmac('sha256', key).update(about).digest()
  }
}
