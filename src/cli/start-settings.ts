import { FLAGS } from '../access/flag.ts'
import type { Duration } from '../duration.ts'
import { InvalidInputError } from '../errors.ts'
import { LOG_LEVELS, type Logger, type LogLevel } from '../logger.ts'
import type { IdentityOptions, JwtOptions } from '../server/authentication/identity-options.ts'
import type { Config, ServerConfig } from '../server/define-config.ts'
import type { FlagOptions } from '../service/flags/flag-options.ts'
import type { BuiltInOptions } from '../service/job-types/built-in.ts'
import type { ServiceOptions } from '../service/options.ts'
import type { OutboundOptions } from '../service/outbound/target.ts'
import type { EncryptionOptions } from '../store/encryption/encrypted.ts'
import { type Environment, invalid, Reader, refuseUnknown } from './variables.ts'

export type { Environment } from './variables.ts'

export interface StartSettings {
  /** null: the configuration has a store. */
  readonly databaseUrl: string | null
  readonly schema: string | undefined
  readonly identity: IdentityOptions
  readonly server: ServerConfig & { readonly host: string; readonly port: number }
  readonly service: ServiceOptions
  readonly application: string
  readonly tenant: string | undefined
  /** Of the application, which goes before that of the service. */
  readonly tenantConcurrency: number | undefined
  readonly slots: number
  readonly shutdownGrace: Duration
  readonly builtIn: BuiltInOptions
  /** null: contents are stored as they are. */
  readonly encryption: EncryptionOptions | null
  readonly logger: Logger | LogLevel | 'silent'
}

const [FEWEST_SLOTS, MOST_SLOTS, USUAL_CAP] = [40, 10_000, 10]

/** With the five seconds that the exit may take after it, the whole stop fits the 30 seconds of Kubernetes. */
const SHUTDOWN_GRACE = '20s'
/** Load balancers need a while to notice that it is not ready. */
const SHUTDOWN_DELAY = '5s'

const NO_WAY_IN =
  'Nobody could show who he is: set PONTUAL_JWT_SECRET (make one with: openssl rand -base64 48), or PONTUAL_JWKS_URL with PONTUAL_JWT_ISSUER and PONTUAL_JWT_AUDIENCE, ' +
  'or PONTUAL_API_KEYS=true where keys were made before, or `identity` in pontual.config.ts. There is no default. For trying out on this machine: pontual dev.'

/** What `pontual start` is told by its environment and, where that says nothing, by its configuration: checked. */
export function startSettings(environment: Environment, config: Config = {}): StartSettings {
  refuseUnknown(environment)
  const read = new Reader(environment)
  const tenantConcurrency = read.integer('PONTUAL_TENANT_CONCURRENCY', 0, 100_000)
  return {
    databaseUrl: config.store === undefined ? read.needed('DATABASE_URL') : null,
    schema: read.text('PONTUAL_SCHEMA'),
    identity: identityOf(read, config.identity),
    server: serverOf(read, config.server),
    service: serviceOf(read, environment, config.service),
    application: read.text('PONTUAL_APPLICATION') ?? config.application ?? 'pontual',
    tenant: read.text('PONTUAL_TENANT') ?? config.tenant,
    tenantConcurrency: tenantConcurrency === undefined ? config.tenantConcurrency : undefined,
    slots:
      read.integer('PONTUAL_SLOTS', 1, MOST_SLOTS) ??
      config.node?.slots ??
      serviceSlots(tenantConcurrency ?? config.tenantConcurrency ?? config.service?.tenantConcurrency),
    shutdownGrace: read.duration('PONTUAL_SHUTDOWN_GRACE') ?? config.shutdownGrace ?? SHUTDOWN_GRACE,
    builtIn: builtInOf(read, config.builtIn),
    encryption: encryptionOf(read),
    logger: read.oneOf<LogLevel | 'silent'>('PONTUAL_LOG', [...LOG_LEVELS, 'silent']) ?? config.logger ?? 'info',
  }
}

