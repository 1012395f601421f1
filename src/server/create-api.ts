import type { Pontual } from '../pontual.ts'
import type { ServiceApi } from '../service/api.ts'
import type { ServiceOptions } from '../service/options.ts'
import { REQUEST_PATIENCE_MS } from '../service/scope.ts'
import { createService, type Service } from '../service/service.ts'
import type { EngineStore } from '../store/store.ts'
import { requireOptions } from '../time/require.ts'
import { createApp } from './app.ts'
import type { App } from './app-options.ts'
import { checkIdentity, createIdentity } from './authentication/identity.ts'
import type { IdentityOptions } from './authentication/identity-options.ts'
import { checkLimits, type LimitOptions, RequestLimits } from './limits/request-limits.ts'
import { type MetricsOptions, metricsRules } from './operations/metrics-options.ts'
import type { Dashboard } from './pages/answer-page.ts'
import { type DashboardOption, findDashboard, readDashboard } from './pages/dashboard-files.ts'
import { type CorsOptions, withCors } from './request/cors.ts'

/** What an API is put together from. */
export interface ApiOptions {
  /** How people show who they are. */
  readonly identity: IdentityOptions
  /** Limits of tenants, and whom the service tells what. */
  readonly service?: ServiceOptions | undefined
  /** Which other origins' pages may ask. Default: none. */
  readonly cors?: CorsOptions | undefined
  /** How many requests a minute are taken. */
  readonly limits?: LimitOptions | undefined
  /** What stands before `/api` and `/jobs` in the URLs that clients use, such as `/ops`: the API's description names it. Default: nothing. */
  readonly prefix?: string | undefined
  /** Who is told metrics. Default: who may read jobs, those of his tenant. */
  readonly metrics?: MetricsOptions | undefined
  /** Whether the dashboard is served at `/jobs`, beside the API. Default: yes, where its files are there. */
  readonly dashboard?: DashboardOption | undefined
  /** How many streams a tenant may have open at once. Default: 50. */
  readonly streamsPerTenant?: number | undefined
}

const API_OPTIONS = [
  'identity',
  'service',
  'cors',
  'limits',
  'prefix',
  'metrics',
  'dashboard',
  'streamsPerTenant',
] as const satisfies readonly (keyof ApiOptions)[]

/** The API of an application: to be served, or mounted in a server of one's own. */
export interface Api extends App {
  /** Ends streams, lets requests finish that are under way, and then answers nobody any more. */
  close(): void
  /** Health and metrics alone, to be served on a port of their own. */
  readonly operations: App
  /** The same without HTTP. */
  readonly service: ServiceApi
  /** Whether somebody without credentials may be Admin: such an API is for this machine only. */
  readonly isDev: boolean
}

/**
 * Puts the API of an application together.
 *
 * ```ts
 * const api = await createApi(app, { identity: { jwt: { secret: process.env.PONTUAL_JWT_SECRET } } })
 * const { url, close } = await serve(api, { port: 3000 })
 * ```
 */
export async function createApi(app: Pontual, options: ApiOptions): Promise<Api> {
  // Before the store is opened, which may migrate it: a server that is not going to start changes nothing.
  requireOptions(options, 'createApi', API_OPTIONS)
  checkIdentity(options.identity)
  checkLimits(options.limits)
  const metrics = metricsRules(options.metrics)
  const dashboardFolder = findDashboard(options.dashboard)
  const service = createService(app, options.service)
  const { env, logger } = (await app.opened()).deps
  const { credentials, rates, requests } = currentStore(app)
  const limiter = new RequestLimits(options.limits, { env, logger, rates })
  const identity = createIdentity(options.identity, {
    credentials,
    env,
    logger,
    trustedOrigins: options.cors?.origins,
    onRefused: (connection) => limiter.refused(connection),
  })
  // Before anything is run or asked: what happens from here on is recorded.
  await service.ready()
  const { authenticate, sessions, isDev } = identity
  const { streamsPerTenant, prefix } = options
  const operations = { operations: service.operations, metrics }
  const shared = { service, authenticate, limiter, env, logger, prefix }
  const served = withCors(
    createApp({
      ...shared,
      sessions,
      requests,
      streamsPerTenant,
      dashboard: await dashboardIn(dashboardFolder, service),
      operations: metrics.isApart ? { ...operations, part: 'api' } : operations,
    }),
    options.cors ?? {},
  )
  let underWay = 0
  let isClosing = false
  const closeOnceQuiet = () => {
    if (isClosing && underWay === 0) service.close()
  }
  return {
    service,
    isDev,
    hasDashboard: served.hasDashboard,
    operations: createApp({ ...shared, operations: { ...operations, part: 'operations' } }),
    async fetch(request, connection) {
      underWay += 1
      try {
        return await served.fetch(request, connection)
      } finally {
        underWay -= 1
        closeOnceQuiet()
      }
    },
    close: () => {
      isClosing = true
      served.close()
      closeOnceQuiet()
    },
  }
}

async function dashboardIn(folder: string | null, service: Service): Promise<Dashboard | undefined> {
  if (folder === null) return undefined
  return { files: await readDashboard(folder), requireOn: (principal) => service.requireDashboard(principal) }
}

/**
 * What an API itself asks of an application's store: of the one that is open when it asks, since an application that was stopped and started again has opened
 * another.
 */
function currentStore(app: Pontual): Pick<EngineStore, 'credentials' | 'rates' | 'requests'> {
  const store = async () => {
    const opened = await app.opened()
    return opened.patience.upTo(REQUEST_PATIENCE_MS).over(opened.store)
  }
  const credentials = async () => (await store()).credentials
  const rates = async () => (await store()).rates
  const requests = async () => (await store()).requests
  return {
    credentials: {
      findKey: async (secretHash) => await (await credentials()).findKey(secretHash),
      listKeys: async (tenant) => await (await credentials()).listKeys(tenant),
      addKey: async (key, audit) => await (await credentials()).addKey(key, audit),
      revokeKey: async (tenant, id, audit) => await (await credentials()).revokeKey(tenant, id, audit),
      touchKeys: async (ids) => await (await credentials()).touchKeys(ids),
      findSession: async (secretHash) => await (await credentials()).findSession(secretHash),
      addSession: async (session) => await (await credentials()).addSession(session),
      removeSessions: async (secretHashes) => await (await credentials()).removeSessions(secretHashes),
    },
    rates: { acquire: async (asked) => await (await rates()).acquire(asked) },
    requests: {
      begin: async (request) => await (await requests()).begin(request),
      finish: async (request, answer) => await (await requests()).finish(request, answer),
      forget: async (request) => await (await requests()).forget(request),
    },
  }
}
