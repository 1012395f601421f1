import type { Failure } from '../../../job/execution/execution.ts'
import { ERASED } from '../../../job/execution/unreadable.ts'
import type { NewAuditEntry } from '../../audit.ts'
import type { ContentStore, ContentTable, EraseResult, StoredText } from '../../contents.ts'
import { ERASED_FAILURE } from '../../contents.ts'
import type { ArchivedRow } from '../schema/archive-tables.ts'
import { keyOf } from '../schema/table.ts'
import type { Tables } from '../schema/tables.ts'
import type { Session } from '../session.ts'

/** Gives what a text becomes. */
type Change = (table: ContentTable, column: string, part: string, text: string, name?: string) => string

export function contentStore(session: Session): ContentStore {
  return {
    read: (after, limit) =>
      session.statement((tables) => {
        const behind = tables.executionsInOrder.ascending(({ id }) => after !== null && id <= after)
        const bodies = [...behind].slice(0, limit)
        const texts: StoredText[] = []
        for (const { id, tenant, options } of bodies) {
          change(tables, id, (table, column, part, text, name = '') => {
            const origin = options?.seed ?? id
            texts.push({ executionId: id, tenant, origin, table, column, part, text, name: name === '' ? null : name })
            return text
          })
        }
        return { last: bodies.at(-1)?.id ?? null, texts }
      }),
    rewrite: (changes) =>
      session.statement((tables) => {
        let rewritten = 0
        const asked = new Map(
          changes.map(({ executionId, table, column, part, before, after }) => [
            keyOf(executionId, table, column, part, before),
            after,
          ]),
        )
        for (const id of new Set(changes.map(({ executionId }) => executionId))) {
          change(tables, id, (table, column, part, text) => {
            const after = asked.get(keyOf(id, table, column, part, text))
            if (after !== undefined) rewritten += 1
            return after ?? text
          })
        }
        return rewritten
      }),
    erase: (executionId, audit) => session.statement((tables, now) => erase(tables, executionId, now, audit)),
  }
}

function erase(tables: Tables, id: string, now: number, audit: NewAuditEntry | undefined): EraseResult {
  const body = tables.executions.get(id)
  const archived = tables.archive.executions.get(id)
  if (archived) {
    tables.archive.executions.put(erasedArchived(archived))
    changeRun(tables, id, () => ERASED)
    forget(tables, id)
    if (audit) tables.audit.write(audit, now)
    return 'erased'
  }
  if (!body) return 'unknown'
  const result = tables.results.get(id)
  if (!result) return 'open'
  const failure = JSON.stringify(ERASED_FAILURE)
  change(tables, id, (table, column) => (column === 'error' && table !== 'history_entries' ? failure : ERASED))
  // One that had no payload is known by its mark as well.
  const erased = Object.freeze({ ...body, payload: ERASED })
  tables.executions.put(erased)
  tables.results.put({ ...(tables.results.get(id) ?? result), body: erased })
  forget(tables, id)
  if (audit) tables.audit.write(audit, now)
  return 'erased'
}

/** What is kept of it for others, and why it was cancelled. */
function forget({ cached, runs }: Tables, id: string): void {
  for (const row of cached.rows()) {
    if (row.executionId === id) cached.take(keyOf(row.tenant, row.jobType, row.hash))
  }
  const cancellation = runs.cancellations.get(id)
  if (cancellation) runs.cancellations.set(id, { ...cancellation, reason: null })
}

function erasedArchived({ body, result, execution, entries, log }: ArchivedRow): ArchivedRow {
  const gone = (text: string | null) => (text === null ? null : ERASED)
  const error = (failure: Failure | null) => failure && ERASED_FAILURE
  const attempts = execution.attempts.map((attempt) => ({ ...attempt, error: error(attempt.error) }))
  const words = { output: gone(result.output), progressNote: gone(result.progressNote), error: error(result.error) }
  log?.rewrite((line) => ({ ...line, message: ERASED, fields: gone(line.fields) }))
  return {
    body: { ...body, payload: ERASED },
    result: { ...result, ...words, body: { ...body, payload: ERASED } },
    execution: { ...execution, ...words, attempts, payload: ERASED },
    entries: entries.map((entry) => ({
      ...entry,
      input: gone(entry.input),
      output: gone(entry.output),
      error: gone(entry.error),
      details: gone(entry.details),
    })),
    log,
  }
}

/** Every text of an execution, wherever it stands. */
function change(tables: Tables, id: string, become: Change): void {
  const inBody = tables.executions.get(id)
  if (inBody && inBody.payload !== null) {
    const body = Object.freeze({ ...inBody, payload: become('executions', 'payload', '', inBody.payload) })
    tables.executions.put(body)
    for (const table of [tables.ready, tables.delayed, tables.leases, tables.results] as const) {
      const row = table.get(id)
      if (row) (table.put as (row: unknown) => void).call(table, { ...row, body })
    }
  }
  const result = tables.results.get(id)
  if (result) {
    const text = (column: 'output' | 'progress_note', value: string | null) =>
      value === null ? null : become('results', column, '', value)
    tables.results.put({
      ...result,
      output: text('output', result.output),
      progressNote: text('progress_note', result.progressNote),
      error: inFailure(result.error, (json) => become('results', 'error', '', json)),
    })
  }
  const attempts = tables.attempts.get(id)?.map(({ epoch, record }) => ({
    epoch,
    record: { ...record, error: inFailure(record.error, (json) => become('attempts', 'error', String(epoch), json)) },
  }))
  if (attempts) tables.attempts.set(id, attempts)
  changeRun(tables, id, become)
  tables.logs.get(id)?.rewrite((line) => ({
    ...line,
    message: become('execution_logs', 'message', String(line.sequence), line.message),
    fields: line.fields === null ? null : become('execution_logs', 'fields', String(line.sequence), line.fields),
  }))
}

function changeRun({ runs }: Tables, id: string, become: Change): void {
  for (const [sequence, row] of runs.entries.get(id) ?? []) {
    const entry = { ...row.entry }
    for (const column of ['input', 'output', 'error', 'details'] as const) {
      const text = entry[column]
      if (text !== null) entry[column] = become('history_entries', column, String(sequence), text)
    }
    runs.entries.get(id)?.set(sequence, { ...row, entry: Object.freeze(entry) })
  }
  const waiting = runs.signals.get(id)?.waiting
  for (const [number, signal] of waiting ?? []) {
    if (signal.payload === null) continue
    waiting?.set(number, {
      ...signal,
      payload: become('signals', 'payload', String(number), signal.payload, signal.name),
    })
  }
  const state = runs.checkpoints.get(id)
  if (state !== undefined) runs.checkpoints.set(id, become('checkpoints', 'state', '', state))
}

function inFailure(failure: Failure | null, become: (json: string) => string): Failure | null {
  return failure && (JSON.parse(become(JSON.stringify(failure))) as Failure)
}
