import type { HistoryEntryView } from '../../engine/durable/history-view.ts'
import type { AttemptView, ExecutionDetailView, ExecutionView } from '../../service/execution-view.ts'
import type { ChainMember, ChainRecord } from '../../store/executions.ts'
import { formatInstant } from '../../time/instant.ts'
import { type AskingOptions, asking, collectPages, queryOf, shownZone } from '../asking.ts'
import { AnsweredError, type Connection } from '../client/connection.ts'
import { findExecution, findJob } from '../client/find.ts'
import { outcomeOf } from '../follow/await-execution.ts'
import { readMoment } from '../option-values.ts'
import { drawExecutions, formatProgress, statusTone } from '../print/executions.ts'
import { formatAge, formatTook, formatWallTime } from '../print/instants.ts'
import { drawFields, drawTable, shownValue } from '../print/table.ts'
import { shownJson, shownLine, shownText } from '../print/text.ts'
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

/** One call of a durable execution, as it stands on the wire. */
type Activity = Pick<HistoryEntryView, 'sequence' | 'kind' | 'name' | 'status' | 'attempt'> & {
  readonly startedAt: string | null
  readonly endedAt: string | null
}

/** `pontual executions show`: one execution with its attempts, what it was given, what it gave and what went wrong. */
export async function showExecution(
  named: string,
  options: AskingOptions,
  environment: Environment,
  terminal: Terminal,
): Promise<void> {
  const zone = shownZone(options)
  const { execution, activities } = await asking(options, environment, async (connection) => {
    const execution = await findExecution(connection, named)
    return { execution, activities: await readActivities(connection, execution.id) }
  })
  if (options.json) {
    terminal.write(`${shownJson({ ...execution, activities })}\n`)
    return
  }
  terminal.write(drawExecution(terminal, execution, zone))
  if (execution.attempts.length > 0) terminal.write(`\n${drawAttempts(terminal, execution.attempts, zone)}`)
  if (activities !== null && activities.length > 0) terminal.write(`\n${drawActivities(terminal, activities)}`)
  terminal.note(`\nIts log: pontual logs ${execution.id}\n`)
}

/** null: it is not durable, or what it did is not kept. */
async function readActivities(connection: Connection, id: string): Promise<readonly Activity[] | null> {
  try {
    const { items } = await connection.ask<{ items: Activity[] }>('GET', `/executions/${id}/activities?archived=true`)
    return items
  } catch (error) {
    if (error instanceof AnsweredError && (error.status === 409 || error.status === 410)) return null
    throw error
  }
}

function drawExecution(terminal: Terminal, execution: ExecutionDetailView, zone: string): string {
  const { now } = terminal
  const at = (instant: string | null) =>
    instant === null ? null : `${formatWallTime(Date.parse(instant), zone)} (${formatAge(Date.parse(instant), now)})`
  const { jobName, jobType, error, errorMessage, recommendedAction, progress, progressNote } = execution
  const told = errorMessage === null ? null : shownText(error?.name ? `${error.name}: ${errorMessage}` : errorMessage)
  return `${terminal.tone(shownLine(jobName ?? jobType), 'strong')}\n${drawFields(terminal, [
    ['execution', execution.id],
    ['status', outcomeOf(terminal, execution)],
    ['waits', execution.isTypeUnknown ? terminal.tone('no active node knows this job type', 'bad') : null],
    ['error', told === null ? null : terminal.tone(told, 'bad')],
    ['what to do', recommendedAction === null ? null : shownText(recommendedAction)],
    ['progress', progress === null ? null : formatProgress(progress, progressNote)],
    ['created', `${at(execution.createdAt) ?? ''}, by ${originOf(execution)}`],
    ['due', at(execution.scheduledAt)],
    ['started', at(execution.startedAt)],
    ['ended', at(execution.completedAt)],
    ['next try', at(execution.nextRetryAt)],
    ['misfire', shownValue(execution.misfire)],
    ['diverged', shownValue(execution.divergence)],
    ['repeats', execution.retryOf],
    ['type', shownLine(jobType)],
    ['input', shownValue(execution.payload, execution.payloadError)],
    ['output', shownValue(execution.output, execution.outputError)],
  ])}`
}

function originOf({ origin, executedBy }: ExecutionDetailView): string {
  return shownLine(executedBy === null ? origin : `${origin} (${executedBy})`)
}

function drawAttempts(terminal: Terminal, attempts: readonly AttemptView[], zone: string): string {
  return drawTable<AttemptView>(
    terminal,
    [
      { title: 'ATTEMPT', cell: ({ attempt }) => String(attempt), isRight: true },
      { title: 'STATUS', cell: ({ status }) => status, tone: ({ status }) => statusTone(status) },
      { title: 'STARTED', cell: ({ startedAt }) => formatWallTime(Date.parse(startedAt), zone) },
      { title: 'TOOK', cell: ({ startedAt, endedAt }) => spanOf(startedAt, endedAt), isRight: true },
      { title: 'NODE', cell: ({ nodeId }) => nodeId ?? '-', spare: 1 },
      { title: 'ERROR', cell: ({ errorMessage }) => shownLine(errorMessage ?? ''), narrowest: 16 },
    ],
    attempts,
  )
}

function drawActivities(terminal: Terminal, activities: readonly Activity[]): string {
  return drawTable<Activity>(
    terminal,
    [
      { title: 'CALL', cell: ({ sequence }) => String(sequence), isRight: true },
      { title: 'KIND', cell: ({ kind }) => kind },
      { title: 'NAME', cell: ({ name }) => shownLine(name), narrowest: 12 },
      { title: 'STATUS', cell: ({ status }) => status, tone: ({ status }) => (status === 'FAILED' ? 'bad' : null) },
      { title: 'TRY', cell: ({ attempt }) => String(attempt), isRight: true, spare: 1 },
      { title: 'TOOK', cell: ({ startedAt, endedAt }) => spanOf(startedAt, endedAt), isRight: true },
    ],
    activities,
  )
}

function spanOf(startedAt: string | null, endedAt: string | null): string {
  return startedAt === null || endedAt === null
    ? '-'
    : formatTook(Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)))
}

/** `pontual executions chain`: the executions of a chain, and which of them each one runs after. */
export async function showChain(
  named: string,
  options: AskingOptions,
  environment: Environment,
  terminal: Terminal,
): Promise<void> {
  const chain = await asking(options, environment, async (connection) => {
    const { id } = await findExecution(connection, named)
    return await connection.ask<ChainRecord>('GET', `/executions/${id}/chain?archived=true`)
  })
  if (options.json) {
    terminal.write(`${shownJson(chain)}\n`)
    return
  }
  const after = (id: string) => chain.links.filter(({ to }) => to === id).map(({ from, on }) => `${from} (${on})`)
  terminal.write(
    drawTable<ChainMember>(
      terminal,
      [
        { title: 'EXECUTION', cell: ({ id }) => id },
        { title: 'TYPE', cell: ({ jobType }) => shownLine(jobType), narrowest: 12 },
        { title: 'STATUS', cell: ({ status }) => status, tone: ({ status }) => statusTone(status) },
        { title: 'AFTER', cell: ({ id }) => after(id).join(', ') },
      ],
      chain.executions,
    ),
  )
}
