import type { Order } from '../messages.ts'
import { rebuildError } from '../sent-error.ts'

type Answer = Extract<Order, { readonly kind: 'answer' | 'refusal' }>

interface Waiting {
  readonly resolve: (text: string | null) => void
  readonly reject: (reason: Error) => void
}

/** What a handler in an isolate has asked its node, and waits for. */
export class Questions {
  readonly #waiting = new Map<number, Waiting>()
  #asked = 0

  ask(send: (question: number) => void): Promise<string | null> {
    this.#asked += 1
    const question = this.#asked
    return new Promise((resolve, reject) => {
      this.#waiting.set(question, { resolve, reject })
      send(question)
    })
  }

  answer(answer: Answer): void {
    const waiting = this.#waiting.get(answer.question)
    this.#waiting.delete(answer.question)
    if (answer.kind === 'answer') waiting?.resolve(answer.text)
    else waiting?.reject(rebuildError(answer.reason) as Error)
  }
}
