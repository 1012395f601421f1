import { encrypted } from '../../../src/store/encryption/encrypted.ts'
import type { StoreSource } from '../../../src/store/store.ts'

/** Of no use but in tests. */
const TEST_KEYS = [{ id: 'test', key: Buffer.alloc(32, 7) }]

/** What every store does it does with sealed contents too. Others may have used the same database without: what they left counts. */
export function throughEncryption(source: StoreSource): StoreSource {
  return encrypted(source, { keys: TEST_KEYS, plaintext: 'accepted' })
}
