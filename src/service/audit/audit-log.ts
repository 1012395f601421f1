import { AUDIT_OPERATIONS, type AuditEntry, operationType } from '../../access/audit.ts'
import { requirePermission, requireProfile } from '../../access/principal.ts'
import { HIDDEN_MESSAGE } from '../../store/sealed-text.ts'
import { requireInteger, requireOneOf } from '../../time/require.ts'
import { requireUuid } from '../../uuid.ts'
import { withShownAddresses } from '../administration/webhooks.ts'
import type { AuditEntryView, AuditVerdict, Page, TenantEvent } from '../answers.ts'
import { HISTORY_MS, namesOfJobs } from '../owned.ts'
import { pageOf } from '../page.ts'
import type { AuditQuery } from '../requests.ts'
import type { Scope } from '../scope.ts'
import { readInstant } from '../sent-values.ts'
import { wireInstant } from '../wire-value.ts'
import { verifyAudit } from './verify.ts'

const MAX_EVENTS = 1_000

/** Entries of the tenant, the newest first. */
export async function listAudit(scope: Scope, query: AuditQuery): Promise<Page<AuditEntryView>> {
  requireAuditor(scope)
  const { tenant, store, cursors } = scope
  const filter = filterOf(query)
  const { archived = false } = query
  // Neither is part of what was asked for: it moves on with the time.
  const youngest = archived ? undefined : scope.now() - HISTORY_MS + 1
  const from = youngest === undefined ? filter.from : Math.max(youngest, filter.from ?? youngest)
  const page = await pageOf(cursors, {
    limit: query.limit,
    cursor: query.cursor,
    scope: [tenant, 'audit', filter, archived],
    shape: ['count'],
    read: (limit, after) => {
      const place = after === undefined ? undefined : requireInteger(after[0], 'cursor', 1, Number.MAX_SAFE_INTEGER)
      return store.audit.list({ tenant, ...filter, from, archived, limit, after: place })
    },
    placeOf: ({ sequence }) => [sequence],
  })
  const [names, messages] = await Promise.all([namesOfJobs(scope, page.items), failureMessages(scope, page.items)])
  const items = page.items.map((entry) => {
    const view = viewOfEntry(entry, names.get(entry.jobId ?? '') ?? null)
    return { ...view, newValues: withMessage(view.newValues, messages.get(entry.executionId ?? '')) }
  })
  return { ...page, items }
}

/** Verifications under way, by application and tenant: each reads the whole log, so that who asks meanwhile is given the same one. */
const underWay = new WeakMap<object, Map<string, Promise<AuditVerdict>>>()

export async function verifyOwnAudit(scope: Scope): Promise<AuditVerdict> {
  requireAuditor(scope)
  const { tenant, opened, store } = scope
  const verdicts = underWay.get(opened) ?? new Map<string, Promise<AuditVerdict>>()
  underWay.set(opened, verdicts)
  const verdict = verdicts.get(tenant) ?? verifyAudit(store.audit, tenant).finally(() => verdicts.delete(tenant))
  verdicts.set(tenant, verdict)
  return await verdict
}

/** What has happened after an entry of the chain, in its order. */
export async function eventsAfter(scope: Scope, sequence: number, limit: number): Promise<TenantEvent[]> {
  requirePermission(scope.principal, 'jobs:read')
  const after = requireInteger(sequence, 'sequence', 0, Number.MAX_SAFE_INTEGER)
  const filter = {
    tenant: scope.tenant,
    after,
    limit: requireInteger(limit, 'limit', 1, MAX_EVENTS),
    isAscending: true,
  }
  const young = await scope.store.audit.list(filter)
  // There are no gaps in a chain: what is missing is in the archive.
  const isWhole =
    young.every((entry, index) => entry.sequence === after + 1 + index) &&
    (young.length > 0 || (await isEnd(scope, after)))
  const entries = isWhole ? young : await scope.store.audit.list({ ...filter, archived: true })
  return entries.map(({ sequence: number, operation, jobId, executionId, at }) => ({
    sequence: number,
    operation,
    jobId,
    executionId,
    timestamp: wireInstant(at),
  }))
}

/** Whether nothing stands behind an entry. */
async function isEnd({ store, tenant }: Scope, sequence: number): Promise<boolean> {
  const [head] = await store.audit.heads(tenant)
  return sequence >= (head?.sequence ?? 0)
}

export async function lastSequence(scope: Scope): Promise<number> {
  requirePermission(scope.principal, 'jobs:read')
  const [head] = await scope.store.audit.heads(scope.tenant)
  return head?.sequence ?? 0
}

/** The values of an entry are for who may read the log. */
function requireAuditor({ principal }: Scope): void {
  requirePermission(principal, 'jobs:read')
  requireProfile(principal, 'Admin')
}

function filterOf({ operation: operations, userId, jobId, executionId, from, to }: AuditQuery) {
  for (const operation of operations ?? []) requireOneOf(operation, 'operation', AUDIT_OPERATIONS)
  return {
    operations,
    userId,
    jobId: jobId === undefined ? undefined : requireUuid(jobId, 'jobId'),
    executionId: executionId === undefined ? undefined : requireUuid(executionId, 'executionId'),
    from: from === undefined ? undefined : readInstant(from, 'from'),
    to: to === undefined ? undefined : readInstant(to, 'to'),
  }
}

function viewOfEntry(entry: AuditEntry, jobName: string | null): AuditEntryView {
  const { tenant, at, oldValues, newValues, ...others } = entry
  return {
    ...others,
    operationType: operationType(entry.operation),
    clienteId: tenant,
    jobName,
    timestamp: wireInstant(at),
    oldValues: withShownAddresses(valuesOf(oldValues)),
    newValues: withShownAddresses(valuesOf(newValues)),
  }
}

function valuesOf(text: string | null): unknown {
  return text === null ? null : JSON.parse(text)
}

const LONGEST = 2_000

/**
 * The error messages of failed executions whose audit entries contain none, because the store encrypts them. The chain never contains such a message: it is read
 * from the execution, as long as that exists and is not erased.
 */
async function failureMessages(
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
function withMessage(values: unknown, message: string | undefined): unknown {
  if (message === undefined || typeof values !== 'object' || values === null) return values
  return 'errorMessage' in values && values.errorMessage === HIDDEN_MESSAGE
    ? { ...values, errorMessage: message }
    : values
}

function hidesMessage({ operation, newValues }: AuditEntry): boolean {
  return operation === 'JOBS_JOB_FAIL' && newValues !== null && newValues.includes(HIDDEN_MESSAGE)
}
