/**
 * What an entry of a history tells of. `activity`, `compensation`: a step performed. `transaction`: one whose SQL committed with it. `timer`: a sleep, or a named timer.
 * `signal`: a message waited for. `start`, `child`: a child execution, and the wait for its end. `checkpoint`: a state the author wanted kept. `patch`: the code took a
 * changed path. `input`: what the run goes on with after `continueAs`. `cancellation`: from here on it is being cancelled, or has run out of time.
 */
export type EntryKind =
  | 'activity'
  | 'compensation'
  | 'transaction'
  | 'timer'
  | 'signal'
  | 'start'
  | 'child'
  | 'checkpoint'
  | 'patch'
  | 'input'
  | 'cancellation'

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
