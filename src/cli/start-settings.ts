import { InvalidInputError, quote } from '../errors.ts'
import { LOG_LEVELS, type LogLevel } from '../logger.ts'
import { didYouMean } from '../nearest.ts'
import type { IdentityOptions, JwtOptions } from '../server/authentication/identity-options.ts'
import type { BuiltInOptions } from '../service/job-types/built-in.ts'
import type { OutboundOptions } from '../service/outbound/target.ts'

/** The variables that `pontual start` reads, and what each of them is for. */
const VARIABLES = {
  DATABASE_URL: 'postgres://user:password@host:5432/database (needed)',
  PONTUAL_JWT_SECRET: 'secret of HS256 tokens, at least 32 bytes',
  PONTUAL_JWKS_URL: 'where the issuer of RS256 or ES256 tokens publishes its keys',
  PONTUAL_JWT_ISSUER: 'what iss has to be (needed with PONTUAL_JWKS_URL)',
  PONTUAL_JWT_AUDIENCE: 'what aud has to be (needed with PONTUAL_JWKS_URL)',
  PONTUAL_JWT_TENANT_CLAIM: 'the claim with the tenant (default clienteId)',
  PONTUAL_JWT_USER_CLAIM: 'the claim with the user (default sub)',
  PONTUAL_JWT_PROFILE_CLAIM: 'the claim with the profile (default profile)',
  PONTUAL_JWT_PERMISSIONS_CLAIM: 'the claim that narrows permissions (default permissions)',
  PONTUAL_API_KEYS: 'true: API keys are enough, without tokens; false: none are taken',
  PONTUAL_HOST: 'the address to listen on (default 127.0.0.1; 0.0.0.0 for all)',
  PONTUAL_PORT: 'the port to listen on (default 3000)',
  PONTUAL_PUBLIC_ORIGIN: 'the origin under which browsers see it, such as https://jobs.example.com',
  PONTUAL_TRUSTED_PROXIES: 'how many proxies of your own stand in front (default 0)',
  PONTUAL_CORS_ORIGINS: 'origins whose pages may ask, with commas between them (default none)',
  PONTUAL_CURSOR_SECRET: 'signs the cursors of lists; the same on every node',
  PONTUAL_ISOLATION: 'preferred: starts also where the database cannot keep tenants apart by itself (default required)',
  PONTUAL_APPLICATION: 'the name of the application whose jobs these are (default pontual)',
  PONTUAL_TENANT: 'the tenant of jobs that are declared in code (default default)',
  PONTUAL_TENANT_CONCURRENCY: 'how many executions of a tenant run at once (default 10)',
  PONTUAL_SLOTS: 'how many executions this node runs at once (default 10)',
  PONTUAL_HTTP_HOSTS: 'the only hosts that http.request may ask, with commas between them',
  PONTUAL_HTTP_PORTS: 'the ports that http.request may ask (default 80,443)',
  PONTUAL_HTTP_NETWORKS: 'private networks that http.request may ask, such as 10.1.0.0/16',
  PONTUAL_COMMANDS: 'absolute programs that command.run may run (default: there is no command.run)',
  PONTUAL_COMMAND_TENANTS: 'tenants whose jobs may run them (default all)',
  PONTUAL_LOG: `${LOG_LEVELS.join(', ')} or silent (default info)`,
  PONTUAL_CONFIG: 'a file with cron overrides',
} as const

/** What `pontual start --help` says about the environment. */
export function describeVariables(): string {
  const width = Math.max(...Object.keys(VARIABLES).map((name) => name.length))
  const lines = Object.entries(VARIABLES).map(([name, meaning]) => `  ${name.padEnd(width)}  ${meaning}`)
  return `\nEnvironment:\n${lines.join('\n')}\n`
}

type Variable = keyof typeof VARIABLES
export type Environment = Readonly<Record<string, string | undefined>>

export interface StartSettings {
  readonly databaseUrl: string
  readonly identity: IdentityOptions
  readonly host: string
  readonly port: number
  readonly trustedProxies: number
  readonly corsOrigins: readonly string[]
  readonly cursorSecret: string | undefined
  readonly isolation: 'required' | 'preferred'
  readonly application: string
  readonly tenant: string | undefined
  readonly tenantConcurrency: number
  readonly slots: number | undefined
  readonly builtIn: BuiltInOptions
  readonly logger: LogLevel | 'silent'
}

