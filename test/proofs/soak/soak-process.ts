import process from 'node:process'
import { setImmediate as turn } from 'node:timers/promises'
import { pontual } from '../../../src/index.ts'
import { postgres } from '../../../src/postgres.ts'
import { createApi } from '../../../src/server/create-api.ts'
import { serve } from '../../../src/server/mount/serve.ts'
import type { StoreSource } from '../../../src/store/store.ts'
import { leak, PLAIN_TYPES, STEADY_TYPES } from './job-types.ts'
import type { FromProcess, ProcessRequest, ProcessState } from './process-messages.ts'

/** A node, or a service, in a process of its own: runs until its parent goes, and answers how it is. Started with `--expose-gc`. */
const request = JSON.parse(process.argv[2] ?? '{}') as ProcessRequest
leak(request.leakedBytes)

const claimsMs: number[] = []
const app = pontual({
  store: timedStore(postgres(namedUrl()), (ms) => claimsMs.push(ms)),
  jobs: request.types === 'steady' ? STEADY_TYPES : PLAIN_TYPES,
  node: { name: request.name, slots: request.slots },
  logger: 'silent',
})

let ended = 0
let steals = 0
for (const event of ['execution.succeeded', 'execution.failed'] as const) app.on(event, () => (ended += 1))
for (const event of ['execution.recovered', 'execution.refused', 'node.lost'] as const) {
  app.on(event, () => (steals += 1))
}

const served = request.serves ? await serveApi() : null
await app.start()
tell({ kind: 'ready', url: served?.url ?? null })
process.on('message', () => void answer())
process.on('disconnect', () => {
  void Promise.resolve(served?.close()).then(() => app.stop())
})

async function serveApi() {
  // Everybody is who he says he is: nothing is proved here about who may do what.
  const authenticate = ({ headers }: Request) => {
    const tenant = headers.get('x-tenant')
    return tenant === null ? null : ({ tenant, userId: 'ana', profile: 'Admin' } as const)
  }
  const most = 1_000_000
  const api = await createApi(app, {
    identity: { authenticate },
    limits: { perAddress: most, perUser: most, perTenant: most },
    service: { queuedPerTenant: most, tenantConcurrency: 1_000 },
    dashboard: false,
  })
  return await serve(api, { port: 0 })
}

async function answer(): Promise<void> {
  const { store } = await app.opened()
  const state: ProcessState = {
    ...(await memory()),
    connections: store.connections()?.open ?? 0,
    ended,
    steals,
    claimsMs: claimsMs.splice(0),
  }
  tell({ kind: 'state', state })
}

/** What is still reachable: what is only waiting to be found unreachable, also by a finalizer, is gone. */
async function memory(): Promise<Pick<ProcessState, 'retainedBytes' | 'rssBytes'>> {
  if (!globalThis.gc) throw new Error('Start this process with --expose-gc.')
  for (let times = 0; times < 2; times += 1) {
    globalThis.gc()
    await turn()
  }
  const { heapUsed, external, rss } = process.memoryUsage()
  return { retainedBytes: heapUsed + external, rssBytes: rss }
}

function tell(message: FromProcess): void {
  process.send?.(message)
}

/** The server tells by its name whose a connection is. */
function namedUrl(): string {
  const url = new URL(request.url)
  url.searchParams.set('application_name', request.name)
  return url.href
}

/** The same store, which tells how long each claim took. */
function timedStore(source: StoreSource, onClaim: (ms: number) => void): StoreSource {
  return {
    kind: source.kind,
    open: async (surroundings) => {
      const store = await source.open(surroundings)
      const { leases } = store
      return {
        ...store,
        leases: {
          ...leases,
          claim: async (request) => {
            const startedAt = performance.now()
            const answer = await leases.claim(request)
            onClaim(performance.now() - startedAt)
            return answer
          },
        },
      }
    },
  }
}
