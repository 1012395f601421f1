import type { ExecutionView } from '../../service/execution-view.ts'
import { formatInstant } from '../../time/instant.ts'
import { type AskingOptions, asking, shownZone } from '../asking.ts'
import { collectPages, queryOf } from '../client/collect-pages.ts'
import { findJob } from '../client/find-job.ts'
import { drawExecutions } from '../print/execution-table.ts'
import { shownJson } from '../print/shown-text.ts'
import { readMoment } from '../read/moment.ts'
import type { Environment } from '../start-settings.ts'
import type { Terminal } from '../terminal.ts'

export interface ListExecutionsOptions extends AskingOptions {
  /** By name or id. */
  readonly job?: string
  readonly status?: readonly string[]
  readonly type?: string
  readonly search?: string
  /** A duration back from now, a day, or an instant. */
  readonly since?: string
  readonly until?: string
  readonly archived: boolean
  readonly limit: number
}

/** `pontual executions`: what has run, runs and waits, the newest first. */
export async function listExecutions(
  options: ListExecutionsOptions,
  environment: Environment,
  terminal: Terminal,
): Promise<void> {
  const { status, type, search, since, until, archived, limit, json } = options
  const zone = shownZone(options)
  const instant = (text: string | undefined, name: string) =>
    text === undefined ? undefined : formatInstant(readMoment(text, name, { now: terminal.now, zone }))
  const range = { from: instant(since, '--since'), to: instant(until, '--until') }
  const page = await asking(options, environment, async (connection) => {
    const jobId = options.job === undefined ? undefined : (await findJob(connection, options.job)).id
    const isArchived = archived ? 'true' : undefined
    const query = queryOf({ status, jobType: type, q: search, jobId, ...range, archived: isArchived })
    return await collectPages<ExecutionView>(connection, '/executions', query, limit)
  })
  if (json) {
    terminal.write(`${shownJson(page)}\n`)
    return
  }
  if (page.items.length === 0) terminal.note('No executions are found.\n')
  else terminal.write(drawExecutions(terminal, page.items, zone))
  if (page.nextCursor !== null)
    terminal.note(`The newest ${limit} are shown: see more with --limit, or fewer with --since.\n`)
}
