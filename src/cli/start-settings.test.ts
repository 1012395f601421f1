import { describe, expect, it } from 'vitest'
import { type Environment, startSettings } from './start-settings.ts'

const DATABASE_URL = 'postgres://user@db/pontual'
const NEEDED = { DATABASE_URL, PONTUAL_API_KEYS: 'true' }

describe('the environment of pontual start', () => {
  it('has a default for everything but the database and who may ask', () => {
    expect(startSettings({ ...NEEDED, HOME: '/root', PONTUAL_LOG: '' })).toEqual({
      databaseUrl: DATABASE_URL,
      identity: { apiKeys: true },
      host: '127.0.0.1',
      port: 3_000,
      trustedProxies: 0,
      corsOrigins: [],
      cursorSecret: undefined,
      isolation: 'required',
      application: 'pontual',
      tenant: undefined,
      tenantConcurrency: 10,
      slots: undefined,
      builtIn: { http: { hosts: undefined, ports: undefined, networks: undefined } },
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
    [{ PONTUAL_JWT_SECRET: 's', PONTUAL_API_KEYS: 'false' }, { identity: { apiKeys: false } }],
    [{ PONTUAL_PUBLIC_ORIGIN: 'https://x' }, { identity: { sessions: { publicOrigin: 'https://x' } } }],
    [
      { PONTUAL_PORT: '0', PONTUAL_HOST: '0.0.0.0' },
      { port: 0, host: '0.0.0.0' },
    ],
    [{ PONTUAL_CORS_ORIGINS: 'https://a, https://b,' }, { corsOrigins: ['https://a', 'https://b'] }],
    [{ PONTUAL_HTTP_PORTS: '443,8443' }, { builtIn: { http: { ports: [443, 8_443] } } }],
    [{ PONTUAL_COMMANDS: '/bin/ls' }, { builtIn: { command: { programs: ['/bin/ls'] } } }],
    [{ PONTUAL_JOBS__NIGHTLY__CRON: '* * * * *', PONTUAL_CONFIG: 'x' }, {}],
  ])('is read: %j', (environment, expected) => {
    expect(startSettings({ ...NEEDED, ...environment })).toMatchObject(expected)
  })

  it.each<[Environment, string]>([
    [{ DATABASE_URL: undefined }, 'DATABASE_URL is not set: postgres://user:password@host:5432/database (needed).'],
    [{ DATABASE_URL: ' ' }, 'DATABASE_URL is not set'],
    [
      { PONTUAL_CORS_ORIGIN: 'https://a' },
      'There is no setting "PONTUAL_CORS_ORIGIN". Did you mean "PONTUAL_CORS_ORIGINS"?',
    ],
    [{ PONTUAL_API_KEYS: undefined }, 'Nobody could show who he is: set PONTUAL_JWT_SECRET'],
    [{ PONTUAL_API_KEYS: 'false' }, 'Nobody could show who he is'],
    [{ PONTUAL_PORT: '70000' }, 'PONTUAL_PORT must be a whole number of 0-65535, got "70000".'],
    [{ PONTUAL_PORT: '0x10' }, 'PONTUAL_PORT must be a whole number'],
    [{ PONTUAL_API_KEYS: 'yes' }, 'PONTUAL_API_KEYS must be one of true, false, got "yes".'],
    [{ PONTUAL_LOG: 'loud' }, 'PONTUAL_LOG must be one of debug, info, warn, error, silent'],
  ])('is refused: %j', (environment, message) => {
    expect(() => startSettings({ ...NEEDED, ...environment })).toThrow(message)
  })
})
