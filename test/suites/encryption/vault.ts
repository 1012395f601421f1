import { silentLogger } from '../../../src/logger.ts'
import type { ContentTable, StoredText } from '../../../src/store/contents.ts'
import { encrypted } from '../../../src/store/encryption/encrypted.ts'
import type { KeyRingOptions } from '../../../src/store/encryption/key-ring.ts'
import type { EngineStore, StoreSource } from '../../../src/store/store.ts'
import { ManualEnv } from '../conformance/manual-env.ts'

/** Of no use but in tests. */
export const OLD = { id: 'old', key: Buffer.alloc(32, 1) }
export const NEW = { id: 'new', key: Buffer.alloc(32, 2) }

/** A source, and the same as somebody sees it who has its database and no key. */
export class Vault {
  readonly source: StoreSource
  readonly #raw: StoreSource
  #intruder: EngineStore | null = null

  constructor(raw: StoreSource, keys: KeyRingOptions = [OLD], plaintext?: 'accepted') {
    this.#raw = raw
    this.source = encrypted(raw, { keys, plaintext })
  }

  async intruder(): Promise<EngineStore> {
    this.#intruder ??= await this.#raw.open({ env: new ManualEnv(Date.UTC(2026, 0, 1)), logger: silentLogger })
    return this.#intruder
  }

  async texts(executionId: string, table?: ContentTable): Promise<StoredText[]> {
    const { contents } = await this.intruder()
    const found: StoredText[] = []
    for (let after: string | null = null; ; ) {
      const page = await contents.read(after, 1_000)
      if (page.last === null) return found
      found.push(
        ...page.texts.filter((text) => text.executionId === executionId && (table ?? text.table) === text.table),
      )
      after = page.last
    }
  }

  /** Writes over a text, as whoever has the database can. */
  async tamper(stored: StoredText, after: string): Promise<void> {
    const { contents } = await this.intruder()
    if ((await contents.rewrite([{ ...stored, before: stored.text, after }])) !== 1)
      throw new Error('It was not there.')
  }

  async close(): Promise<void> {
    await this.#intruder?.close()
  }
}

/** With another character in place of one. */
export function flipped(text: string, at = Math.floor(text.length / 2)): string {
  return text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)
}
