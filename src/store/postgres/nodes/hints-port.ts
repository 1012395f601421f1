import type { Hint } from '../../store.ts'

/** A hint, or `woken`: something is ready again that is older than most of what is claimed now, so that others would look past it. */
export type Notice = Hint | 'woken'

/** How a verb tells other nodes that it may have made work. */
export interface Hints {
  send(notice: Notice): void
  listen(onNotice: (notice: Notice) => void): () => void
  /** What to notify within a statement; null when it was notified less than 5 ms ago, or cannot be. */
  due(notice: Notice): string | null
}
