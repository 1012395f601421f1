import type { ExecutionBody } from '../../job/execution/execution.ts'
import type { ExecutionStore } from '../executions.ts'

/** Whose an execution is, and where its history began. */
export interface Owner {
  readonly tenant: string
  /** The execution whose history its own may have begun with; its own id for most. */
  readonly origin: string
}

const LIMIT = 20_000

/** Whose executions are: known from what was last seen of them, or asked for. An execution never changes hands. */
export class Owners {
  readonly #executions: ExecutionStore
  readonly #known = new Map<string, Owner>()

  constructor(executions: ExecutionStore) {
    this.#executions = executions
  }

  note({ id, tenant, options }: Pick<ExecutionBody, 'id' | 'tenant' | 'options'>): void {
    this.#known.delete(id)
    this.#known.set(id, { tenant, origin: options?.seed ?? id })
    if (this.#known.size <= LIMIT) return
    for (const oldest of this.#known.keys()) {
      this.#known.delete(oldest)
      break
    }
  }

  /** Those that are gone are left out. */
  async of(ids: readonly string[]): Promise<ReadonlyMap<string, Owner>> {
    const found = new Map<string, Owner>()
    const missing = new Set<string>()
    for (const id of ids) {
      const known = this.#known.get(id)
      if (known) found.set(id, known)
      else missing.add(id)
    }
    if (missing.size === 0) return found
    for (const archived of [false, true]) {
      const unknown = [...missing].filter((id) => !found.has(id))
      if (unknown.length === 0) return found
      for (const body of await this.#executions.find(unknown, { archived })) {
        this.note(body)
        found.set(body.id, { tenant: body.tenant, origin: body.options?.seed ?? body.id })
      }
    }
    return found
  }
}
