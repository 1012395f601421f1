import { resolve } from 'node:path'
import { InvalidInputError } from '../../errors.ts'
import { DEV_DATA, findDev } from '../dev-address.ts'
import type { Environment } from '../start-settings.ts'
import { type Connection, UnreachableError } from './connection.ts'
import { overHttp } from './over-http.ts'

export type { Connection } from './connection.ts'

/** Where the commands of operators ask. What is left out is taken from the environment. */
export interface ConnectOptions {
  /** Of a service. */
  readonly url?: string
  readonly databaseUrl?: string
  /** The schema of that database. */
  readonly schema?: string
  /** Whose jobs, straight on a database; a service knows that by who asks. Default: `default`. */
  readonly tenant?: string
  /** Where `pontual dev` keeps everything. Default: `.pontual`. */
  readonly data?: string
}

/** Finds the service: the one that is named, the database that is named, or the `pontual dev` that runs in this directory. What is said beats what is set. */
export async function connect(options: ConnectOptions, environment: Environment): Promise<Connection> {
  const { url, databaseUrl } = options
  if (url !== undefined && databaseUrl !== undefined) {
    throw contradiction('Give either --url or --database-url: a service, or the database behind it.')
  }
  if (url !== undefined) return await toService(url, options, environment)
  if (databaseUrl !== undefined) return await toDatabase(databaseUrl, '--database-url', options, environment)
  const [namedUrl, namedDatabase] = [environment['PONTUAL_URL']?.trim(), environment['DATABASE_URL']?.trim()]
  if (namedUrl) return await toService(namedUrl, options, environment)
  if (namedDatabase) return await toDatabase(namedDatabase, 'DATABASE_URL', options, environment)
  return await toDev(options)
}

async function toService(url: string, { tenant }: ConnectOptions, environment: Environment): Promise<Connection> {
  if (tenant !== undefined) {
    throw contradiction(
      '--tenant goes with a database: a service knows the tenant by the token or key in PONTUAL_TOKEN or PONTUAL_API_KEY.',
    )
  }
  return overHttp({ url, credentials: readCredentials(environment) })
}

async function toDatabase(
  url: string,
  named: string,
  { tenant, schema }: ConnectOptions,
  environment: Environment,
): Promise<Connection> {
  // Loaded where it is needed: all of a service stands behind it.
  const { onDatabase } = await import('./on-database.ts')
  return await onDatabase({
    url,
    schema: schema ?? environment['PONTUAL_SCHEMA']?.trim(),
    place: `the database of ${named}`,
    tenant,
    environment,
  })
}

async function toDev({ data = DEV_DATA, tenant }: ConnectOptions): Promise<Connection> {
  const dev = findDev(data)
  if (dev === null) throw nowhere(data)
  if (tenant !== undefined) throw contradiction('--tenant goes with --database-url or DATABASE_URL.')
  // Whoever asks it from this machine is Admin; a token that is meant for another service would be refused.
  return overHttp({ url: dev.url, credentials: {}, isStarting: () => findDev(data)?.url === dev.url })
}

function contradiction(message: string): InvalidInputError {
  return new InvalidInputError('option.contradiction', message)
}

function nowhere(data: string): UnreachableError {
  const message =
    'There is no service to ask: name one with --url or PONTUAL_URL, or a database with --database-url or DATABASE_URL, ' +
    `or start one with \`npx pontual dev\` (none runs on ${resolve(data)}).`
  return new UnreachableError('client.nowhere', message, { data: resolve(data) })
}

/** By what whoever uses this terminal shows who he is, as headers. Never of an option: what stands on a command line is seen by all. */
function readCredentials(environment: Environment): Readonly<Record<string, string>> {
  const [token, apiKey] = [environment['PONTUAL_TOKEN']?.trim(), environment['PONTUAL_API_KEY']?.trim()]
  if (token && apiKey) {
    const message = 'PONTUAL_TOKEN and PONTUAL_API_KEY are both set: which of them is meant? Unset one.'
    throw new InvalidInputError('setting.contradiction', message)
  }
  requireSendable('PONTUAL_TOKEN', token)
  requireSendable('PONTUAL_API_KEY', apiKey)
  return { ...(token && { authorization: `Bearer ${token}` }), ...(apiKey && { 'x-api-key': apiKey }) }
}

/** Without the value in the message: it is a secret, if perhaps a broken one. */
function requireSendable(name: string, value: string | undefined): void {
  if (value === undefined || /^[!-~]*$/.test(value)) return
  throw new InvalidInputError('setting.invalid', `${name} must be letters, digits and signs without spaces.`, { name })
}