const NO_WAY_IN =
  'Nobody could show who he is: set PONTUAL_JWT_SECRET (make one with: openssl rand -base64 48), or PONTUAL_JWKS_URL with PONTUAL_JWT_ISSUER and PONTUAL_JWT_AUDIENCE, ' +
  'or PONTUAL_API_KEYS=true where keys were made before. There is no default. For trying out on this machine: pontual dev.'

/** Of cron overrides, one for each job. */
const OF_A_JOB = /^PONTUAL_JOBS__/

/** What `pontual start` is told by its environment, checked: a name that is not known would be a setting that does nothing. */
export function startSettings(environment: Environment): StartSettings {
  refuseUnknown(environment)
  const read = new Reader(environment)
  return {
    databaseUrl: read.needed('DATABASE_URL'),
    identity: identityOf(read),
    host: read.text('PONTUAL_HOST') ?? '127.0.0.1',
    port: read.integer('PONTUAL_PORT', 0, 65_535) ?? 3_000,
    trustedProxies: read.integer('PONTUAL_TRUSTED_PROXIES', 0, 10) ?? 0,
    corsOrigins: read.list('PONTUAL_CORS_ORIGINS') ?? [],
    cursorSecret: read.text('PONTUAL_CURSOR_SECRET'),
    isolation: read.oneOf('PONTUAL_ISOLATION', ['required', 'preferred']) ?? 'required',
    application: read.text('PONTUAL_APPLICATION') ?? 'pontual',
    tenant: read.text('PONTUAL_TENANT'),
    tenantConcurrency: read.integer('PONTUAL_TENANT_CONCURRENCY', 0, 100_000) ?? 10,
    slots: read.integer('PONTUAL_SLOTS', 1, 10_000),
    builtIn: { http: outboundOf(read), ...commandOf(read) },
    logger: read.oneOf('PONTUAL_LOG', [...LOG_LEVELS, 'silent']) ?? 'info',
  }
}

function identityOf(read: Reader): IdentityOptions {
  const apiKeys = read.oneOf('PONTUAL_API_KEYS', ['true', 'false'])
  const publicOrigin = read.text('PONTUAL_PUBLIC_ORIGIN')
  const jwt = jwtOf(read)
  if (!jwt && apiKeys !== 'true') throw new InvalidInputError('identity.missing', NO_WAY_IN)
  return {
    ...(jwt && { jwt }),
    ...(apiKeys !== undefined && { apiKeys: apiKeys === 'true' }),
    ...(publicOrigin !== undefined && { sessions: { publicOrigin } }),
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

function outboundOf(read: Reader): OutboundOptions {
  return {
    hosts: read.list('PONTUAL_HTTP_HOSTS'),
    ports: read.list('PONTUAL_HTTP_PORTS')?.map(Number),
    networks: read.list('PONTUAL_HTTP_NETWORKS'),
  }
}

function commandOf(read: Reader): Pick<BuiltInOptions, 'command'> {
  const programs = read.list('PONTUAL_COMMANDS')
  return programs === undefined ? {} : { command: { programs, tenants: read.list('PONTUAL_COMMAND_TENANTS') } }
}

function refuseUnknown(environment: Environment): void {
  const known = Object.keys(VARIABLES)
  for (const name of Object.keys(environment)) {
    if (!name.startsWith('PONTUAL_') || known.includes(name) || OF_A_JOB.test(name)) continue
    const message = `There is no setting ${quote(name)}.${didYouMean(name, known)}`
    throw new InvalidInputError('setting.unknown', message, { name })
  }
}

/** Variables by their kinds. One that is empty is not set. */
class Reader {
  readonly #environment: Environment

  constructor(environment: Environment) {
    this.#environment = environment
  }

  text(name: Variable): string | undefined {
    return this.#environment[name]?.trim() || undefined
  }

  needed(name: Variable): string {
    const text = this.text(name)
    if (text !== undefined) return text
    throw new InvalidInputError('setting.missing', `${name} is not set: ${VARIABLES[name]}.`, { name })
  }

  list(name: Variable): readonly string[] | undefined {
    const items = this.text(name)
      ?.split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
    return items?.length ? items : undefined
  }

  integer(name: Variable, min: number, max: number): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= min && value <= max) return value
    throw invalid(name, `a whole number of ${min}-${max}`, text)
  }

  oneOf<T extends string>(name: Variable, accepted: readonly T[]): T | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const found = accepted.find((each) => each === text)
    if (found !== undefined) return found
    throw invalid(name, `one of ${accepted.join(', ')}`, text)
  }
}

function invalid(name: Variable, accepted: string, received: string): InvalidInputError {
  return new InvalidInputError('setting.invalid', `${name} must be ${accepted}, got ${quote(received)}.`, { name })
}
