import type { HistoryEntryView } from '../../engine/durable/history-view.ts'
import type { AttemptView, ExecutionDetailView } from '../../service/execution-view.ts'
import { type AskingOptions, asking, shownZone } from '../asking.ts'
import type { Connection } from '../client/connection.ts'
import { AnsweredError } from '../client/errors.ts'
import { findExecution } from '../client/find-work.ts'
import { outcomeOf } from '../follow/tell-outcome.ts'
import { formatAge, formatTook } from '../print/age.ts'
import { formatProgress } from '../print/execution-table.ts'
import { drawFields, shownValue } from '../print/fields.ts'
import { shownJson, shownLine, shownText } from '../print/shown-text.ts'
import { statusTone } from '../print/status-tone.ts'
import { drawTable } from '../print/table.ts'
import { formatWallTime } from '../print/wall-time.ts'
import type { Environment } from '../start-settings.ts'
import type { Terminal } from '../terminal.ts'

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
