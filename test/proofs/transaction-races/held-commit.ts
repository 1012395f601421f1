/** Why a statement that was held before its commit is undone. */
export class UndoneError extends Error {}

/**
 * Holds one statement of a store right before its commit: everything is written and locked, and nobody sees it yet. What it is told then decides
 * whether it commits.
 */
export class HeldCommit {
  /** Which statement is held, counted from 1; the others commit at once. */
  readonly #nth: number
  #met = 0
  /** Once the statement stands before its commit. */
  readonly arrived: Promise<void>
  readonly #verdict: Promise<void>
  #arrive = () => {}
  #commit = () => {}
  #undo: (error: Error) => void = () => {}

  constructor(nth: number) {
    this.#nth = nth
    this.arrived = new Promise((resolve) => {
      this.#arrive = resolve
    })
    this.#verdict = new Promise((resolve, reject) => {
      this.#commit = resolve
      this.#undo = reject
    })
    // It may be undone before anybody waits for it.
    this.#verdict.catch(() => {})
  }

  /** How many statements have come by. */
  get met(): number {
    return this.#met
  }

  commit(): void {
    this.#commit()
  }

  undo(): void {
    this.#undo(new UndoneError('It was undone before its commit.'))
  }

  async pass(): Promise<void> {
    this.#met += 1
    if (this.#met !== this.#nth) return
    this.#arrive()
    await this.#verdict
  }
}
