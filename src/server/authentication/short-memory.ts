import type { Env } from '../../clock.ts'

/** With what a lookup takes, less than the five seconds within which the end of a credential has to be seen. */
const REMEMBERED_MS = 4_000
const MOST = 10_000

/**
 * Remembers for seconds what was looked up, so that one asker costs one lookup and not one for each request. What is not there is not remembered: guesses must
 * not push out what holds.
 */
export class ShortMemory<Value> {
  readonly #env: Env
  readonly #entries = new Map<string, { readonly askedAt: number; readonly value: Promise<Value | null> }>()

  constructor(env: Env) {
    this.#env = env
  }

  async find(key: string, lookUp: () => Promise<Value | null>): Promise<Value | null> {
    const now = this.#env.monotonic()
    const known = this.#entries.get(key)
    if (known && now - known.askedAt < REMEMBERED_MS) return await known.value

    // From when it was asked, not from when it was answered: the answer may be as old as the question.
    const entry = { askedAt: now, value: lookUp() }
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    this.#makeRoom()
    try {
      const value = await entry.value
      if (value === null) this.#forget(key, entry)
      return value
    } catch (error) {
      this.#forget(key, entry)
      throw error
    }
  }

  #forget(key: string, entry: object): void {
    if (this.#entries.get(key) === entry) this.#entries.delete(key)
  }

  #makeRoom(): void {
    if (this.#entries.size <= MOST) return
    const [oldest] = this.#entries.keys()
    if (oldest !== undefined) this.#entries.delete(oldest)
  }
}
