import { AUDIT_OPERATIONS, type AuditEntry, operationType } from '../../access/audit.ts'
import { requirePermission, requireProfile } from '../../access/principal.ts'
import { requireInteger, requireOneOf } from '../../time/require.ts'
import { requireUuid } from '../../uuid.ts'
import type { AuditEntryView, AuditVerdict, Page, TenantEvent } from '../answers.ts'
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
  const page = await pageOf(cursors, {
    limit: query.limit,
    cursor: query.cursor,
    scope: [tenant, 'audit', filter],
    shape: ['count'],
    read: (limit, after) => {
      const place = after === undefined ? undefined : requireInteger(after[0], 'cursor', 1, Number.MAX_SAFE_INTEGER)
      return store.audit.list({ tenant, ...filter, limit, after: place })
    },
    placeOf: ({ sequence }) => [sequence],
  })
  return { ...page, items: page.items.map(viewOfEntry) }
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
  const entries = await scope.store.audit.list({
    tenant: scope.tenant,
    after: requireInteger(sequence, 'sequence', 0, Number.MAX_SAFE_INTEGER),
    limit: requireInteger(limit, 'limit', 1, MAX_EVENTS),
    isAscending: true,
  })
  return entries.map(({ sequence: number, operation, jobId, executionId, at }) => ({
    sequence: number,
    operation,
    jobId,
    executionId,
    timestamp: wireInstant(at),
  }))
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

function viewOfEntry(entry: AuditEntry): AuditEntryView {
  const { tenant, at, oldValues, newValues, ...others } = entry
  return {
    ...others,
    operationType: operationType(entry.operation),
    clienteId: tenant,
    timestamp: wireInstant(at),
    oldValues: valuesOf(oldValues),
    newValues: valuesOf(newValues),
  }
}

function valuesOf(text: string | null): unknown {
  return text === null ? null : JSON.parse(text)
}
