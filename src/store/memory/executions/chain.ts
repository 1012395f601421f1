import type { ChainRecord, PredecessorRecord } from '../../executions.ts'
import { anyEndOf } from '../archive/archived.ts'
import { statusOf } from '../reads/read-execution.ts'
import { compareIds } from '../schema/compare.ts'
import type { Tables } from '../schema/tables.ts'

/** How those ended that an execution stands behind. */
export function predecessorsOf(tables: Tables, id: string): PredecessorRecord[] {
  return tables.linksBySuccessor.rowsOf(id).flatMap(({ predecessorId, outcome }) => {
    if (outcome === null) return []
    const result = anyEndOf(tables, predecessorId)
    return {
      executionId: predecessorId,
      jobType: result?.body.jobType ?? null,
      status: outcome,
      output: result?.output ?? null,
      error: result?.error ?? null,
    }
  })
}

/** Whether the result of an execution may still be read by one behind it, or by the one that started it. */
export function isNeeded(tables: Tables, id: string): boolean {
  const readers = [
    ...tables.linksByPredecessor.rowsOf(id).map(({ successorId }) => successorId),
    ...tables.runs.children.parentsOf(id).map(({ parentId }) => parentId),
  ]
  return readers.some((reader) => anyEndOf(tables, reader) === undefined)
}

/** What hangs together with an execution, step by step away from it. */
export function chainOf(tables: Tables, id: string, limit: number): ChainRecord | null {
  const bodyOf = (each: string) => tables.executions.get(each) ?? anyEndOf(tables, each)?.body
  if (!bodyOf(id)) return null
  const ids = new Set([id])
  for (const each of ids) {
    const neighbours = [
      ...tables.linksBySuccessor.rowsOf(each).map(({ predecessorId }) => predecessorId),
      ...tables.linksByPredecessor.rowsOf(each).map(({ successorId }) => successorId),
    ]
    for (const neighbour of neighbours) {
      if (ids.size < limit && bodyOf(neighbour)) ids.add(neighbour)
    }
  }
  const members = [...ids].toSorted(compareIds)
  return {
    executions: members.map((each) => ({
      id: each,
      jobType: bodyOf(each)?.jobType ?? '',
      status: anyEndOf(tables, each)?.status ?? statusOf(tables, each),
    })),
    links: members.flatMap((each) =>
      tables.linksBySuccessor
        .rowsOf(each)
        .filter(({ predecessorId }) => ids.has(predecessorId))
        .map(({ predecessorId, on }) => ({ from: predecessorId, to: each, on })),
    ),
  }
}
