import type { Env } from '../../clock.ts'
import type { StoreSurroundings } from '../store.ts'
import type { Tables } from './schema/tables.ts'
import { tellEnds } from './service/audit-ends.ts'

/** One opening of a source: the shared tables, and the time that rules for whoever opened it. */
export class Session {
  readonly tables: Tables
  readonly env: Env
  readonly #now: () => number
  readonly #underWay = new Set<Promise<unknown>>()

  constructor(tables: Tables, { env, now }: StoreSurroundings) {
    this.tables = tables
    this.env = env
    this.#now = now ?? (() => env.now())
  }

  /** A statement: others may go first, then it is applied as a whole, with one time for all of it. */
  statement<Answer>(apply: (tables: Tables, now: number) => Answer): Promise<Answer> {
    const answer = this.#perform(apply)
    this.#underWay.add(answer)
    const forget = () => this.#underWay.delete(answer)
    answer.then(forget, forget)
    return answer
  }

  async #perform<Answer>(apply: (tables: Tables, now: number) => Answer): Promise<Answer> {
    await this.tables.turn()
    const now = this.#now()
    const answer = apply(this.tables, now)
    tellEnds(this.tables, now)
    return answer
  }

  /** Waits for the statements under way, however they end. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#underWay)
  }
}
