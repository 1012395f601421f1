/** The ways in which a run writes to the store. */
export type WriteKind = 'record' | 'child' | 'transaction'

interface Waiting {
  readonly kind: WriteKind
  readonly go: () => void
}

/**
 * Keeps the writes of one run in order that go to the store by different ways: what a record says of a call must not be overtaken by what a transaction said of it before.
 * Within one way they are in order already, but for transactions, each of which has a connection of its own.
 */
export class WriteOrder {
  #kind: WriteKind = 'record'
  #underWay = 0
  readonly #waiting: Waiting[] = []

  write<Answer>(kind: WriteKind, send: () => Promise<Answer>): Promise<Answer> {
    if (this.#waiting.length === 0 && this.#mayGo(kind)) return this.#send(kind, send)
    return new Promise((resolve) => {
      this.#waiting.push({ kind, go: () => resolve(this.#send(kind, send)) })
    })
  }

  #mayGo(kind: WriteKind): boolean {
    return this.#underWay === 0 || (kind === this.#kind && kind !== 'transaction')
  }

  #send<Answer>(kind: WriteKind, send: () => Promise<Answer>): Promise<Answer> {
    this.#kind = kind
    this.#underWay += 1
    const sent = send()
    sent.then(this.#end, this.#end)
    return sent
  }

  readonly #end = (): void => {
    this.#underWay -= 1
    for (let [next] = this.#waiting; next && this.#mayGo(next.kind); [next] = this.#waiting) {
      this.#waiting.shift()
      next.go()
    }
  }
}
