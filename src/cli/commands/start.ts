import process from 'node:process'
import { systemEnv } from '../../clock.ts'
import { InvalidInputError } from '../../errors.ts'
import type { AnyJobType } from '../../job/type/job-type.ts'
import { type Pontual, pontual } from '../../pontual.ts'
import type { Config } from '../../server/define-config.ts'
import { builtInTypes } from '../../service/job-types/built-in.ts'
import { encrypted } from '../../store/encryption/encrypted.ts'
import { postgres } from '../../store/postgres/postgres.ts'
import type { StoreSource } from '../../store/store.ts'
import { engineOptions, loadProject, type ProjectOptions } from '../config/load-project.ts'
import { EXIT_CODES } from '../errors.ts'
import { type RunningService, runService, SERVICE_TIMEOUT } from '../run-service.ts'
import { exitOnSignal, killAfter, StillRunningError, untilStopped } from '../signals.ts'
import { type Environment, type StartSettings, startSettings } from '../start-settings.ts'
import type { Terminal } from '../terminal.ts'
import { readTypeScript } from '../typescript/read-typescript.ts'

/** How long after the shutdown grace the process exits, even if the database does not answer. */
const EXIT_MS = 4_500
/** How long after the shutdown grace it is killed if a handler blocks the event loop. */
const KILL_MS = 5_000

export interface StartOptions extends ProjectOptions {
  readonly host?: string
  readonly port?: number
  readonly json: boolean
}

/** `pontual start`: a node and its API, told what to do by its options, its environment and its configuration, until it is ended. */
export async function runStart(options: StartOptions, environment: Environment, terminal: Terminal): Promise<void> {
  readTypeScript()
  const { config, jobs } = await loadProject(options, { directory: process.cwd() })
  const settings = startSettings(environment, config)
  const { host = settings.server.host, port = settings.server.port } = options
  const running = await startNode({ ...settings, server: { ...settings.server, host, port } }, jobs, config)
  terminal.write(options.json ? `${JSON.stringify(factsOf(running))}\n` : greeting(running))
  await untilStopped()
  exitOnSignal()
  killAfter(running.graceMs + KILL_MS)
  if (!options.json) terminal.write('Stopping: what runs may finish first; a second signal ends at once.\n')
  const cancel = systemEnv.after(running.graceMs + EXIT_MS, () => {
    terminal.note('Could not stop in time, for example because the database does not answer.\n')
    process.exit(EXIT_CODES.stillRunning)
  })
  const stillRunning = await running.stop()
  cancel()
  if (stillRunning.length > 0) throw new StillRunningError(stillRunning)
  // A handler whose execution ended before, by its timeout, may still run, and would keep the process.
  process.exit(EXIT_CODES.done)
}

export async function startNode(
  settings: StartSettings,
  jobs: readonly AnyJobType[],
  config: Config = {},
): Promise<RunningService> {
  const { tenant, tenantConcurrency, slots, shutdownGrace, application, builtIn, encryption, logger } = settings
  const store = storeOf(settings, config)
  const { onFaulted = config.onFaulted ?? 'stop' } = settings.service
  const app: Pontual = pontual({
    defaultTimeout: SERVICE_TIMEOUT,
    ...engineOptions(config),
    shutdownGrace,
    onFaulted,
    application,
    store: encryption ? encrypted(store, encryption) : store,
    jobs: [...jobs, ...builtInTypes(() => app, builtIn)],
    node: { ...config.node, slots },
    tenant,
    tenantConcurrency,
    logger,
  })
  return await runService(app, {
    identity: settings.identity,
    service: { ...settings.service, onFaulted },
    ...settings.server,
  })
}

function storeOf({ databaseUrl, schema }: StartSettings, { store }: Config): StoreSource {
  if (store !== undefined) return typeof store === 'function' ? store() : store
  if (databaseUrl !== null) return postgres(databaseUrl, { schema })
  throw new InvalidInputError('store.connection_missing', 'There is no database: set DATABASE_URL.')
}

function factsOf({ url, dashboardUrl, metricsUrl }: RunningService): object {
  return { url, dashboardUrl, metricsUrl, pid: process.pid }
}

function greeting({ url, dashboardUrl, metricsUrl }: RunningService): string {
  const dashboard = dashboardUrl === null ? '' : `; its dashboard is at ${dashboardUrl}`
  const metrics = metricsUrl === null ? '' : `Metrics are on ${metricsUrl}/metrics.\n`
  return `Pontual listens on ${url}${dashboard}.\n${metrics}`
}
