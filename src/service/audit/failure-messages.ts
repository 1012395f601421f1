import type { AuditEntry } from '../../access/audit.ts'
import { HIDDEN_MESSAGE } from '../../store/sealed-text.ts'
import type { Scope } from '../scope.ts'

const LONGEST = 2_000

/**
 * The error messages of failed executions whose audit entries contain none, because the store encrypts them. The chain never contains such a message: it is read
 * from the execution, as long as that exists and is not erased.
 */
export async function failureMessages(
  { store, tenant, principal }: Scope,
  entries: readonly AuditEntry[],
): Promise<ReadonlyMap<string, string>> {
  const hidden = entries.filter((entry) => hidesMessage(entry))
  const ids = [...new Set(hidden.flatMap(({ executionId }) => executionId ?? []))]
  if (ids.length === 0 || !principal.permissions.has('jobs:viewHistory')) return new Map()
  const young = await store.executions.find(ids)
  const missing = ids.filter((id) => !young.some((execution) => execution.id === id))
  const old = missing.length === 0 ? [] : await store.executions.find(missing, { archived: true })
  return new Map(
    [...young, ...old].flatMap(({ id, tenant: owner, error }) =>
      owner === tenant && error !== null ? [[id, Array.from(error.message).slice(0, LONGEST).join('')] as const] : [],
    ),
  )
}

/** Values of an entry with the message of its execution in place of the hidden one. */
export function withMessage(values: unknown, message: string | undefined): unknown {
  if (message === undefined || typeof values !== 'object' || values === null) return values
  return 'errorMessage' in values && values.errorMessage === HIDDEN_MESSAGE
    ? { ...values, errorMessage: message }
    : values
}

function hidesMessage({ operation, newValues }: AuditEntry): boolean {
  return operation === 'JOBS_JOB_FAIL' && newValues !== null && newValues.includes(HIDDEN_MESSAGE)
}
