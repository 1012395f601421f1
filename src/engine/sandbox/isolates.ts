import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Env } from '../../clock.ts'
import { InvalidInputError, quote } from '../../errors.ts'
import type { Isolation } from '../../job/type/isolation.ts'
import type { AnyJobType, JobContext } from '../../job/type/job-type.ts'
import type { Logger } from '../../logger.ts'
import { urlOf } from './inside/load-handler.ts'
import { isolatedType } from './isolate-mark.ts'
import { IsolatePool } from './pool.ts'

/** How long the last isolates may take to end: a thread inside of a native call cannot be killed. */
const STOP_MS = 2_000

export interface IsolatesOptions {
  readonly env: Env
  readonly logger: Logger
}

type IsolatedRun = (input: unknown, context: JobContext) => Promise<unknown>

/** The isolates of a node. */
export class Isolates {
  readonly #options: IsolatesOptions
  readonly #pools = new Map<string, IsolatePool>()
  readonly #modules: { readonly jobType: string; readonly url: string }[] = []

  constructor(options: IsolatesOptions) {
    this.#options = options
  }

  /** Runs the handler of a job type outside of this event loop. */
  runnerOf({ id }: AnyJobType, isolation: Isolation): IsolatedRun {
    const pool = new IsolatePool({ ...this.#options, jobType: id, isolation })
    this.#pools.set(id, pool)
    if (isolation.handler.from === 'module') this.#modules.push({ jobType: id, url: urlOf(isolation.handler.file) })
    return (input, context) => pool.run(input, context)
  }

  /** Refuses what cannot work: better now than at three in the morning. */
  check(): void {
    requireOutside()
    for (const { jobType, url } of this.#modules) requireFile(jobType, url)
  }

  /** Starts those that are to be there before the first run. */
  warmUp(): void {
    for (const pool of this.#pools.values()) pool.warmUp()
  }

  /** Afterwards none is left. */
  async stop(): Promise<void> {
    const pools = [...this.#pools.values()]
    await new Promise<void>((resolve) => {
      const cancel = this.#options.env.after(STOP_MS, () => {
        const left = pools.reduce((sum, pool) => sum + pool.kill(), 0)
        this.#options.logger.error('Isolates do not end, and are left behind', { left })
        resolve()
      })
      void Promise.all(pools.map((pool) => pool.stop())).then(() => {
        cancel()
        resolve()
      })
    })
  }
}

/** A module that starts its application when it is imported would do so in each isolate, which would have isolates again. */
function requireOutside(): void {
  const jobType = isolatedType()
  if (jobType === null) return
  const message = `Job type ${quote(jobType)}: a node cannot be started inside of its isolate. Put the handler into a module that does not start the application.`
  throw new InvalidInputError('isolate.nested', message, { jobType })
}

function requireFile(jobType: string, url: string): void {
  if (existsSync(fileURLToPath(url))) return
  const message = `Job type ${quote(jobType)}: isolate.module ${url} does not exist.`
  throw new InvalidInputError('isolate.module_missing', message, { jobType, url })
}
