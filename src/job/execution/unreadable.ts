import { PontualError } from '../../errors.ts'

/**
 * A stored text that nobody can read stands where data would: JSON never begins so, and neither does what the codec of durable jobs writes. It is passed on
 * as it is, so that what cannot be read is not written over by who only passes it on.
 */
const MARK = '!'
const UNDECRYPTABLE = '!undecryptable:'

/** What stands in place of what was erased. */
export const ERASED = '!erased'

/** `corrupt`: not what was written at this place. `key_unknown`: the key that would open it is not there. `plaintext`: it was never sealed. */
export type UnreadableReason = 'corrupt' | 'key_unknown' | 'plaintext'

/** Why stored data cannot be read: its key is missing or wrong, or it was erased. */
export type UnreadableCode = 'payload_undecryptable' | 'payload_erased'

/** What is stored cannot be read, now or ever; to try again makes no sense. */
export class UnreadableError extends PontualError {}

/** What stands for a text that could not be opened; the text itself is kept behind it. */
export function undecryptable(reason: UnreadableReason, text: string): string {
  return `${UNDECRYPTABLE}${reason}:${text}`
}

/** The text as it was before {@link undecryptable}; null where it is none of those. */
export function undecryptableText(text: string): string | null {
  if (!text.startsWith(UNDECRYPTABLE)) return null
  return text.slice(text.indexOf(':', UNDECRYPTABLE.length) + 1)
}

export function isUnreadable(text: string | null): boolean {
  return text?.startsWith(MARK) ?? false
}

/** Why a stored text cannot be read; null where it can. */
export function unreadableCode(text: string | null): UnreadableCode | null {
  if (text === null || !text.startsWith(MARK)) return null
  return text.startsWith(UNDECRYPTABLE) ? 'payload_undecryptable' : 'payload_erased'
}

/** Throws where a stored text cannot be read. */
export function requireReadable(text: string | null): void {
  const code = unreadableCode(text)
  if (text === null || code === null) return
  if (code === 'payload_erased') throw new UnreadableError(code, 'What was stored here was erased.')
  const reason = text.slice(UNDECRYPTABLE.length, text.indexOf(':', UNDECRYPTABLE.length))
  throw new UnreadableError(code, `What is stored cannot be decrypted: ${SENTENCES[reason as UnreadableReason]}`, {
    reason,
  })
}

const SENTENCES: Readonly<Record<UnreadableReason, string>> = {
  corrupt: 'it is not what was written at this place.',
  key_unknown: 'the key it was sealed with is not known here.',
  plaintext: 'it is not encrypted, though everything has to be.',
}
