import { systemEnv } from '../../clock.ts'
import { type Pontual, pontual } from '../../pontual.ts'
import { builtInTypes } from '../../service/job-types/built-in.ts'
import { memory } from '../../store/memory/memory.ts'
import { pglite } from '../../store/postgres/pglite.ts'
import { demoJobs } from '../demo/demo-jobs.ts'
import { type RunningService, runService, SERVICE_TIMEOUT } from '../run-service.ts'
import type { Terminal } from '../terminal.ts'
import { untilStopped } from '../until-stopped.ts'

export interface DevOptions {
  readonly port: number
  /** Where everything is kept. */
  readonly data: string
  /** Keeps everything in memory instead. */
  readonly memory: boolean
}

const STEP_MS = 250

/** `pontual dev`: the demo and its API on this machine, until it is ended. Whoever asks is Admin. */
export async function runDev(options: DevOptions, terminal: Terminal): Promise<void> {
  const place = options.memory ? 'in memory' : `in ${options.data}`
  terminal.write(`Starting; everything is kept ${place} …\n`)
  const running = await startDev(options)
  terminal.write(greeting(running.url))
  await untilStopped()
  terminal.write('Stopping: what runs may finish first; Ctrl+C again ends at once.\n')
  await running.stop()
}

export async function startDev({ port, data, memory: isInMemory }: DevOptions): Promise<RunningService> {
  const app: Pontual = pontual({
    application: 'demo',
    defaultTimeout: SERVICE_TIMEOUT,
    store: isInMemory ? memory() : pglite(data),
    jobs: [...demoJobs({ env: systemEnv, stepMs: STEP_MS }), ...builtInTypes(() => app)],
  })
  return await runService(app, { identity: { dev: true }, host: '127.0.0.1', port })
}

/** Each of its lines can be pasted as it stands. */
function greeting(url: string): string {
  return `
Pontual listens on ${url}, on this machine only. Whoever asks is Admin: this is for trying out, not for production.

  curl ${url}/api/jobs                       # the jobs
  curl ${url}/api/jobs/enqueue \\
    -H 'content-type: application/json' \\
    -d '{"jobName":"ImportarFaturas"}'                         # run one of them now
  curl ${url}/api/jobs/executions            # what has run
  curl -N ${url}/api/jobs/events             # what happens, as it happens
  curl ${url}/api/jobs/openapi.json          # everything that can be asked

Ctrl+C ends it.
`
}
