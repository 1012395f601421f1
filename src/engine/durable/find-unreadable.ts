import type { HistoryEntry, News } from '../../job/activity/history.ts'
import { requireReadable, UnreadableError } from '../../job/execution/unreadable.ts'

/** The end of a run that cannot be followed any further. */
export interface UnreadableStop {
  readonly kind: 'failure'
  readonly status: 'FAILED' | 'CANCELLED'
  readonly error: UnreadableError
}

/** How a run ends of which something that it was given, has recorded, or that has come for it cannot be read; null where all can. */
export function findUnreadable(
  payload: string | null,
  entries: readonly HistoryEntry[],
  news?: News,
): UnreadableStop | null {
  try {
    if (!entries.some(({ kind }) => kind === 'input')) requireReadable(payload)
    for (const { input, output, error } of entries) for (const text of [input, output, error]) requireReadable(text)
    for (const signal of news?.signals ?? []) requireReadable(signal.payload)
    for (const child of news?.children ?? []) requireReadable(child.output)
    return null
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error
    // One that is being cancelled can end in no other way.
    return { kind: 'failure', status: news?.cancellation ? 'CANCELLED' : 'FAILED', error }
  }
}
