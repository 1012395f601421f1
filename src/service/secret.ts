import { createHash } from 'node:crypto'

/** How every API key begins: it tells a key from a token, and makes a leaked one findable. */
const PREFIX = 'pk_'

/** The whole of an API key, as its owner is shown it once. */
export function apiKeyText(id: string, secret: string): string {
  return `${PREFIX}${id}_${secret}`
}

export function isApiKeyText(text: string): boolean {
  return text.startsWith(PREFIX)
}

/**
 * What is kept of a secret: of an API key its whole text, of a session what its cookie holds. Secrets have 256 random bits: there is nothing to guess, so a
 * slow hash would only slow down who may come in.
 */
export function hashSecret(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