/** The slots of a service's node where nothing is said: handlers are asynchronous, and the cap of one tenant is a quarter at most. */
export function serviceSlots(cap = USUAL_CAP): number {
  return Math.min(MOST_SLOTS, Math.max(FEWEST_SLOTS, 4 * cap))
}

function serverOf(read: Reader, config: ServerConfig = {}): StartSettings['server'] {
  const [token, isPublic] = [
    read.text('PONTUAL_METRICS_TOKEN'),
    read.oneOf('PONTUAL_METRICS_PUBLIC', ['true', 'false']),
  ]
  const [dashboard, origins] = [dashboardOf(read), read.list('PONTUAL_CORS_ORIGINS')]
  return {
    ...config,
    host: read.text('PONTUAL_HOST') ?? config.host ?? '127.0.0.1',
    port: read.integer('PONTUAL_PORT', 0, 65_535) ?? config.port ?? 3_000,
    trustedProxies: read.integer('PONTUAL_TRUSTED_PROXIES', 0, 10) ?? config.trustedProxies ?? 0,
    metricsPort: read.integer('PONTUAL_METRICS_PORT', 0, 65_535) ?? config.metricsPort,
    metrics: { ...config.metrics, ...said({ token, isPublic: isPublic && isPublic === 'true' }) },
    cors: { ...config.cors, ...said({ origins }) },
    dashboard: dashboard ?? config.dashboard,
    shutdownDelay: read.duration('PONTUAL_SHUTDOWN_DELAY') ?? config.shutdownDelay ?? SHUTDOWN_DELAY,
  }
}

/** Whether the dashboard is served, where the environment says so. */
export function dashboardOf(read: Reader): boolean | undefined {
  const wanted = read.oneOf('PONTUAL_DASHBOARD', ['true', 'false'])
  return wanted === undefined ? undefined : wanted === 'true'
}

function serviceOf(read: Reader, environment: Environment, config: ServiceOptions = {}): ServiceOptions {
  const pingUrl = read.text('PONTUAL_PING_URL')
  return {
    isolation: 'required',
    tenantConcurrency: USUAL_CAP,
    ...config,
    ...said({
      cursorSecret: read.text('PONTUAL_CURSOR_SECRET'),
      isolation: read.oneOf('PONTUAL_ISOLATION', ['required', 'preferred']),
      onFaulted: read.oneOf('PONTUAL_ON_FAULTED', ['stop', 'continue']),
      approvalRules: read.oneOf('PONTUAL_APPROVAL_RULES', ['secondAdmin', 'oneAdmin']),
      tenantConcurrency: read.integer('PONTUAL_TENANT_CONCURRENCY', 0, 100_000),
      maxTenantConcurrency: read.integer('PONTUAL_MAX_TENANT_CONCURRENCY', 1, 100_000),
      jobsPerTenant: read.integer('PONTUAL_JOBS_PER_TENANT', 1, 1_000_000),
      frequentJobsPerTenant: read.integer('PONTUAL_FREQUENT_JOBS_PER_TENANT', 0, 1_000_000),
      queuedPerTenant: read.integer('PONTUAL_QUEUED_PER_TENANT', 1, 100_000_000),
      keysPerTenant: read.integer('PONTUAL_KEYS_PER_TENANT', 1, 1_000_000),
      flags: flagsOf(read),
      deadMansPing: pingUrl === undefined ? undefined : { url: pingUrl },
    }),
    ...notificationSettings(environment, config),
  }
}

