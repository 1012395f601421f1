import type { AuditEntry } from '../../../access/audit.ts'
import type { AuditFilter, AuditStore } from '../../audit.ts'
import { compareText } from '../schema/compare.ts'
import type { Tables } from '../schema/tables.ts'
import { take } from '../schema/take.ts'
import type { Session } from '../session.ts'

export function auditStore(session: Session): AuditStore {
  return {
    enable: () =>
      session.statement(({ audit }) => {
        audit.isEnabled = true
      }),

    isEnabled: () => session.statement(({ audit }) => audit.isEnabled),

    append: (entries) =>
      session.statement(({ audit }, now) => {
        for (const entry of entries) audit.write(entry, now)
      }),

    list: (filter) => session.statement((tables) => listEntries(tables, filter)),

    heads: (tenant) =>
      session.statement(({ audit }) =>
        [...audit.chains]
          .filter(([name]) => tenant === undefined || name === tenant)
          .toSorted(([a], [b]) => compareText(a, b))
          .map(([name]) => {
            const { sequence, hash } = audit.headOf(name)
            return { tenant: name, sequence, hash }
          }),
      ),

    anchor: (tenant) => session.statement(({ archive }) => archive.anchors.get(tenant) ?? null),
  }
}

function listEntries({ audit, archive }: Tables, filter: AuditFilter): AuditEntry[] {
  const { tenant, operations, userId, jobId, executionId, from, to, limit, after, isAscending = false } = filter
  const since = filter.archived ? Number.NEGATIVE_INFINITY : archive.auditUntil
  const chain = audit.chains.get(tenant) ?? []
  const isWanted = (entry: AuditEntry) =>
    entry.at >= since &&
    (operations === undefined || operations.includes(entry.operation)) &&
    (userId === undefined || entry.userId === userId) &&
    (jobId === undefined || entry.jobId === jobId) &&
    (executionId === undefined || entry.executionId === executionId) &&
    (from === undefined || entry.at >= from) &&
    (to === undefined || entry.at < to)
  // Without gaps: an entry stands at its number.
  const first = chain[0]?.sequence ?? 1
  const inOrder = isAscending
    ? chain.slice(Math.max(0, (after ?? 0) - first + 1))
    : chain.slice(0, after === undefined ? undefined : Math.max(0, after - first)).reverse()
  return take(inOrder, limit, { where: isWanted })
}
