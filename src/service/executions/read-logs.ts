import { requirePermission } from '../../access/principal.ts'
import { streamLogs } from '../../engine/app/log-stream.ts'
import { LOG_LEVELS } from '../../logger.ts'
import type { WhereToLook } from '../../store/archive.ts'
import type { LogLine, LogQuery, TenantLogStore } from '../../store/logs.ts'
import { requireInteger, requireOneOf } from '../../time/require.ts'
import type { LogLineView, LogsAnswer } from '../answers.ts'
import { NotFoundError } from '../errors.ts'
import { isArchive, ownExecution, ownJob } from '../owned.ts'
import { MAX_PAGE } from '../page.ts'
import type { ExecutionLogsQuery, LogFilterQuery, LogsQuery } from '../requests.ts'
import type { Scope } from '../scope.ts'
import { wireInstant, wireValue } from '../wire-value.ts'
import { requireKept } from './erase-execution.ts'

const MAX_LINES = MAX_PAGE * 5

/** As many as PostgreSQL can count. */
const MAX_ATTEMPT = 2_147_483_647

/** The log of one execution of a job; without one named, of its last. */
export async function jobLogs(scope: Scope, id: string, query: LogsQuery): Promise<LogsAnswer> {
  requirePermission(scope.principal, 'jobs:viewLogs')
  const limit = requireInteger(query.limit, 'limit', 1, MAX_LINES)
  const executionId = await executionOfJob(scope, id, query)
  if (executionId === null) return { executionId, items: [], nextCursor: null }
  return await readPage(scope, executionId, { ...query, limit })
}

/** The log of one execution, wherever it comes from. */
export async function executionLogs(scope: Scope, id: string, query: ExecutionLogsQuery): Promise<LogsAnswer> {
  requirePermission(scope.principal, 'jobs:viewLogs')
  const limit = requireInteger(query.limit, 'limit', 1, MAX_LINES)
  const executionId = await keptExecution(scope, id, query)
  return await readPage(scope, executionId, { ...query, limit })
}

/** The same as text, all of it, a piece at a time. Who asks is checked before the first. */
export async function executionLogText(
  scope: Scope,
  id: string,
  query: LogFilterQuery,
): Promise<AsyncIterable<string>> {
  requirePermission(scope.principal, 'jobs:viewLogs')
  return textOfLog(scope, await keptExecution(scope, id, query), filterOf(query))
}

async function* textOfLog({ store }: Scope, executionId: string, filter: LineFilter): AsyncGenerator<string> {
  for (let after: number | undefined; ; ) {
    const lines = await store.logs.read({ executionId, ...filter, after, limit: MAX_PAGE })
    if (lines.length > 0) yield lines.map(textOfLine).join('')
    if (lines.length < MAX_PAGE) return
    after = lines.at(-1)?.sequence
  }
}

type LineFilter = Pick<LogQuery, 'lowest' | 'attempt' | 'archived'>

function filterOf({ level, attempt, archived }: LogFilterQuery): LineFilter {
  if (level !== undefined) requireOneOf(level, 'level', LOG_LEVELS)
  if (attempt !== undefined) requireInteger(attempt, 'attempt', 1, MAX_ATTEMPT)
  return { lowest: level, attempt, archived }
}

async function keptExecution(scope: Scope, id: string, { archived }: LogFilterQuery): Promise<string> {
  const execution = await ownExecution(scope, id, { archived })
  requireKept(execution)
  return execution.id
}

async function readPage(scope: Scope, executionId: string, query: ExecutionLogsQuery): Promise<LogsAnswer> {
  const { limit, after } = query
  if (after !== undefined) requireInteger(after, 'after', 0)
  const lines = await scope.store.logs.read({ executionId, ...filterOf(query), after, limit: limit + 1 })
  const items = lines.slice(0, limit)
  const last = items.at(-1)
  const hasMore = lines.length > limit && last !== undefined
  return { executionId, items: items.map(viewOfLine), nextCursor: hasMore ? String(last.sequence) : null }
}

async function executionOfJob(scope: Scope, id: string, { executionId, archived }: LogsQuery): Promise<string | null> {
  const { tenant, store } = scope
  const job = await ownJob(scope, id)
  if (executionId === undefined) {
    const [last] = await store.executions.list({ tenant, jobId: job.id, limit: 1, archived })
    if (!last || (!archived && isArchive(scope, last))) return null
    requireKept(last)
    return last.id
  }
  const execution = await ownExecution(scope, executionId, { archived })
  requireKept(execution)
  if (execution.jobId === job.id) return execution.id
  throw notOfJob(execution.id, job.id)
}

export function notOfJob(executionId: string, jobId: string): NotFoundError {
  const message = `Execution "${executionId}" is not one of job "${jobId}".`
  return new NotFoundError('not_found', message, { case: 'notOfJob', executionId, jobId })
}

/** Lines as they come, until the execution has ended or the signal is aborted. Who asks is checked before the first. */
export async function followLogs(
  scope: Scope,
  id: string,
  { after, signal }: { readonly after?: number | undefined; readonly signal: AbortSignal },
): Promise<AsyncIterable<LogLine>> {
  requirePermission(scope.principal, 'jobs:viewLogs')
  const execution = await ownExecution(scope, id)
  requireKept(execution)
  const { id: executionId } = execution
  return streamLogs(scope.store, scope.opened.pauses, executionId, { after, follow: true, signal })
}

function viewOfLine({ sequence, attempt, at, level, message, fields }: LogLine): LogLineView {
  return { sequence, attempt, at: wireInstant(at), level, message, fields: wireValue(fields) }
}

const MAX_TEXT_LINES = 1_000

const MAX_CHARACTERS = 262_144

/** The log of an execution as text, a line for each of its lines. Of a long one the beginning, with a last line that says so. */
export async function logText(logs: TenantLogStore, executionId: string, where: WhereToLook = {}): Promise<string> {
  const lines = await logs.read({ ...where, executionId, limit: MAX_TEXT_LINES + 1 })
  let text = ''
  for (const [index, line] of lines.entries()) {
    const next = textOfLine(line)
    if (index === MAX_TEXT_LINES || text.length + next.length > MAX_CHARACTERS)
      return `${text}… cut here; the rest is in the log.\n`
    text += next
  }
  return text
}

/** A line as text. What has lines of its own is indented from the second on, so that none of them is taken for a line of the log. */
export function textOfLine({ at, level, message, fields }: LogLine): string {
  const text = withoutEscapes(message).replaceAll(LINE_BREAK, '\n    ')
  const told = fields === null ? '' : ` ${visibleJson(fields)}`
  return `${wireInstant(at)} ${level.toUpperCase()} ${text}${told}\n`
}

const LINE_BREAK = /[\n\u2028\u2029]/g

/** What JSON need not escape, and a terminal obeys or an editor breaks lines at. */
const UNSEEN_IN_JSON = /[\p{Cc}\u2028\u2029]/gu

/** The same JSON, in which nothing is left that a terminal would obey. */
export function visibleJson(json: string): string {
  return json.replaceAll(UNSEEN_IN_JSON, escapedInJson)
}

function escapedInJson(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

// What is no letter, with what moves a cursor, colours letters or names a window behind it.
const UNSEEN = /(?![\n\t])\p{Cc}(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\p{Cc}]*(?:\p{Cc}\\?)?)?/gu

/** Text that a terminal shows and does not obey. */
export function withoutEscapes(text: string): string {
  return text.replaceAll(UNSEEN, '')
}
