/** Reads what has come for a run: for all who ask meanwhile, once. */
export class NewsReader {
  readonly #read: () => Promise<void>
  #reading: Promise<void> | null = null
  #isOwed = false

  constructor(read: () => Promise<void>) {
    this.#read = read
  }

  /** Whether something was asked for, and nobody has heard the answer: the store tells it once. */
  get isOwed(): boolean {
    return this.#isOwed
  }

  read(): Promise<void> {
    this.#isOwed = true
    this.#reading ??= this.#readOnce().finally(() => {
      this.#reading = null
    })
    return this.#reading
  }

  async #readOnce(): Promise<void> {
    await this.#read()
    this.#isOwed = false
  }
}
