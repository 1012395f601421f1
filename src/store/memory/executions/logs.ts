import type { LogStore, NewLogLine } from '../../logs.ts'
import { ExecutionLog } from '../schema/execution-log.ts'
import type { Tables } from '../schema/tables.ts'
import type { Session } from '../session.ts'

export function logStore(session: Session): LogStore {
  return {
    append: (lines) => session.statement((tables) => appendLines(tables, lines)),
    read: (query) =>
      session.statement((tables) => {
        const past = query.archived ? tables.archive.executions.get(query.executionId)?.log : undefined
        return (past ?? tables.logs.get(query.executionId))?.read(query) ?? []
      }),
    size: (executionId) => session.statement((tables) => tables.logs.get(executionId)?.bytes ?? 0),
  }
}

function appendLines(tables: Tables, lines: readonly NewLogLine[]): string[] {
  const refused = new Set<string>()
  for (const line of lines) {
    if (tables.leases.get(line.executionId)?.epoch === line.epoch) logOf(tables, line.executionId).append(line)
    else refused.add(line.executionId)
  }
  return [...refused]
}

function logOf(tables: Tables, executionId: string): ExecutionLog {
  const log = tables.logs.get(executionId) ?? new ExecutionLog()
  tables.logs.set(executionId, log)
  return log
}
