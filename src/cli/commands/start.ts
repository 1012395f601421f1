import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { InvalidInputError, quote } from '../../errors.ts'
import type { AnyJobType } from '../../job/job-type.ts'
import { type Pontual, pontual } from '../../pontual.ts'
import { builtInTypes } from '../../service/job-types/built-in.ts'
import { postgres } from '../../store/postgres/postgres.ts'
import { type RunningService, runService, SERVICE_TIMEOUT } from '../run-service.ts'
import { type Environment, type StartSettings, startSettings } from '../start-settings.ts'
import type { Terminal } from '../terminal.ts'
import { untilStopped } from '../until-stopped.ts'

export interface StartOptions {
  /** A module that exports `jobs`, a list of job types. */
  readonly jobs?: string
}

/** `pontual start`: a node and its API, told what to do by its environment, until it is ended. */
export async function runStart(options: StartOptions, environment: Environment, terminal: Terminal): Promise<void> {
  const settings = startSettings(environment)
  const running = await startNode(settings, options.jobs === undefined ? [] : jobsOf(options.jobs))
  terminal.write(`Pontual listens on ${running.url}.\n`)
  await untilStopped()
  terminal.write('Stopping: what runs may finish first.\n')
  await running.stop()
}

export async function startNode(settings: StartSettings, jobs: readonly AnyJobType[]): Promise<RunningService> {
  const { databaseUrl, tenant, tenantConcurrency, slots, application, builtIn, logger } = settings
  const app: Pontual = pontual({
    application,
    defaultTimeout: SERVICE_TIMEOUT,
    store: postgres(databaseUrl),
    jobs: [...jobs, ...builtInTypes(() => app, builtIn)],
    node: { slots },
    tenant,
    logger,
  })
  const { identity, host, port, trustedProxies, corsOrigins, cursorSecret, isolation } = settings
  return await runService(app, {
    identity,
    service: { cursorSecret, tenantConcurrency, isolation },
    cors: { origins: corsOrigins },
    host,
    port,
    trustedProxies,
  })
}

/** The job types of a module. */
export function jobsOf(file: string): readonly AnyJobType[] {
  const { jobs } = load(file)
  if (Array.isArray(jobs)) return jobs as readonly AnyJobType[]
  const message = `--jobs: ${quote(file)} must export jobs, a list of what job(…) gives.`
  throw new InvalidInputError('option.invalid', message, { name: 'jobs' })
}

function load(file: string): { readonly jobs?: unknown } {
  try {
    return createRequire(import.meta.url)(resolve(file)) as { readonly jobs?: unknown }
  } catch (cause) {
    const message = `--jobs: ${quote(file)} could not be loaded: ${reasonOf(cause)}`
    throw new InvalidInputError('option.invalid', message, { name: 'jobs' }, { cause })
  }
}

/** In one line: what follows in Node's own messages is where it was asked for, which is here. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const { code } = cause as NodeJS.ErrnoException
  if (code === 'ERR_REQUIRE_ASYNC_MODULE') return 'it must not await at its top level.'
  return cause.message.split('\n', 1)[0] ?? ''
}
