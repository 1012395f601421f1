import type { ExecutionView } from '../../service/execution-view.ts'
import type { Terminal } from '../terminal.ts'
import { formatAge, formatSpan, formatTook } from './age.ts'
import { shownLine } from './shown-text.ts'
import { statusTone } from './status-tone.ts'
import { type Column, drawTable } from './table.ts'
import { formatWallTime } from './wall-time.ts'

/** Executions as a table. */
export function drawExecutions(terminal: Terminal, executions: readonly ExecutionView[], zone: string): string {
  return drawTable(terminal, columnsIn(zone, terminal.now), executions)
}

function columnsIn(zone: string, now: number): readonly Column<ExecutionView>[] {
  return [
    { title: 'EXECUTION', cell: ({ id }) => id },
    { title: 'JOB', cell: ({ jobName, jobType }) => shownLine(jobName ?? jobType), narrowest: 8 },
    { title: 'STATUS', cell: ({ status }) => status, tone: ({ status }) => statusTone(status) },
    { title: 'AGE', cell: ({ createdAt }) => formatAge(Date.parse(createdAt), now), isRight: true },
    { title: 'CREATED', cell: ({ createdAt }) => formatWallTime(Date.parse(createdAt), zone), spare: 3 },
    { title: 'TOOK', cell: (execution) => tookOf(execution, now), isRight: true, spare: 2 },
    { title: 'TRY', cell: ({ retryCount }) => String(retryCount + 1), isRight: true, spare: 4 },
    { title: 'ERROR', cell: noticeOf, narrowest: 9, spare: 1 },
  ]
}

/** How long it took; of one that runs, how long it has been running. */
function tookOf({ status, startedAt, durationMs }: ExecutionView, now: number): string {
  if (durationMs !== null) return formatTook(durationMs)
  return status === 'RUNNING' && startedAt !== null ? `${formatSpan(Math.max(0, now - Date.parse(startedAt)))} …` : '-'
}

/** What there is to say about it beside its status. */
function noticeOf({ errorMessage, progress, progressNote, status }: ExecutionView): string {
  if (errorMessage !== null) return shownLine(errorMessage)
  if (status !== 'RUNNING' || progress === null) return ''
  return formatProgress(progress, progressNote)
}

/** How far it says it is: `45 % page 9 of 20`. */
export function formatProgress(progress: number, note: string | null): string {
  return shownLine(`${Math.round(progress * 100)} % ${note ?? ''}`)
}
