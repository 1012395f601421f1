import type { ExecutionBody } from '../../job/execution.ts'
import { type EnqueueResult, type NewExecution, UnknownPredecessorError } from '../executions.ts'
import { enqueue } from './enqueue.ts'
import { followUp } from './follow-up.ts'
import type { Tables } from './tables.ts'

/** Stores executions of which some stand behind others. */
export function enqueueAfter(tables: Tables, executions: readonly NewExecution[], now: number): EnqueueResult[] {
  requirePredecessors(tables, executions)
  const answers = enqueue(tables, executions, now)
  // One whose key was taken stands for the one that has it, also as a predecessor.
  const idOf = new Map(executions.map(({ body }, index) => [body.id, answers[index]?.id ?? body.id]))
  const predecessors = new Set<string>()
  for (const [index, { body, after = [], isDeclared = false }] of executions.entries()) {
    if (!answers[index]?.isNew) continue
    for (const [place, { id, on }] of after.entries()) {
      const predecessorId = idOf.get(id) ?? id
      predecessors.add(predecessorId)
      tables.links.put(Object.freeze({ successorId: body.id, place, predecessorId, on, outcome: null, isDeclared }))
    }
  }
  const results = [...predecessors].flatMap((id) => tables.results.get(id) ?? [])
  followUp(
    tables,
    results.map(({ body, status }) => ({ id: body.id, status })),
    now,
  )
  return answers
}

function requirePredecessors(tables: Tables, executions: readonly NewExecution[]): void {
  const earlier = new Map<string, ExecutionBody>()
  for (const { body, after = [] } of executions) {
    for (const { id } of after) {
      const predecessor = earlier.get(id) ?? tables.executions.get(id)
      if (predecessor?.tenant !== body.tenant) throw new UnknownPredecessorError(id, body.tenant)
    }
    earlier.set(body.id, body)
  }
}
