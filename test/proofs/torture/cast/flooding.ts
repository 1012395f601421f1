import { type Pontual, pontual } from '../../../../src/index.ts'
import { postgres } from '../../../../src/postgres.ts'
import type { Asking } from './asking.ts'
import { DEADLINE_MS, DEFAULT_RETRY, type Task } from './workload.ts'

const BATCH = 1_000
const TENANT = 'globex'

/** Asks for very many executions that fall due together, by a connection that nothing is done to. */
export class Flooding {
  readonly #asking: Asking
  readonly #app: Pontual

  constructor(url: string, asking: Asking) {
    this.#asking = asking
    this.#app = pontual({
      store: postgres(url, { maxConnections: 1, deadline: DEADLINE_MS }),
      application: 'torture',
      defaultRetry: DEFAULT_RETRY,
      logger: 'silent',
    })
  }

  /** Those that nobody knows of are not asked for again: they have no keys. */
  async enqueue(count: number, dueInMs: number): Promise<number> {
    const runAt = Date.now() + dueInMs
    let acknowledged = 0
    for (let done = 0; done < count; done += BATCH) {
      const inputs = Array.from(
        { length: Math.min(BATCH, count - done) },
        (): Task => ({ key: '', runMs: 0, failures: 0 }),
      )
      const input = { count: inputs.length, runAt }
      const { outcome } = await this.#asking.once(
        { verb: 'enqueue', tenant: TENANT, subject: 'flood', input },
        async () => {
          const made = await this.#app.enqueueMany<Task>('flood', inputs, { tenant: TENANT, runAt })
          return { detail: { executionIds: made.map(({ id }) => id) } }
        },
      )
      if (outcome === 'accepted') acknowledged += inputs.length
    }
    return acknowledged
  }

  async end(): Promise<void> {
    await this.#app.stop()
  }
}
