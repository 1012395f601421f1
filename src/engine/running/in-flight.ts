/** Promises that are not settled yet. */
export class InFlight {
  readonly #promises = new Set<Promise<unknown>>()

  track<Result>(promise: Promise<Result>): Promise<Result> {
    this.#promises.add(promise)
    const forget = () => this.#promises.delete(promise)
    promise.then(forget, forget)
    return promise
  }

  get isSettled(): boolean {
    return this.#promises.size === 0
  }

  /** Waits until none is left, whether they succeed or fail. */
  async settled(): Promise<void> {
    while (this.#promises.size > 0) await Promise.allSettled(this.#promises)
  }
}
