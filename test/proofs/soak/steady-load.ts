import { type Pontual, pontual } from '../../../src/index.ts'
import { postgres } from '../../../src/postgres.ts'
import { cached, failing, limited, order, plain, STEADY_TYPES, talking } from './job-types.ts'
import { repeat } from './repeat.ts'
import type { ServiceClient } from './service-client.ts'

export const TENANTS = ['acme', 'globex', 'initech', 'umbrella']

/** How often each kind is asked for. */
const EVERY_MS = 250
const PLAIN_AT_ONCE = 100

/** More than this may not wait: on a machine that is slower the load is less, and a queue that grows is no leak. */
export const MOST_QUEUED = 2_000
const LOOK_EVERY = 4

/** Asks for work of every kind at the same pace for as long as it lasts: by code, and over HTTP as people and programs do. */
export class SteadyLoad {
  readonly app: Pontual
  readonly #service: ServiceClient
  readonly #abort = new AbortController()
  #running: Promise<unknown> = Promise.resolve()
  /** Durable runs that wait for an approval. */
  readonly #awaiting: { readonly id: string; readonly at: number }[] = []
  #round = 0
  #isBehind = false
  enqueued = 0

  constructor(url: string, service: ServiceClient) {
    // Not started: it only asks for work.
    this.app = pontual({ store: postgres(url, { maxConnections: 4 }), jobs: STEADY_TYPES, logger: 'silent' })
    this.#service = service
  }

  async start(): Promise<void> {
    for (const tenant of TENANTS) await this.#service.createJob(tenant, { name: 'By hand', jobType: plain.id })
    const { signal } = this.#abort
    const works = [() => this.#enqueue(), () => this.#approve(), () => this.#ask()]
    this.#running = Promise.all(works.map((work) => repeat(EVERY_MS, signal, work)))
    // Whoever watches over it asks for it, but maybe not yet.
    this.#running.catch(() => {})
  }

  /** Ends when it is stopped; rejects where something is refused, or does not answer. */
  get running(): Promise<unknown> {
    return this.#running
  }

  async stop(): Promise<void> {
    this.#abort.abort()
    await this.#running.catch(() => {})
    await this.app.stop()
  }

  async #enqueue(): Promise<void> {
    const round = ++this.#round
    if (round % LOOK_EVERY === 0) this.#isBehind = (await this.app.counts()).QUEUED > MOST_QUEUED
    if (this.#isBehind) return
    const tenant = TENANTS[round % TENANTS.length] ?? ''
    const inputs = Array.from({ length: PLAIN_AT_ONCE }, (_, index) => ({ n: round * PLAIN_AT_ONCE + index }))
    const [enqueued, run] = await Promise.all([
      this.app.enqueueMany(plain, inputs, { tenant }),
      this.app.enqueue(order, { n: round }, { tenant }),
      this.app.enqueue(talking, { n: round }, { tenant, idempotencyKey: `talk ${round}` }),
      this.app.enqueueMany(failing, inputs.slice(0, 3), { tenant }),
      this.app.enqueueMany(cached, [{ n: round % 7 }, { n: round }], { tenant }),
      this.app.enqueue(limited, undefined, { tenant }),
      this.#cancelOne(round, tenant),
    ])
    this.enqueued += enqueued.length + 9
    // Half of them are never approved, and go on by themselves.
    if (round % 2 === 0) this.#awaiting.push({ id: run.id, at: performance.now() })
  }

  async #cancelOne(n: number, tenant: string): Promise<void> {
    const { id } = await this.app.enqueue(plain, { n }, { tenant, delay: '30s', priority: 'LOW' })
    await this.app.cancel(id, 'Nobody needs it any more.')
  }

  async #approve(): Promise<void> {
    const next = this.#awaiting[0]
    if (!next || performance.now() - next.at < 1_500) return
    this.#awaiting.shift()
    // It may have gone on without: then there is nobody to tell.
    await this.app.signal(next.id, 'approval', { by: 'ana' }).catch(() => {})
  }

  /** What a dashboard and a program ask for, and a request that is sent again. */
  async #ask(): Promise<void> {
    const round = this.#round
    const tenant = TENANTS[round % TENANTS.length] ?? ''
    const service = this.#service
    const body = { jobName: 'By hand', payload: { n: round } }
    await Promise.all([
      service.post(tenant, '/api/jobs/enqueue', body, `request-${round}`),
      service.get(tenant, '/api/jobs?limit=50'),
      service.get(tenant, '/api/jobs/executions?limit=50'),
      round % 8 === 0 ? service.get(tenant, '/api/jobs/kpis?windowHours=1') : undefined,
      round % 8 === 4 ? service.get(tenant, '/metrics') : undefined,
    ])
  }
}
