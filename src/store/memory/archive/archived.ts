import type { StoredEntry } from '../../histories.ts'
import { readExecution } from '../reads/read-execution.ts'
import type { ResultRow } from '../schema/rows.ts'
import type { Tables } from '../schema/tables.ts'

/** How an execution ended, wherever it is. */
export function anyEndOf(tables: Tables, id: string): ResultRow | undefined {
  return tables.results.get(id) ?? tables.archive.executions.get(id)?.result
}

/** The history of an execution that is not in the archive. */
export function storedEntriesOf(tables: Tables, executionId: string): StoredEntry[] {
  const replays = [...(tables.runs.replays.get(executionId) ?? [])]
  return tables.runs
    .entriesOf(executionId)
    .map(({ entry, epoch }) => ({ ...entry, replayed: replays.filter((each) => each > epoch).length }))
}

/** Moves an execution that has ended, with all that is recorded of it. */
export function archiveExecution(tables: Tables, result: ResultRow): void {
  const { body } = result
  const { id } = body
  const execution = readExecution(tables, body)
  const row = { body, result, execution, entries: storedEntriesOf(tables, id), log: tables.logs.get(id) }
  tables.archive.executions.put(row)
  tables.executions.take(id)
  tables.results.take(id)
  tables.attempts.delete(id)
  tables.logs.delete(id)
  tables.runs.entries.delete(id)
}
