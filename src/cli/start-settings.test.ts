import { describe, expect, it } from 'vitest'
import type { Config } from '../server/define-config.ts'
import { memory } from '../store/memory/memory.ts'
import { type Environment, startSettings } from './start-settings.ts'

const DATABASE_URL = 'postgres://user@db/pontual'
const NEEDED = { DATABASE_URL, PONTUAL_API_KEYS: 'true' }

describe('the environment of pontual start', () => {
  it('has a default for everything but the database and who may ask', () => {
    expect(startSettings({ ...NEEDED, HOME: '/root', PONTUAL_LOG: '' })).toEqual({
      databaseUrl: DATABASE_URL,
      identity: { apiKeys: true },
      server: {
        host: '127.0.0.1',
        port: 3_000,
        trustedProxies: 0,
        metricsPort: undefined,
        metrics: {},
        cors: {},
        dashboard: undefined,
        shutdownDelay: '5s',
      },
      service: { isolation: 'required', tenantConcurrency: 10, mail: undefined, publicUrl: undefined, webhooks: {} },
      application: 'pontual',
      tenant: undefined,
      tenantConcurrency: undefined,
      slots: 40,
      shutdownGrace: '20s',
      builtIn: { http: {} },
      encryption: null,
      logger: 'info',
    })
  })

  it.each<[Environment, object]>([
    [
      { PONTUAL_JWT_SECRET: 's', PONTUAL_JWT_TENANT_CLAIM: 'org' },
      { identity: { jwt: { secret: 's', claims: { tenant: 'org' } } } },
    ],
    [{ PONTUAL_JWKS_URL: 'u', PONTUAL_JWT_ISSUER: 'i' }, { identity: { jwt: { jwksUrl: 'u', issuer: 'i' } } }],
    [{ PONTUAL_API_KEYS: 'true' }, { identity: { apiKeys: true } }],
    [
      { PONTUAL_METRICS_TOKEN: 't', PONTUAL_METRICS_PORT: '9464', PONTUAL_METRICS_PUBLIC: 'true' },
      { server: { metrics: { token: 't', isPublic: true }, metricsPort: 9_464 } },
    ],
    [{ PONTUAL_JWT_SECRET: 's', PONTUAL_API_KEYS: 'false' }, { identity: { apiKeys: false } }],
    [{ PONTUAL_PUBLIC_ORIGIN: 'https://x' }, { identity: { sessions: { publicOrigin: 'https://x' } } }],
    [
      { PONTUAL_SHUTDOWN_GRACE: '1m', PONTUAL_SHUTDOWN_DELAY: '0s' },
      { shutdownGrace: 60_000, server: { shutdownDelay: 0 } },
    ],
    [{ PONTUAL_PORT: '0', PONTUAL_HOST: '0.0.0.0' }, { server: { port: 0, host: '0.0.0.0' } }],
    [{ PONTUAL_CORS_ORIGINS: 'https://a, https://b,' }, { server: { cors: { origins: ['https://a', 'https://b'] } } }],
    [{ PONTUAL_FLAGS_OFF: 'JOB_NOTIFICATIONS,' }, { service: { flags: { defaults: { JOB_NOTIFICATIONS: false } } } }],
    [{ PONTUAL_FLAGS_OFF: 'none' }, { service: { flags: { defaults: {} } } }],
    [{ PONTUAL_HTTP_PORTS: '443,8443' }, { builtIn: { http: { ports: [443, 8_443] } } }],
    [
      {
        PONTUAL_SMTP_URL: 'smtp://mail',
        PONTUAL_MAIL_FROM: 'a@example.com',
        PONTUAL_SMTP_TLS: 'optional',
        PONTUAL_PUBLIC_ORIGIN: 'https://x',
      },
      {
        service: {
          mail: { url: 'smtp://mail', from: 'a@example.com', tls: 'optional' },
          publicUrl: 'https://x',
        },
      },
    ],
    [
      { PONTUAL_PUBLIC_URL: 'https://y/jobs', PONTUAL_WEBHOOK_NETWORKS: '10.1.0.0/16' },
      { service: { publicUrl: 'https://y/jobs', webhooks: { networks: ['10.1.0.0/16'] } } },
    ],
    [{ PONTUAL_PING_URL: 'https://hc.example/x' }, { service: { deadMansPing: { url: 'https://hc.example/x' } } }],
    [{ PONTUAL_DASHBOARD: 'false' }, { server: { dashboard: false } }],
    [
      { PONTUAL_JOBS_PER_TENANT: '5', PONTUAL_QUEUED_PER_TENANT: '7' },
      { service: { jobsPerTenant: 5, queuedPerTenant: 7 } },
    ],
    [{ PONTUAL_URL: 'https://jobs.example', PONTUAL_TOKEN: 'of a client' }, {}],
    [{ PONTUAL_COMMANDS: '/bin/ls' }, { builtIn: { command: { programs: ['/bin/ls'] } } }],
    [{ PONTUAL_JOBS__NIGHTLY__CRON: '* * * * *', PONTUAL_CONFIG: 'x' }, {}],
  ])('is read: %j', (environment, expected) => {
    expect(startSettings({ ...NEEDED, ...environment })).toMatchObject(expected)
  })

  it.each<[Environment, string]>([
    [
      { DATABASE_URL: undefined },
      'DATABASE_URL is not set: postgres://user:password@host:5432/database (needed, unless pontual.config.ts has a store).',
    ],
    [{ DATABASE_URL: ' ' }, 'DATABASE_URL is not set'],
    [
      { PONTUAL_CORS_ORIGIN: 'https://a' },
      'There is no setting "PONTUAL_CORS_ORIGIN". Did you mean "PONTUAL_CORS_ORIGINS"?',
    ],
    [{ PONTUAL_API_KEYS: undefined }, 'Nobody could show who he is: set PONTUAL_JWT_SECRET'],
    [{ PONTUAL_API_KEYS: 'false' }, 'Nobody could show who he is'],
    [{ PONTUAL_SMTP_URL: 'smtp://mail' }, 'PONTUAL_MAIL_FROM is not set'],
    [{ PONTUAL_PORT: '70000' }, 'PONTUAL_PORT must be a whole number of 0-65535, got "70000".'],
    [{ PONTUAL_PORT: '0x10' }, 'PONTUAL_PORT must be a whole number'],
    [{ PONTUAL_API_KEYS: 'yes' }, 'PONTUAL_API_KEYS must be one of true, false, got "yes".'],
    [{ PONTUAL_LOG: 'loud' }, 'PONTUAL_LOG must be one of debug, info, warn, error, silent'],
  ])('is refused: %j', (environment, message) => {
    expect(() => startSettings({ ...NEEDED, ...environment })).toThrow(message)
  })
})

