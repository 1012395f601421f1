/** One thing that may happen, and what is then. */
export interface Step<State> {
  /** As a trace tells it. */
  readonly name: string
  readonly next: State
  /** What nobody may rely on: a crash, a lost message, a pause. All other steps happen sooner or later, if they stay possible. */
  readonly isFault: boolean
}

/** What has to hold of each state, or of each step; the answer says what is wrong, null that nothing is. */
export interface Invariant<State, Each extends Step<State>> {
  readonly name: string
  readonly ofState?: ((state: State) => string | null) | undefined
  readonly ofStep?: ((before: State, step: Each) => string | null) | undefined
}

/** A system: where it begins, what may happen, and what has to hold. */
export interface Spec<State, Each extends Step<State> = Step<State>> {
  readonly initial: State
  steps(state: State): readonly Each[]
  /** Two states with the same key are the same, up to the names of things that are alike. */
  key(state: State): string
  /** One line. */
  describe(state: State): string
  readonly invariants: readonly Invariant<State, Each>[]
  /** What has to be reached from everywhere once nothing fails any more. */
  readonly goal: { readonly name: string; readonly isReached: (state: State) => boolean }
}
