import { storableText } from '../../job/execution/storable-text.ts'

const MAX_REASON_LENGTH = 1_000

/** Why somebody did something, as it is kept. */
export function reasonText(reason: string | null): string | null {
  return reason === null ? null : storableText(reason, MAX_REASON_LENGTH)
}
