import type { Duration } from '../duration.ts'
import { PONTUAL_OPTIONS, type PontualOptions } from '../engine/app/options.ts'
import { InvalidInputError, quote } from '../errors.ts'
import type { AnyJobType } from '../job/type/job-type.ts'
import { nearest } from '../nearest.ts'
import type { BuiltInOptions } from '../service/job-types/built-in.ts'
import type { ServiceOptions } from '../service/options.ts'
import type { StoreSource } from '../store/store.ts'
import { invalidFields, requireInteger, requireList, requireOptions, requireText } from '../time/require.ts'
import type { IdentityOptions } from './authentication/identity-options.ts'
import type { LimitOptions } from './limits/request-limits.ts'
import type { MetricsOptions } from './operations/metrics-options.ts'
import type { DashboardOption } from './pages/dashboard-files.ts'
import type { CorsOptions } from './request/cors.ts'

/**
 * What `pontual dev` and `pontual start` are told by `pontual.config.ts`: all that `pontual()` takes, and what belongs to the service around it. What the
 * command line or the environment says goes before it.
 */
export interface Config extends Omit<PontualOptions, 'store' | 'jobs'> {
  /** Job types, or modules that export them: a path or a glob such as `jobs/*.ts`, from the folder of this file on. */
  readonly jobs?: readonly (AnyJobType | string)[] | undefined
  /**
   * Where `pontual start` keeps everything, such as `encrypted(postgres(url), …)`, or a function that says so. Default: PostgreSQL at DATABASE_URL. `pontual dev` has a database of its own, and does
   * not call the function.
   */
  readonly store?: StoreSource | (() => StoreSource) | undefined
  /** How people show who they are. With `pontual dev` whoever asks is Admin. */
  readonly identity?: IdentityOptions | undefined
  readonly service?: ServiceOptions | undefined
  /** What the job types that Pontual brings along may do. */
  readonly builtIn?: BuiltInOptions | undefined
  readonly server?: ServerConfig | undefined
}

/** Where the service listens, and to whom. */
export interface ServerConfig {
  /** The address to listen on. Default `127.0.0.1`; `pontual dev` knows no other. */
  readonly host?: string | undefined
  /** Default 3000; 0: any that is free. */
  readonly port?: number | undefined
  /** How many proxies of your own stand in front. Default 0. */
  readonly trustedProxies?: number | undefined
  /** Serves metrics and health on a port of their own, and metrics nowhere else. */
  readonly metricsPort?: number | undefined
  /** Who is told metrics. Default: who may read jobs, those of his tenant. */
  readonly metrics?: MetricsOptions | undefined
  /** Which other origins' pages may ask. Default: none. */
  readonly cors?: CorsOptions | undefined
  /** How many requests a minute are taken. */
  readonly limits?: LimitOptions | undefined
  /** Whether the dashboard is served at `/jobs`. Default: yes. */
  readonly dashboard?: DashboardOption | undefined
  /** How many streams a tenant may have open at once. Default: 50. */
  readonly streamsPerTenant?: number | undefined
  /**
   * How long HTTP is served after the service is told to stop, so that load balancers notice that it is not ready. Part of `shutdownGrace`, and at most as
   * long. Default: 5 seconds; 0 with `pontual dev`.
   */
  readonly shutdownDelay?: Duration | undefined
}

const OWN_FIELDS = ['identity', 'service', 'builtIn', 'server'] as const satisfies readonly (keyof Config)[]

const SERVER_FIELDS = [
  'host',
  'port',
  'trustedProxies',
  'metricsPort',
  'metrics',
  'cors',
  'limits',
  'dashboard',
  'streamsPerTenant',
  'shutdownDelay',
] as const satisfies readonly (keyof ServerConfig)[]

/**
 * What `pontual.config.ts` exports: completes its fields in an editor, and refuses those that are not known.
 *
 * ```ts
 * export default defineConfig({ jobs: ['jobs/*.ts'], node: { slots: 20 } })
 * ```
 */
export function defineConfig(config: Config): Config {
  requireNoneOfServer(config)
  requireOptions(config, 'The configuration', TOP_FIELDS)
  const { server = {}, jobs = [] } = config
  requireOptions(server, 'The configuration: server', SERVER_FIELDS)
  if (server.host !== undefined) requireText(server.host, 'The configuration: server.host')
  for (const [name, max] of WHOLE_NUMBERS) {
    if (server[name] !== undefined) requireInteger(server[name], `The configuration: server.${name}`, 0, max)
  }
  requireList(jobs, 'The configuration: jobs')
  for (const name of OBJECTS) requireObject(config[name], name)
  const { store } = config
  if (store !== undefined && typeof store !== 'function' && typeof store.open !== 'function') {
    const message = `The configuration: store must be postgres(url), or a function that gives it, got ${describeStore(store)}.`
    throw new InvalidInputError('option.invalid', message, { name: 'store' })
  }
  return config
}

const TOP_FIELDS = [...PONTUAL_OPTIONS, ...OWN_FIELDS]

/** What belongs to the server is looked for beside it. */
function requireNoneOfServer(config: Config): void {
  if (typeof config !== 'object' || config === null) return
  for (const key of Object.keys(config)) {
    const guess = nearest(key, [...TOP_FIELDS, ...SERVER_FIELDS])
    if (guess === undefined || TOP_FIELDS.some((field) => field === guess)) continue
    throw invalidFields(
      `The configuration has no field ${quote(key)}. Did you mean "${guess}" of server: { ${guess}: … }?`,
      {
        case: 'unknown',
        thing: 'The configuration',
        received: key,
        accepted: TOP_FIELDS,
        suggestion: `server.${guess}`,
      },
    )
  }
}

const WHOLE_NUMBERS = [
  ['port', 65_535],
  ['metricsPort', 65_535],
  ['trustedProxies', 10],
] as const
const OBJECTS = ['identity', 'service', 'builtIn', 'node'] as const

/** Their fields are checked by who takes them. */
function requireObject(value: unknown, name: string): void {
  if (value === undefined || (typeof value === 'object' && value !== null && !Array.isArray(value))) return
  const message = `The configuration: ${name} must be an object, got ${quote(value)}.`
  throw new InvalidInputError('option.invalid', message, { name })
}

/** An address may hold a password. */
function describeStore(store: unknown): string {
  return typeof store === 'string' ? 'a text' : quote(store)
}
