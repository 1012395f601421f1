import { createHash } from 'node:crypto'
import type { Statement } from './driver.ts'

/** PostgreSQL cuts longer names, and two that are cut alike would be taken for one. */
const NAME_LIMIT = 63
const DIGEST_LENGTH = 8

/** Names of prepared statements: one per text, such as `pontual_claimExecutions`. */
export class StatementNames {
  readonly #byText = new Map<string, string>()
  readonly #taken = new Set<string>()

  nameOf(statement: Statement): string {
    const known = this.#byText.get(statement.text)
    if (known !== undefined) return known
    const name = this.#choose(statement)
    this.#byText.set(statement.text, name)
    this.#taken.add(name)
    return name
  }

  #choose({ name, text }: Statement): string {
    const plain = `pontual_${name.replace(/[^A-Za-z0-9_]/g, '_')}`
    if (plain.length <= NAME_LIMIT && !this.#taken.has(plain)) return plain
    const digest = createHash('sha256').update(text).digest('hex').slice(0, DIGEST_LENGTH)
    return `${plain.slice(0, NAME_LIMIT - DIGEST_LENGTH - 1)}_${digest}`
  }
}
