import type { Commit } from './commits.ts'

const KEPT = 200

/** The last things that happened, to tell what led to a violation. */
export class Trace {
  readonly #startAt: number
  readonly #told: (() => string)[] = []

  constructor(startAt: number) {
    this.#startAt = startAt
  }

  get lines(): string[] {
    return this.#told.slice(-KEPT).map((tell) => tell())
  }

  commit(at: number, { question, changes }: Commit): void {
    this.#keep(at, () => {
      const told = changes.map(
        ({ table, key, before, after }) => `${before ? (after ? '~' : '-') : '+'}${table} ${key.slice(-6)}`,
      )
      return `${question.from.name} ${question.verb}: ${told.join(' ')}`
    })
  }

  note(at: number, what: string): void {
    this.#keep(at, () => `--- ${what}`)
  }

  /** Put into words only where somebody reads them: most runs are fine. */
  #keep(at: number, tell: () => string): void {
    this.#told.push(() => `${((at - this.#startAt) / 1_000).toFixed(3)} ${tell()}`)
    if (this.#told.length > 2 * KEPT) this.#told.splice(0, KEPT)
  }
}
