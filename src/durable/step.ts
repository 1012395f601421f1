/* oxlint-disable unicorn/no-thenable -- it is a promise */

/** What a call gives its author: a promise that knows whether anybody ever looked at it. */
export class Step<Value = unknown> extends Promise<Value> {
  // What is derived from it is nobody's call.
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  isAwaited = false

  // biome-ignore lint/suspicious/noThenProperty: it is a promise
  override then<A = Value, B = never>(
    onKept?: ((value: Value) => A | PromiseLike<A>) | null,
    onBroken?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.isAwaited = true
    return super.then(onKept, onBroken)
  }
}

/** A step with the means to settle it. */
export class OpenStep {
  readonly step: Step
  #resolve!: (value: unknown) => void
  #reject!: (reason: unknown) => void

  constructor() {
    this.step = new Step((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  resolve(value: unknown): void {
    this.#resolve(value)
  }

  reject(reason: unknown): void {
    this.#reject(reason)
    // One that nobody looks at is named when the run ends; it must not end the process before.
    if (!this.step.isAwaited) void Promise.prototype.then.call(this.step, undefined, () => {})
  }
}

/** A step that is never settled: whoever waits for it is left where he is. */
export function endlessStep(): Step {
  return new Step(() => {})
}

/** A step that stands for others: looked at by itself, settled as they are. */
export function stepOf(value: Promise<unknown>): Step {
  const open = new OpenStep()
  value.then(
    (kept) => open.resolve(kept),
    (reason: unknown) => open.reject(reason),
  )
  return open.step
}
