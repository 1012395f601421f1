import { type Env, systemEnv } from '../../clock.ts'
import { LOG_LEVELS, type LogLevel } from '../../logger.ts'
import type { LogLineView, LogsAnswer, Page } from '../../service/answers.ts'
import type { ExecutionView } from '../../service/execution-view.ts'
import type { JobView } from '../../service/job-view.ts'
import { type AskingOptions, asking, queryOf, shownZone } from '../asking.ts'
import { type Connection, isPassing } from '../client/connection.ts'
import { findWork, lastExecution } from '../client/find.ts'
import { failureOf, outcomeOf } from '../follow/await-execution.ts'
import { followExecution } from '../follow/follow-execution.ts'
import { formatLogLine } from '../print/executions.ts'
import { formatWallTime } from '../print/instants.ts'
import { shownJson, shownLine } from '../print/text.ts'
import { interruptible, pause } from '../signals.ts'
import type { Environment } from '../start-settings.ts'
import type { Terminal } from '../terminal.ts'

export interface ShowLogsOptions extends AskingOptions {
  readonly follow: boolean
  /** The lowest level that is shown. */
  readonly level?: LogLevel
  readonly attempt?: number
}

const PAGE = 200
const LOOK_MS = 2_000

/** `pontual logs`: what an execution has logged, or the last one of a job; with `--follow` also what it is going to log, and of a job each execution after it. */
export async function showLogs(
  named: string,
  options: ShowLogsOptions,
  environment: Environment,
  terminal: Terminal,
): Promise<void> {
  await asking(options, environment, async (connection) => {
    const work = await findWork(connection, named)
    const logs = new Logs(connection, options, terminal)
    if (work.kind === 'execution') {
      if (options.follow) await interruptible((signal) => logs.follow(work.execution, signal), 'Stopped following.')
      else await logs.print(work.execution)
    } else if (options.follow) {
      await interruptible((signal) => logs.followJob(work.job, signal), 'Stopped following.')
    } else {
      await logs.print(await lastExecution(connection, work.job))
    }
  })
}

/** A service that is away for a while comes back; until somebody has had enough. */
function whileAway(error: unknown): readonly ExecutionView[] {
  if (isPassing(error)) return []
  throw error
}

/** Logs as they are shown on one terminal. */
class Logs {
  readonly #connection: Connection
  readonly #options: ShowLogsOptions
  readonly #terminal: Terminal
  readonly #zone: string
  readonly #env: Env = systemEnv

  constructor(connection: Connection, options: ShowLogsOptions, terminal: Terminal) {
    this.#connection = connection
    this.#options = options
    this.#terminal = terminal
    this.#zone = shownZone(options)
  }

  /** All there is. */
  async print(execution: ExecutionView): Promise<void> {
    const { level, attempt, json } = this.#options
    const lines: LogLineView[] = []
    this.#announce(execution)
    for (let after: string | null | undefined; after !== null; ) {
      const query = queryOf({
        after,
        level,
        attempt: attempt === undefined ? undefined : String(attempt),
        archived: 'true',
        limit: String(PAGE),
      })
      const page: LogsAnswer = await this.#connection.ask('GET', `/executions/${execution.id}/logs?${query.toString()}`)
      if (json) lines.push(...page.items)
      else for (const line of page.items) this.#show(execution.id, line)
      after = page.nextCursor
    }
    if (json) this.#terminal.write(`${shownJson({ executionId: execution.id, items: lines })}\n`)
    else this.#conclude(execution)
  }

  /** Until it has ended. */
  async follow(execution: ExecutionView, signal: AbortSignal): Promise<void> {
    this.#announce(execution)
    const ended = await followExecution(this.#connection, execution.id, {
      signal,
      onLine: (line) => this.#show(execution.id, line),
      onCut: (reason) => this.#note(`Cut off (${shownLine(reason)}); looking for it again …\n`),
    })
    this.#conclude(ended)
  }

  /** The last execution of a job, and each one that comes after it, in their order. */
  async followJob(job: JobView, signal: AbortSignal): Promise<void> {
    let last = ''
    while (!signal.aborted) {
      const found = await this.#after(job, last, signal).catch(whileAway)
      for (const next of found) {
        await this.follow(next, signal)
        last = next.id
      }
      if (found.length === 0) {
        if (last === '') this.#note(`${shownLine(job.name)} has not run; waiting for its first execution.\n`)
        // Ids grow with time, and this one is less than all of them.
        last ||= '0'
        await pause(this.#env, LOOK_MS, signal)
      }
    }
  }

  /** Executions of a job that are newer than one, the oldest first; at the beginning the newest alone. */
  async #after({ id }: JobView, last: string, signal: AbortSignal): Promise<readonly ExecutionView[]> {
    const found: ExecutionView[] = []
    let cursor: string | null = null
    do {
      const query = queryOf({ limit: String(last === '' ? 1 : PAGE), cursor: cursor ?? undefined })
      const page: Page<ExecutionView> = await this.#connection.ask(
        'GET',
        `/${id}/history?${query.toString()}`,
        undefined,
        { signal },
      )
      const newer = page.items.filter((execution) => execution.id > last)
      found.push(...newer)
      // Whoever runs once a second for a day has more than fit on a page.
      cursor = last !== '' && newer.length === page.items.length ? page.nextCursor : null
    } while (cursor !== null)
    return found.toReversed()
  }

  #announce({ id, jobName, jobType, createdAt }: ExecutionView): void {
    const at = formatWallTime(Date.parse(createdAt), this.#zone)
    this.#note(`${shownLine(jobName ?? jobType)}, execution ${id}, ${at}, ${this.#zone}\n`)
  }

  #conclude(execution: ExecutionView): void {
    const failure = failureOf(execution)
    this.#note(`${outcomeOf(this.#terminal, execution)}\n${failure === null ? '' : `${failure}\n`}`)
  }

  #show(executionId: string, line: LogLineView): void {
    const { level, attempt, json } = this.#options
    if (level !== undefined && LOG_LEVELS.indexOf(line.level) < LOG_LEVELS.indexOf(level)) return
    if (attempt !== undefined && line.attempt !== attempt) return
    this.#terminal.write(
      json ? `${shownJson({ executionId, ...line })}\n` : formatLogLine(this.#terminal, line, this.#zone),
    )
  }

  /** Progress and remarks have no place in JSON. */
  #note(text: string): void {
    if (!this.#options.json) this.#terminal.note(text)
  }
}
