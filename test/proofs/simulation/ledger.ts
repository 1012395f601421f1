/** Something that user code did, seen from outside of the store. */
export interface Effect {
  readonly at: number
  readonly machine: string
  readonly executionId: string
  /** `told`: a mail was taken, whose id stands in place of an execution's. */
  readonly kind: 'begun' | 'ended' | 'performed' | 'sleeps' | 'slept' | 'heard' | 'told'
  readonly attempt: number
  /** Of a durable job: which of its calls. */
  readonly step?: string
  readonly value?: unknown
}

/** What the world has seen happen, whatever the store says. */
export class Ledger {
  readonly effects: Effect[] = []
  readonly #onEffect: (effect: Effect) => void

  constructor(onEffect: (effect: Effect) => void) {
    this.#onEffect = onEffect
  }

  note(effect: Effect): void {
    this.effects.push(effect)
    this.#onEffect(effect)
  }
}
