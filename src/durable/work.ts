/** Something that goes on on behalf of a run, and can be told to end. */
export interface UnderWay {
  abort(reason: Error): void
}

/** What goes on on behalf of a run: attempts, records, questions. As long as anything does, the run must not leave. */
export class Work {
  readonly #onNone: () => void
  readonly #underWay = new Set<UnderWay>()
  #count = 0

  constructor(onNone: () => void) {
    this.#onNone = onNone
  }

  get isNone(): boolean {
    return this.#count === 0
  }

  /** Something begins that ends with `leave`. What is handed in is aborted when the run is to end. */
  enter(work?: UnderWay): void {
    this.#count += 1
    if (work) this.#underWay.add(work)
  }

  leave(work?: UnderWay): void {
    this.#count -= 1
    if (work) this.#underWay.delete(work)
    if (this.#count === 0) this.#onNone()
  }

  abort(reason: Error): void {
    for (const work of this.#underWay) work.abort(reason)
  }
}