describe('the configuration of pontual start', () => {
  const config: Config = {
    application: 'billing',
    tenant: 'acme',
    tenantConcurrency: 3,
    store: () => memory(),
    node: { slots: 20 },
    identity: { apiKeys: true, sessions: { lifetimeMs: 1 } },
    service: { jobsPerTenant: 50, publicUrl: 'https://file' },
    server: { port: 4_000, dashboard: false, cors: { origins: ['https://file'] } },
    builtIn: { http: false },
    logger: 'warn',
  }

  it('says what the environment leaves open: the database too, and who may ask', () => {
    expect(startSettings({}, config)).toMatchObject({
      databaseUrl: null,
      application: 'billing',
      tenant: 'acme',
      tenantConcurrency: 3,
      slots: 20,
      identity: { apiKeys: true, sessions: { lifetimeMs: 1 } },
      service: { jobsPerTenant: 50, publicUrl: 'https://file', isolation: 'required' },
      server: { host: '127.0.0.1', port: 4_000, dashboard: false, cors: { origins: ['https://file'] } },
      builtIn: { http: false },
      logger: 'warn',
    })
  })

  it.each<[Environment, object]>([
    [{ PONTUAL_APPLICATION: 'a' }, { application: 'a' }],
    [{ PONTUAL_TENANT: 'b' }, { tenant: 'b' }],
    [{ PONTUAL_TENANT_CONCURRENCY: '4' }, { tenantConcurrency: undefined, service: { tenantConcurrency: 4 } }],
    [{ PONTUAL_SLOTS: '2' }, { slots: 2 }],
    [{ PONTUAL_PORT: '5000' }, { server: { port: 5_000, dashboard: false } }],
    [{ PONTUAL_DASHBOARD: 'true' }, { server: { dashboard: true } }],
    [{ PONTUAL_CORS_ORIGINS: 'https://env' }, { server: { cors: { origins: ['https://env'] } } }],
    [{ PONTUAL_JOBS_PER_TENANT: '9' }, { service: { jobsPerTenant: 9, publicUrl: 'https://file' } }],
    [{ PONTUAL_PUBLIC_URL: 'https://env' }, { service: { publicUrl: 'https://env' } }],
    [
      { PONTUAL_PUBLIC_ORIGIN: 'https://env' },
      { identity: { sessions: { lifetimeMs: 1, publicOrigin: 'https://env' } } },
    ],
    [{ PONTUAL_HTTP_HOSTS: 'example.com' }, { builtIn: { http: { hosts: ['example.com'] } } }],
    [{ PONTUAL_LOG: 'debug' }, { logger: 'debug' }],
  ])('gives way to %j', (environment, expected) => {
    expect(startSettings(environment, config)).toMatchObject(expected)
  })
})
