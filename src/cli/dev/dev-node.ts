import { resolve } from 'node:path'
import { systemEnv } from '../../clock.ts'
import type { AnyJobType } from '../../job/type/job-type.ts'
import type { Logger } from '../../logger.ts'
import { type Pontual, pontual } from '../../pontual.ts'
import type { Config } from '../../server/define-config.ts'
import { builtInTypes } from '../../service/job-types/built-in.ts'
import { isLocked } from '../../store/driver/lock-file.ts'
import { memory } from '../../store/memory/memory.ts'
import { pglite } from '../../store/postgres/pglite.ts'
import type { Locale } from '../../time/locale.ts'
import { engineOptions } from '../config/load-project.ts'
import { demoJobs } from '../demo/demo-jobs.ts'
import { setUpDemo } from '../demo/set-up-demo.ts'
import { type RunningService, runService, SERVICE_TIMEOUT } from '../run-service.ts'
import { dashboardOf, type Environment, notificationSettings, serviceSlots } from '../start-settings.ts'
import { Reader } from '../variables.ts'

/** What is to run on this machine. */
export interface DevNodeOptions {
  /** null: in memory. */
  readonly data: string | null
  /** The language of the demo; null: no demo. Without jobs of the user, the demo is all there is. */
  readonly demo: Locale | null
  readonly config?: Config | undefined
  readonly jobs?: readonly AnyJobType[] | undefined
  readonly port?: number | undefined
  readonly environment: Environment
  readonly logger?: Logger | undefined
}

export interface DevNode {
  /** `isFirst` is false for one that takes the place of another: then the demo has run its first jobs. */
  open(at?: { readonly port?: number | undefined; readonly isFirst?: boolean }): Promise<RunningService>
}

const STEP_MS = 250
const UNLOCK_WAITS = 30
const UNLOCK_WAIT_MS = 100
const DEFAULT_PORT = 3_000
/** Work that takes longer is given back and done again: nobody wants to wait for it who has changed a line, or pressed Ctrl+C. */
const SHUTDOWN_GRACE = '2s'
/** One that was killed is missed sooner than elsewhere: who starts it again is looking on. */
const STALE = { staleThreshold: '10s', staleCheckInterval: '2s' } as const

/** All that can be checked before the database is opened: one that is going to fail takes nobody's place. */
export function prepareDevNode(options: DevNodeOptions): DevNode {
  const { data, demo, config = {}, jobs = [], environment, logger } = options
  const read = new Reader(environment)
  const { tenant = 'default', server = {} } = config
  const app: Pontual = pontual({
    application: demo !== null && jobs.length === 0 ? 'demo' : 'pontual',
    defaultTimeout: SERVICE_TIMEOUT,
    shutdownGrace: SHUTDOWN_GRACE,
    ...STALE,
    onFaulted: 'stop',
    ...engineOptions(config),
    node: {
      ...config.node,
      slots: config.node?.slots ?? serviceSlots(config.tenantConcurrency ?? config.service?.tenantConcurrency),
    },
    logger: config.logger ?? logger,
    store: data === null ? memory() : pglite(data),
    jobs: [
      ...jobs,
      ...(demo === null ? [] : demoJobs({ env: systemEnv, stepMs: STEP_MS }, demo)),
      ...builtInTypes(() => app, config.builtIn),
    ],
  })
  const settledPort = options.port ?? read.integer('PONTUAL_PORT', 0, 65_535) ?? server.port ?? DEFAULT_PORT
  const apiOptions = {
    identity: { dev: { tenant } },
    service: { onFaulted: config.onFaulted, ...config.service, ...notificationSettings(environment, config.service) },
    cors: server.cors,
    limits: server.limits,
    metrics: server.metrics,
    streamsPerTenant: server.streamsPerTenant,
    shutdownDelay: server.shutdownDelay,
    dashboard: dashboardOf(read) ?? server.dashboard,
    host: '127.0.0.1',
  }
  return {
    open: async ({ port = settledPort, isFirst = true } = {}) => {
      if (data !== null) await untilUnlocked(data)
      const running = await runService(app, { ...apiOptions, port })
      try {
        if (demo !== null) await setUpDemo(app, running.service, { locale: demo, tenant, isFirst })
        return running
      } catch (error) {
        await running.stop()
        throw error
      }
    },
  }
}

/** The process of the jobs ends a moment after a `pontual dev` that was killed. Who holds on longer than that is refused as ever. */
async function untilUnlocked(data: string): Promise<void> {
  const lock = `${resolve(data)}.lock`
  for (let waits = 0; waits < UNLOCK_WAITS && isLocked(lock); waits += 1) {
    await new Promise<void>((done) => void systemEnv.after(UNLOCK_WAIT_MS, done))
  }
}
