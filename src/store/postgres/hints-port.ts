import type { Hint } from '../store.ts'

/** How a verb tells other nodes that it may have made work. */
export interface Hints {
  send(hint: Hint): void
  listen(onHint: (hint: Hint) => void): () => void
  /** What to notify within a statement; null when it was notified less than 5 ms ago, or cannot be. */
  due(hint: Hint): string | null
}
