import type { ExecutionBody } from '../../../job/execution/execution.ts'
import { type EnqueueResult, type NewExecution, UnknownPredecessorError } from '../../executions.ts'
import { requireSameInput } from '../../idempotency.ts'
import { anyEndOf } from '../archive/archived.ts'
import type { Tables } from '../schema/tables.ts'
import { enqueue, holderOf, idempotencyKeyOf } from './enqueue.ts'
import { followUp } from './follow-up.ts'

/** Stores executions of which some stand behind others. */
export function enqueueAfter(tables: Tables, executions: readonly NewExecution[], now: number): EnqueueResult[] {
  requirePredecessors(tables, executions)
  requireSameInputs(tables, executions)
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
  const results = [...predecessors].flatMap((id) => anyEndOf(tables, id) ?? [])
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
      const predecessor = earlier.get(id) ?? tables.executions.get(id) ?? anyEndOf(tables, id)?.body
      if (predecessor?.tenant !== body.tenant) throw new UnknownPredecessorError(id, body.tenant)
    }
    earlier.set(body.id, body)
  }
}

/** What hangs together is stored as a whole: it is refused before anything of it is there. */
function requireSameInputs(tables: Tables, executions: readonly NewExecution[]): void {
  const holders = new Map<string, ExecutionBody>()
  for (const { body } of executions) {
    const key = idempotencyKeyOf(body)
    if (key === null || tables.executions.get(body.id)) continue
    const holderId = tables.idempotencyKeys.get(key)
    const holder = holders.get(key) ?? (holderId === undefined ? undefined : holderOf(tables, holderId))
    if (holder) requireSameInput(body, holder)
    else holders.set(key, body)
  }
}
