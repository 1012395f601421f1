import { sqlStateOf } from '../unavailable.ts'
import type { Statement } from './driver.ts'

export interface Asked {
  readonly statement: Statement
  readonly values: readonly unknown[]
}

interface Waiting extends Asked {
  resolve(rows: unknown[]): void
  reject(error: unknown): void
}

/** Sends statements that commit together, and gives the rows of each. */
export type SendAll = (asked: readonly Asked[]) => Promise<readonly unknown[][]>

/**
 * What is asked for at once goes together: a request that needs three answers, none of which depends on another, waits for one round trip and takes one
 * connection. Whether they go together changes nothing for who asks: what fails does so alone.
 */
export class Together {
  readonly #sendAll: SendAll
  #waiting: Waiting[] = []

  constructor(sendAll: SendAll) {
    this.#sendAll = sendAll
  }

  query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    return new Promise<Row[]>((resolve, reject) => {
      const settle = (rows: unknown[]) => resolve(rows as Row[])
      this.#waiting.push({ statement, values, resolve: settle, reject })
      // Whoever asks for more than one thing does so before anything else happens.
      if (this.#waiting.length === 1) queueMicrotask(() => void this.#send())
    })
  }

  async #send(): Promise<void> {
    const waiting = this.#waiting
    this.#waiting = []
    if (!(await this.#tryAll(waiting))) await Promise.all(waiting.map((each) => this.#tryAll([each])))
  }

  /** False where nothing was done, because the server refused one of several. */
  async #tryAll(waiting: readonly Waiting[]): Promise<boolean> {
    try {
      const answers = await this.#sendAll(waiting)
      for (const [place, { resolve }] of waiting.entries()) resolve(answers[place] ?? [])
      return true
    } catch (error) {
      // Without a word of the server nobody knows what was done.
      if (waiting.length > 1 && sqlStateOf(error) !== null) return false
      for (const { reject } of waiting) reject(error)
      return true
    }
  }
}
