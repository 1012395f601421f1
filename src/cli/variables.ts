import { parseDuration } from '../duration.ts'
import { InvalidInputError, quote } from '../errors.ts'
import { LOG_LEVELS } from '../logger.ts'
import { didYouMean } from '../nearest.ts'

/** The variables that `pontual start` reads, and what each of them is for. */
export const VARIABLES = {
  DATABASE_URL: 'postgres://user:password@host:5432/database (needed, unless pontual.config.ts has a store)',
  PONTUAL_SCHEMA: 'the schema that contains the tables (default pontual)',
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
  PONTUAL_DASHBOARD: 'false: no dashboard is served; true: it has to be there (default: where it is there)',
  PONTUAL_CORS_ORIGINS: 'origins whose pages may ask, with commas between them (default none)',
  PONTUAL_METRICS_TOKEN: 'who sends it as a bearer token is given the metrics of all tenants',
  PONTUAL_METRICS_PUBLIC: 'true: whoever asks is given them (default false)',
  PONTUAL_METRICS_PORT: 'serves metrics and health on a port of their own, and metrics nowhere else',
  PONTUAL_CURSOR_SECRET: 'signs the cursors of lists; the same on every node',
  PONTUAL_ISOLATION: 'preferred: starts also where the database cannot keep tenants apart by itself (default required)',
  PONTUAL_APPLICATION: 'the name of the application whose jobs these are (default pontual)',
  PONTUAL_TENANT: 'the tenant of jobs that are declared in code (default default)',
  PONTUAL_ON_FAULTED: 'continue: a job that is FAULTED continues to fire (default stop)',
  PONTUAL_APPROVAL_RULES: 'oneAdmin: an Admin can loosen approval rules alone (default secondAdmin)',
  PONTUAL_TENANT_CONCURRENCY: 'how many executions of a tenant run at once (default 10)',
  PONTUAL_MAX_TENANT_CONCURRENCY: 'the most that an Admin may set for a tenant (default 100)',
  PONTUAL_JOBS_PER_TENANT: 'how many jobs a tenant may have (default 10000)',
  PONTUAL_FREQUENT_JOBS_PER_TENANT: 'how many of them may fire more often than once a minute (default 100)',
  PONTUAL_QUEUED_PER_TENANT:
    'how many executions of a tenant may wait before no more can be asked for (default 100000)',
  PONTUAL_KEYS_PER_TENANT: 'how many API keys a tenant may have (default 1000)',
  PONTUAL_FLAGS_OFF: 'flags that are off for tenants that say nothing else, with commas between them; none: all are on',
  PONTUAL_SLOTS: 'how many executions this node runs at once (default 40, at least four times the cap of a tenant)',
  PONTUAL_SHUTDOWN_GRACE: 'how long running work may take to finish once the service is told to stop (default 20s)',
  PONTUAL_SHUTDOWN_DELAY: 'how long HTTP is served once the service is told to stop (default 5s)',
  PONTUAL_HTTP_HOSTS: 'the only hosts that http.request may ask, with commas between them',
  PONTUAL_HTTP_PORTS: 'the ports that http.request may ask (default 80,443)',
  PONTUAL_HTTP_NETWORKS: 'private networks that http.request may ask, such as 10.1.0.0/16',
  PONTUAL_SMTP_URL:
    'the mail server, smtp://user:password@mail.example.com:587 or smtps://… (default: no mail is sent)',
  PONTUAL_SMTP_TLS: 'optional: mails may also be sent in the open (default required, but on this machine)',
  PONTUAL_MAIL_FROM: 'whom mails are from, such as jobs@example.com (needed with PONTUAL_SMTP_URL)',
  PONTUAL_PUBLIC_URL: 'where people find the service, for links in mails (default PONTUAL_PUBLIC_ORIGIN)',
  PONTUAL_WEBHOOK_HOSTS: 'the only hosts that webhooks may go to, with commas between them',
  PONTUAL_WEBHOOK_PORTS: 'the ports that webhooks may go to (default 80,443)',
  PONTUAL_WEBHOOK_NETWORKS: 'private networks that webhooks may go to, such as 10.1.0.0/16',
  PONTUAL_COMMANDS: 'absolute programs that command.run may run (default: there is no command.run)',
  PONTUAL_COMMAND_TENANTS: 'tenants whose jobs may run them (default all)',
  PONTUAL_ENCRYPTION_KEYS:
    'encrypts contents: id:base64,older:base64, keys of 32 bytes, the current one first (default: none)',
  PONTUAL_ENCRYPTION_PLAINTEXT: 'accepted: what was stored without encryption is read too (default refused)',
  PONTUAL_PING_URL: 'an address outside that is asked every minute while a node lives (default none)',
  PONTUAL_LOG: `${LOG_LEVELS.join(', ')} or silent (default info)`,
  PONTUAL_CONFIG: 'a JSON file with cron overrides',
} as const

/** What `pontual start --help` says about the environment. */
export function describeVariables(): string {
  const width = Math.max(...Object.keys(VARIABLES).map((name) => name.length))
  const lines = Object.entries(VARIABLES).map(([name, meaning]) => `  ${name.padEnd(width)}  ${meaning}`)
  return `\nEnvironment:\n${lines.join('\n')}\n`
}

export type Variable = keyof typeof VARIABLES
export type Environment = Readonly<Record<string, string | undefined>>

/** Of cron overrides, one for each job. */
const OF_A_JOB = /^PONTUAL_JOBS__/
/** Of the commands that ask a service, which may be set beside those of one. */
const OF_CLIENTS = ['PONTUAL_URL', 'PONTUAL_TOKEN', 'PONTUAL_API_KEY']

/** A name that is not known would be a setting that does nothing. */
export function refuseUnknown(environment: Environment): void {
  const known = [...Object.keys(VARIABLES), ...OF_CLIENTS]
  for (const name of Object.keys(environment)) {
    if (!name.startsWith('PONTUAL_') || known.includes(name) || OF_A_JOB.test(name)) continue
    const message = `There is no setting ${quote(name)}.${didYouMean(name, known)}`
    throw new InvalidInputError('setting.unknown', message, { name })
  }
}

/** Variables by their kinds. One that is empty is not set. */
export class Reader {
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

  duration(name: Variable): number | undefined {
    const text = this.text(name)
    return text === undefined ? undefined : parseDuration(text, name)
  }

  oneOf<T extends string>(name: Variable, accepted: readonly T[]): T | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const found = accepted.find((each) => each === text)
    if (found !== undefined) return found
    throw invalid(name, `one of ${accepted.join(', ')}`, text)
  }
}

export function invalid(name: Variable, accepted: string, received: string): InvalidInputError {
  return new InvalidInputError('setting.invalid', `${name} must be ${accepted}, got ${quote(received)}.`, { name })
}
