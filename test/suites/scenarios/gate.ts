/** What a handler of a test waits for, until the test lets it go on. */
export class Gate {
  readonly opened: Promise<void>
  #open: () => void = () => {}

  constructor() {
    this.opened = new Promise((resolve) => {
      this.#open = resolve
    })
  }

  open(): void {
    this.#open()
  }
}

/** Waits until a signal is aborted, and throws its reason: a handler that does as it is told. */
export function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}
