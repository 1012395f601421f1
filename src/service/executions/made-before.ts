import type { ExecuteAnswer } from '../answers.ts'
import type { MakeOptions } from '../requests.ts'
import type { Scope } from '../scope.ts'

/**
 * The answer to a request that has made its execution before, and whose answer was lost; null where it has not. It is given whatever has become of the job since:
 * what was asked for has happened.
 */
export async function madeBefore({ store, tenant }: Scope, { id }: MakeOptions): Promise<ExecuteAnswer | null> {
  const [made] = id === undefined ? [] : await store.executions.find([id])
  return made?.tenant === tenant ? { executionId: made.id, isNew: true, notice: null } : null
}
