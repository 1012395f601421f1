/** What a call gives its author: a promise that knows whether anybody ever looked at it. */
export class Step<Value = unknown> extends Promise<Value> {
  // What is derived from it is nobody's call.
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  isAwaited = false

  // oxlint-disable-next-line unicorn/no-thenable -- it is a promise
  override then<A = Value, B = never>(
    onKept?: ((value: Value) => A | PromiseLike<A>) | null,
    onBroken?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.isAwaited = true
    return super.then(onKept, onBroken)
  }
}

/** A step with the means to settle it. */
export interface OpenStep {
  readonly step: Step
  resolve(value: unknown): void
  reject(reason: Error): void
}

export function openStep(): OpenStep {
  let resolve: (value: unknown) => void = () => {}
  let reject: (reason: unknown) => void = () => {}
  const step = new Step((keep, breakIt) => {
    resolve = keep
    reject = breakIt
  })
  return {
    step,
    resolve,
    reject(reason) {
      reject(reason)
      // One that nobody looks at is named when the run ends; it must not end the process before.
      if (!step.isAwaited) Promise.prototype.then.call(step, undefined, () => {})
    },
  }
}