/** Who is told of failures, and how. */
export function notificationSettings(
  environment: Environment,
  config: ServiceOptions = {},
): Pick<ServiceOptions, 'mail' | 'publicUrl' | 'webhooks'> {
  const read = new Reader(environment)
  const url = read.text('PONTUAL_SMTP_URL')
  const tls = read.oneOf('PONTUAL_SMTP_TLS', ['required', 'optional'])
  return {
    mail: url === undefined ? config.mail : { url, from: read.needed('PONTUAL_MAIL_FROM'), tls },
    publicUrl: read.text('PONTUAL_PUBLIC_URL') ?? config.publicUrl ?? read.text('PONTUAL_PUBLIC_ORIGIN'),
    webhooks: { ...config.webhooks, ...outboundOf(read, 'PONTUAL_WEBHOOK') },
  }
}

function encryptionOf(read: Reader): EncryptionOptions | null {
  const keys = read.text('PONTUAL_ENCRYPTION_KEYS')
  const plaintext = read.oneOf('PONTUAL_ENCRYPTION_PLAINTEXT', ['accepted', 'refused'])
  return keys === undefined ? null : { keys, plaintext }
}

function identityOf(read: Reader, config: IdentityOptions | undefined): IdentityOptions {
  const apiKeys = read.oneOf('PONTUAL_API_KEYS', ['true', 'false'])
  const publicOrigin = read.text('PONTUAL_PUBLIC_ORIGIN')
  const jwt = jwtOf(read)
  if (!jwt && apiKeys !== 'true' && config === undefined) throw new InvalidInputError('identity.missing', NO_WAY_IN)
  return {
    ...config,
    ...(jwt && { jwt }),
    ...(apiKeys !== undefined && { apiKeys: apiKeys === 'true' }),
    ...(publicOrigin !== undefined && { sessions: { ...config?.sessions, publicOrigin } }),
  }
}

function jwtOf(read: Reader): JwtOptions | null {
  const [secret, jwksUrl] = [read.text('PONTUAL_JWT_SECRET'), read.text('PONTUAL_JWKS_URL')]
  if (secret === undefined && jwksUrl === undefined) return null
  return {
    secret,
    jwksUrl,
    issuer: read.text('PONTUAL_JWT_ISSUER'),
    audience: read.text('PONTUAL_JWT_AUDIENCE'),
    claims: {
      tenant: read.text('PONTUAL_JWT_TENANT_CLAIM'),
      user: read.text('PONTUAL_JWT_USER_CLAIM'),
      profile: read.text('PONTUAL_JWT_PROFILE_CLAIM'),
      permissions: read.text('PONTUAL_JWT_PERMISSIONS_CLAIM'),
    },
  }
}

function outboundOf(read: Reader, prefix: 'PONTUAL_HTTP' | 'PONTUAL_WEBHOOK'): OutboundOptions {
  return said({
    hosts: read.list(`${prefix}_HOSTS`),
    ports: read.list(`${prefix}_PORTS`)?.map(Number),
    networks: read.list(`${prefix}_NETWORKS`),
  })
}

function builtInOf(read: Reader, config: BuiltInOptions = {}): BuiltInOptions {
  const programs = read.list('PONTUAL_COMMANDS')
  const command = programs && { command: { programs, tenants: read.list('PONTUAL_COMMAND_TENANTS') } }
  const outbound = outboundOf(read, 'PONTUAL_HTTP')
  const isOff = config.http === false && Object.keys(outbound).length === 0
  return { ...config, http: isOff ? false : { ...config.http, ...outbound }, ...command }
}

function flagsOf(read: Reader): FlagOptions | undefined {
  const off = read.list('PONTUAL_FLAGS_OFF')
  if (off === undefined) return undefined
  const unknown = off.find((each) => each !== 'none' && !FLAGS.some((flag) => flag === each))
  if (unknown !== undefined) throw invalid('PONTUAL_FLAGS_OFF', `none, or some of ${FLAGS.join(', ')}`, unknown)
  return { defaults: Object.fromEntries(FLAGS.filter((flag) => off.includes(flag)).map((flag) => [flag, false])) }
}

/** The fields that say something: what is not set takes nothing away from the configuration. */
function said<Fields extends object>(fields: Fields): Partial<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Fields>
}
