import { PontualError } from '../../errors.ts'
import type { Store } from '../../store/store.ts'

/** Without a key ring what is sealed would be taken for what it is not: handlers would be given it, and beside it stood plain text. */
export async function requireKeys({ sealing, dataKeys }: Store): Promise<void> {
  if (sealing !== null) return
  const missing = (await dataKeys.count()).map(({ keyId }) => keyId)
  if (missing.length === 0) return
  const message =
    `What is stored is encrypted and needs ${missing.join(', ')}, but there is no key ring. ` +
    'Set PONTUAL_ENCRYPTION_KEYS, or open the store with encrypted().'
  throw new PontualError('encryption.keys_lacking', message, { missing, known: [] })
}
