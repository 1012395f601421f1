import { type Env, systemEnv } from '../../clock.ts'
import type { AttemptStatus, ExecutionStatus } from '../../job/execution/execution.ts'
import type { JobStatus } from '../../job/job-status.ts'
import type { LogLevel } from '../../logger.ts'
import type { LogLineView } from '../../service/answers.ts'
import type { ExecutionView } from '../../service/execution-view.ts'
import type { Terminal, Tone } from '../terminal.ts'
import { formatAge, formatSpan, formatTook, formatWallTime } from './instants.ts'
import { type Column, drawTable } from './table.ts'
import { shownJson, shownLine, shownText } from './text.ts'

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

const TONES: Readonly<Record<ExecutionStatus | AttemptStatus | JobStatus, Tone | null>> = {
  SUCCESS: 'good',
  FAILED: 'bad',
  TIMEOUT: 'bad',
  LOST: 'bad',
  DIVERGED: 'bad',
  FAULTED: 'bad',
  CANCELLED: 'warn',
  PENDING_APPROVAL: 'warn',
  PAUSED: 'warn',
  RUNNING: 'strong',
  ACTIVE: 'good',
  APPROVED: 'good',
  QUEUED: null,
  WAITING: null,
  DISABLED: 'dim',
  DELETED: 'dim',
}

/** How a status stands out. */
export function statusTone(status: keyof typeof TONES): Tone | null {
  return TONES[status] ?? null
}

const LEVEL_TONES: Readonly<Record<LogLevel, Tone | null>> = { debug: 'dim', info: null, warn: 'warn', error: 'bad' }

const LEVEL_WIDTH = 5

/** A line of a log, as somebody at a terminal reads it. What has lines of its own is indented, so that none of them passes for a line of the log. */
export function formatLogLine(terminal: Pick<Terminal, 'tone'>, line: LogLineView, zone: string): string {
  const { at, level, message, fields } = line
  const time = terminal.tone(formatExactTime(Date.parse(at), zone), 'dim')
  const text = shownText(message).replaceAll('\n', '\n    ')
  const told = fields === null || fields === undefined ? '' : ` ${terminal.tone(shownJson(fields), 'dim')}`
  const tone = LEVEL_TONES[level]
  const word = level.toUpperCase().padEnd(LEVEL_WIDTH)
  return `${time} ${tone === null ? word : terminal.tone(word, tone)} ${text}${told}\n`
}

/** Wall time with milliseconds and offset, without the day of the week: `2026-03-07 02:30:00.123 -05:00`. */
function formatExactTime(instant: number, zone: string): string {
  const [, day = '', time = '', offset = ''] = formatWallTime(instant, zone).split(' ')
  return `${day} ${time}.${String(instant % 1_000).padStart(3, '0')} ${offset}`
}

/** Tells how far long work is. */
export interface Progress {
  /** How far it is, as a sentence without its end: `12 of 40 entries`. */
  report(text: string): void
  /** What was shown goes: what follows is the answer. */
  end(): void
}

/** A person sees each step, since it overwrites the one before; a log has a line now and then, and none of work that is soon done. */
const REDRAW_MS = 50

const LOG_MS = 5_000

const REWRITE = '\r\x1b[K'

/** Progress goes to standard error. With `--json` there is none. */
export function createProgress(
  terminal: Pick<Terminal, 'note' | 'isFollowed' | 'columns'>,
  { json, env = systemEnv }: { readonly json: boolean; readonly env?: Env },
): Progress {
  if (json) return { report: () => {}, end: () => {} }
  const { isFollowed, columns } = terminal
  const everyMs = isFollowed ? REDRAW_MS : LOG_MS
  let lastAt = env.monotonic() - (isFollowed ? everyMs : 0)
  let isShown = false
  return {
    report(text) {
      if (env.monotonic() - lastAt < everyMs) return
      lastAt = env.monotonic()
      isShown = isFollowed
      // A line that is too long could not be overwritten.
      terminal.note(isFollowed ? `${REWRITE}${text.slice(0, columns - 2)} …` : `${text} …\n`)
    },
    end() {
      if (isShown) terminal.note(REWRITE)
      isShown = false
    },
  }
}

/** How far it says it is: `45 % page 9 of 20`. */
export function formatProgress(progress: number, note: string | null): string {
  return shownLine(`${Math.round(progress * 100)} % ${note ?? ''}`)
}
