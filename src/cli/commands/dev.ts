import process from 'node:process'
import { PontualError } from '../../errors.ts'
import type { Locale } from '../../time/locale.ts'
import { findConfig, type ProjectOptions } from '../config/load-project.ts'
import { demoLocale, demoTexts } from '../demo/texts.ts'
import { devLogger } from '../dev/dev-logger.ts'
import { type DevNodeOptions, prepareDevNode } from '../dev/dev-node.ts'
import { type Listening, supervise } from '../dev/supervise.ts'
import { DEV_DATA, demoData, devOn, leaveAddress } from '../dev-address.ts'
import { shellWord } from '../print/text.ts'
import type { RunningService } from '../run-service.ts'
import { untilStopped } from '../signals.ts'
import type { Environment } from '../start-settings.ts'
import type { Terminal } from '../terminal.ts'

export interface DevOptions extends ProjectOptions {
  readonly port?: number
  /** Where everything is kept. */
  readonly data?: string
  /** Keeps everything in memory instead. */
  readonly memory: boolean
  /** Beside the user's own jobs. */
  readonly demo: boolean
  /** Of the demo. Default: Portuguese for a Portuguese locale of the environment, otherwise English. */
  readonly locale?: Locale | undefined
  readonly json: boolean
}

const STOPPING = 'Stopping: what runs may finish first; Ctrl+C again ends at once.\n'

/** `pontual dev`: the user's jobs, or the demo where there are none, and their API on this machine, until it is ended. Whoever asks is Admin. */
export async function runDev(options: DevOptions, environment: Environment, terminal: Terminal): Promise<void> {
  const directory = process.cwd()
  const isOwn = findConfig(options.config, directory) !== null || options.jobs !== undefined
  const data = options.memory ? null : (options.data ?? (isOwn ? DEV_DATA : demoData(DEV_DATA)))
  if (data !== null) refuseSecond(data)
  const locale = options.locale ?? demoLocale(environment)
  const say = (text: string) => {
    if (!options.json) terminal.write(text)
  }
  say(`Starting; everything is kept ${data === null ? 'in memory' : `in ${data}`} …\n`)
  let takeAway = () => {}
  const tell = (listening: Listening) => {
    if (data !== null) takeAway = leaveAddress(data, listening.url)
    terminal.write(options.json ? `${JSON.stringify(factsOf(listening, data))}\n` : greeting(listening))
  }
  const stopped = untilStopped().then(() => say(STOPPING))
  try {
    if (isOwn) {
      const { config, jobs, port } = options
      await supervise({
        assignment: { config, jobs, directory, data, demo: options.demo ? locale : null, port },
        terminal,
        json: options.json,
        stopped,
        onListening: tell,
        onReloaded: (listening, tookMs) => {
          if (options.json) terminal.write(`${JSON.stringify(factsOf(listening, data))}\n`)
          else
            say(`Running again, after ${(tookMs / 1_000).toFixed(1)} s: ${listening.dashboardUrl ?? listening.url}\n`)
        },
      })
    } else {
      const running = await startDev({ data, port: options.port, environment, locale })
      tell({ url: running.url, dashboardUrl: running.dashboardUrl, jobs: [demoTexts(locale).importInvoices.name] })
      await stopped
      await running.stop()
    }
  } catch (error) {
    throw withAddress(error, data)
  } finally {
    takeAway()
  }
}

/** The demo in this process. */
export async function startDev(
  options: Pick<DevNodeOptions, 'data' | 'port' | 'environment'> & Pick<DevOptions, 'locale'>,
): Promise<RunningService> {
  const { data, port, environment, locale: demo = demoLocale(environment) } = options
  const logger = devLogger(environment, 'warn')
  return await prepareDevNode({ data, port, environment, demo, logger }).open()
}

function refuseSecond(data: string): void {
  const other = devOn(data)
  if (other === null) return
  const message = `pontual dev runs on ${data} already, at ${other.url} (process ${other.pid}): use that one, end it, or choose another directory with --data.`
  throw new PontualError('dev.running', message, { data, url: other.url, pid: other.pid })
}

/** Two that start at once find out at the lock. */
function withAddress(error: unknown, data: string | null): unknown {
  if (data !== null && error instanceof PontualError && error.code === 'store.locked') refuseSecond(data)
  return error
}

function factsOf({ url, dashboardUrl }: Listening, data: string | null): object {
  return { url, dashboardUrl, data, pid: process.pid }
}

/** What whoever has started `pontual dev` is told. Each of its commands can be pasted as it stands. */
function greeting({ url, dashboardUrl, jobs }: Listening): string {
  const place = dashboardUrl === null ? `It listens on ${url}` : `The dashboard is at ${dashboardUrl}`
  const [first] = jobs
  return `
${place}, for this machine only. Whoever asks is Admin: this is for trying out, not for production.

  curl ${url}/api/jobs                       # the jobs
${first === undefined ? '' : enqueueing(url, first)}  curl ${url}/api/jobs/executions            # what has run
  curl -N ${url}/api/jobs/events             # what happens, as it happens
  curl ${url}/api/jobs/openapi.json          # everything that can be asked

Ctrl+C ends it.
`
}

function enqueueing(url: string, job: string): string {
  return `  curl ${url}/api/jobs/enqueue \\
    -H 'content-type: application/json' \\
    -d ${shellWord(JSON.stringify({ jobName: job }))}${' '.repeat(Math.max(1, 41 - job.length))}# run one of them now
`
}
