import { StoreUnavailableError, sqlStateOf } from '../unavailable.ts'
import type { Statement } from './driver.ts'

export interface Asked {
  readonly statement: Statement
  readonly values: readonly unknown[]
}

interface Waiting extends Asked {
  readonly resolve: (rows: unknown[]) => void
  readonly reject: (error: unknown) => void
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
    const groups = groupsOf(this.#waiting)
    this.#waiting = []
    await Promise.all(groups.map((group) => this.#sendGroup(group)))
  }

  async #sendGroup(group: readonly Waiting[]): Promise<void> {
    if (!(await this.#tryAll(group))) await Promise.all(group.map((each) => this.#tryAll([each])))
  }

  /** False where nothing was done, because the server refused one of several. */
  async #tryAll(waiting: readonly Waiting[]): Promise<boolean> {
    try {
      const answers = await this.#sendAll(waiting)
      for (const [place, { resolve }] of waiting.entries()) resolve(answers[place] ?? [])
      return true
    } catch (error) {
      if (waiting.length > 1 && isRefusal(error)) return false
      for (const { reject } of waiting) reject(error)
      return true
    }
  }
}

/** One statement twice would be prepared twice, under the same name: each group has it once. */
function groupsOf(waiting: readonly Waiting[]): Waiting[][] {
  const groups: Waiting[][] = []
  for (const each of waiting) {
    const group = groups.find((other) => other.every(({ statement }) => statement.text !== each.statement.text))
    if (group) group.push(each)
    else groups.push([each])
  }
  return groups
}

/** Whether the server has said no. Where it said nothing, or went away, nobody knows what was done. */
function isRefusal(error: unknown): boolean {
  return !(error instanceof StoreUnavailableError) && sqlStateOf(error) !== null
}
