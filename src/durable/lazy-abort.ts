/** An abort signal that is created on first use: most handlers and activities never read theirs. */
export class LazyAbort {
  #controller: AbortController | null = null
  #reason: Error | null = null

  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController()
      if (this.#reason) this.#controller.abort(this.#reason)
    }
    return this.#controller.signal
  }

  /** The first reason counts. */
  abort(reason: Error): void {
    this.#reason ??= reason
    this.#controller?.abort(this.#reason)
  }
}
