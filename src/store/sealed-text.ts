/** How a sealed text begins, and the version of its form. It is JSON, as what it stands for: a store may rely on that. */
const SEALED = '"sealed:1:'

/** What is stored as the message of an error whose message is encrypted. */
export const HIDDEN_MESSAGE = 'The words of this error are encrypted.'

const FORM = /^"sealed:1:(\d{1,6}):([0-9a-f]{0,64}):([A-Za-z0-9+/]+={0,2})"$/

/** A text as it is stored once it is sealed: which of its tenant's keys opens it, and what is sealed. */
export interface SealedText {
  readonly keyVersion: number
  /** Two texts whose equality matters to a store have the same one where they hold the same; else empty. */
  readonly digest: string
  readonly bytes: Buffer
}

export function isSealed(text: string): boolean {
  return text.startsWith(SEALED)
}

export function sealedText({ keyVersion, digest, bytes }: SealedText): string {
  return `${SEALED}${keyVersion}:${digest}:${bytes.toString('base64')}"`
}

/** null where it has another form. */
export function readSealed(text: string): SealedText | null {
  const [, version, digest = '', base64 = ''] = FORM.exec(text) ?? []
  return version === undefined ? null : { keyVersion: Number(version), digest, bytes: Buffer.from(base64, 'base64') }
}

/** What two sealed texts are compared by; null where it is not sealed, or not to be compared. */
export function digestOf(text: string | null): string | null {
  if (text === null || !isSealed(text)) return null
  const [, , , digest] = text.split(':', 4)
  return digest || null
}
