import type { Env } from '../clock.ts'
import type { App } from '../engine/app/app.ts'
import type { Pontual } from '../pontual.ts'
import { gauge, type MetricFamily } from './metrics/family.ts'
import type { ProcessMetrics } from './metrics/process-metrics.ts'
import { emptyFamilies, familiesOfConnections, familiesOfStore, readStoreFigures } from './metrics/store-metrics.ts'
import { readHealth, type ServiceHealth } from './overview/health.ts'

/** What whoever operates a service asks about it. Nobody is asked who he is: that is for who answers. */
export interface Operations {
  health(): Promise<ServiceHealth>
  /** Metrics of a tenant; null: of all of them, and of this process. */
  metrics(tenant: string | null): Promise<readonly MetricFamily[]>
  /** All metrics that there may be, of nothing. */
  describe(): readonly MetricFamily[]
  readonly process: ProcessMetrics
}

export interface OperationsParts {
  readonly app: Pontual
  readonly env: Env
  /** The application, once its store is ready for a service. */
  readonly ready: () => Promise<App>
  readonly process: ProcessMetrics
}

/** So long the same is told: whoever asks more often learns nothing by it. */
const KEEP_METRICS_MS = 5_000
const KEEP_HEALTH_MS = 1_000

/** Who asks for health wants to know soon. */
const PATIENCE_MS = 5_000

export function createOperations({ app, env, ready, process }: OperationsParts): Operations {
  const figures = new KeptAnswers<readonly MetricFamily[]>(env, KEEP_METRICS_MS)
  const health = new KeptAnswers<ServiceHealth>(env, KEEP_HEALTH_MS)
  const ofStore = (tenant: string | null) =>
    figures.get(JSON.stringify(tenant), async () => familiesOfStore(await readStoreFigures(await ready(), tenant)))
  return {
    process,
    describe: () => [storeUp(0), ...emptyFamilies(), ...process.families()],
    // Load balancers have to stop sending requests at once, so a node that stops does not answer from the cache.
    health: () =>
      app.isStopping ? readHealth(app) : health.get('', () => within(env, PATIENCE_MS, () => readHealth(app))),
    async metrics(tenant) {
      if (tenant !== null) return await ofStore(tenant)
      return [...(await ofAll(() => ofStore(null))), ...(await connectionsOf(ready)), ...process.families()]
    },
  }
}

/** A store that is away is told of, and everything else goes on. */
async function ofAll(read: () => Promise<readonly MetricFamily[]>): Promise<readonly MetricFamily[]> {
  try {
    return [storeUp(1), ...(await read())]
  } catch {
    return [storeUp(0)]
  }
}

function storeUp(value: 0 | 1): MetricFamily {
  return gauge('pontual_store_up', '1 where the store answers, 0 where it does not.', value)
}

async function connectionsOf(ready: () => Promise<App>): Promise<readonly MetricFamily[]> {
  try {
    return familiesOfConnections((await ready()).store.connections())
  } catch {
    return []
  }
}

/** A store that leaves a question unanswered does not answer. */
function within(env: Env, patienceMs: number, ask: () => Promise<ServiceHealth>): Promise<ServiceHealth> {
  return new Promise((resolve, reject) => {
    const cancel = env.after(patienceMs, () => resolve(SILENT))
    ask().then(resolve, reject).finally(cancel)
  })
}

const SILENT: ServiceHealth = {
  status: 'unhealthy',
  reason: 'Storage does not answer.',
  isRunning: false,
  stale: null,
  storageLatencyMs: null,
  slots: 0,
  running: 0,
  clockOffsetMs: 0,
  punctuality: { count: 0, onTime: 1, p50Ms: 0, p99Ms: 0, maxMs: 0 },
  nodes: null,
}

interface Kept<Answer> {
  readonly askedAt: number
  readonly answer: Promise<Answer>
  isUnderWay: boolean
}

const MOST = 100

/** Answers that many ask for and that take some work: whoever asks within a while, or before there is one, is given the same. One that fails is not kept. */
class KeptAnswers<Answer> {
  readonly #env: Env
  readonly #keepMs: number
  readonly #kept = new Map<string, Kept<Answer>>()

  constructor(env: Env, keepMs: number) {
    this.#env = env
    this.#keepMs = keepMs
  }

  get(key: string, ask: () => Promise<Answer>): Promise<Answer> {
    const now = this.#env.monotonic()
    const known = this.#kept.get(key)
    if (known && (known.isUnderWay || now - known.askedAt < this.#keepMs)) return known.answer
    if (this.#kept.size >= MOST) this.#kept.clear()
    const kept = { askedAt: now, answer: ask(), isUnderWay: true }
    this.#kept.set(key, kept)
    const ended = () => {
      kept.isUnderWay = false
    }
    kept.answer.then(ended, () => {
      if (this.#kept.get(key) === kept) this.#kept.delete(key)
    })
    return kept.answer
  }
}
