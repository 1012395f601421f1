import type { EntryKind } from './entry-kind.ts'

/** A call, as far as it can be compared with what is recorded. */
export interface CalledAs {
  readonly kind: EntryKind
  readonly name: string
}

/** Why a run is DIVERGED. */
export type Divergence =
  | {
      readonly reason: 'mismatch'
      readonly message: string
      readonly sequence: number
      /** What the history has there; null where it has nothing. */
      readonly recorded: CalledAs | null
      /** What the code called; null where it called nothing. */
      readonly called: CalledAs | null
    }
  | { readonly reason: 'noProgress'; readonly message: string; readonly attempts: number }
