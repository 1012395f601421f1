import type { AuditEntry } from '../../../access/audit.ts'
import { instantOfUuid } from '../../../uuid.ts'
import { type ArchivePart, type ArchiveStore, type MoveAnswer, tooYoung } from '../../archive.ts'
import { removeArchived } from '../executions/remove.ts'
import { keyOf } from '../schema/table.ts'
import type { Tables } from '../schema/tables.ts'
import type { Session } from '../session.ts'
import { archiveExecution } from './archived.ts'
import { fiveYearsBefore, monthAt, requireExpired } from './months.ts'

export function archiveStore(session: Session): ArchiveStore {
  return {
    due: (olderThanMs) =>
      session.statement((tables, now) =>
        [...dueMonths(tables), ...dueAuditParts(tables)]
          .filter(({ to }) => to <= now - olderThanMs)
          .toSorted((a, b) => a.to - b.to || (a.kind < b.kind ? -1 : 1)),
      ),

    move: (part, olderThanMs) =>
      session.statement((tables, now): MoveAnswer => {
        if (part.kind === 'audit') return moveAudit(tables, part) ? 'done' : 'gone'
        if (tables.archive.months.has(part.name)) return 'gone'
        tables.archive.months.set(part.name, part)
        archiveEnded(tables, now - olderThanMs, Number.POSITIVE_INFINITY)
        return 'done'
      }),

    moveLate: (olderThanMs, limit) =>
      session.statement((tables, now) => archiveEnded(tables, now - olderThanMs, limit)),

    auditBytes: () => session.statement(measureAudit),

    cutAudit: () =>
      session.statement((tables, now): MoveAnswer => {
        const { name } = monthAt(now)
        const number = tables.archive.auditParts.filter((part) => part.name.startsWith(`audit_entries_${name}`)).length
        const to = now + 1
        moveAudit(tables, { kind: 'audit', name: `audit_entries_${name}_${number + 1}`, from: null, to })
        return 'done'
      }),

    expired: () =>
      session.statement((tables, now) =>
        [...tables.archive.months.values(), ...tables.archive.auditParts]
          .filter(({ to }) => to <= fiveYearsBefore(now))
          .toSorted((a, b) => a.to - b.to),
      ),

    clear: ({ kind, name }, after, limit) =>
      session.statement((tables, now) => {
        if (kind === 'audit') return { count: 0, last: null }
        const part = requireExpired(tables.archive.months.get(name), now)
        const ids = idsOf(tables, part)
          .filter((id) => after === null || id > after)
          .slice(0, Math.max(0, limit))
        for (const id of ids) forget(tables, id)
        return { count: ids.length, last: ids.at(-1) ?? null }
      }),

    drop: ({ kind, name }) =>
      session.statement((tables, now): MoveAnswer => {
        if (kind === 'audit') {
          dropAuditPart(tables, name, now)
          return 'done'
        }
        const ids = idsOf(tables, requireExpired(tables.archive.months.get(name), now))
        const lastEnd = ids.map((id) => tables.archive.executions.get(id)?.result.finishedAt ?? 0)
        if (lastEnd.some((at) => at > fiveYearsBefore(now))) throw tooYoung()
        for (const id of ids) tables.archive.executions.take(id)
        tables.archive.months.delete(name)
        return 'done'
      }),

    clearLedger: (limit) => session.statement((tables, now) => clearLedger(tables, fiveYearsBefore(now), limit)),
  }
}

/** Months in which executions were made, and that were not moved. */
function dueMonths(tables: Tables): ArchivePart[] {
  const months = new Map<string, ArchivePart>()
  for (const { id } of tables.executionsInOrder.ascending()) {
    const { name, from, to } = monthAt(instantOfUuid(id))
    if (!tables.archive.months.has(name)) months.set(name, { kind: 'executions', name, from, to })
  }
  return [...months.values()]
}

/** Moves what has ended by then of the months that are in the archive. */
function archiveEnded(tables: Tables, youngest: number, limit: number): number {
  const ended = [...tables.resultsByEnd.ascending()]
    .filter(({ body, finishedAt }) => finishedAt <= youngest && isArchivedMonth(tables, body.id))
    .slice(0, limit)
  for (const row of ended) archiveExecution(tables, row)
  return ended.length
}

function isArchivedMonth(tables: Tables, id: string): boolean {
  return tables.archive.months.has(monthAt(instantOfUuid(id)).name)
}

function idsOf(tables: Tables, { from, to }: ArchivePart): string[] {
  const isWithin = (id: string) => instantOfUuid(id) >= (from ?? 0) && instantOfUuid(id) < to
  return [...tables.archive.inOrder.ascending()].map(({ body }) => body.id).filter(isWithin)
}

/** What hangs on an execution in the archive, but for what is there itself. */
function forget(tables: Tables, id: string): void {
  const row = tables.archive.executions.get(id)
  if (!row) return
  removeArchived(tables, row)
  tables.archive.executions.put({ ...row, execution: Object.freeze({ ...row.execution, number: null, after: [] }) })
}

function clearLedger(tables: Tables, oldest: number, limit: number): number {
  const past = [...tables.occurrences.rows()]
    .filter(({ scheduledAt, executionId }) => scheduledAt < oldest && !isKnown(tables, executionId))
    .slice(0, limit)
  for (const { jobId, scheduledAt } of past) tables.occurrences.take(keyOf(jobId, scheduledAt))
  const jobs = [...tables.missedByJob.groups()].map(([jobId]) => jobId)
  const missed = jobs.flatMap((jobId) => tables.missedByJob.rowsOf(jobId)).filter(({ to }) => to < oldest)
  const removed = missed.slice(0, limit)
  for (const row of removed) tables.missedByJob.delete(row)
  return past.length + removed.length
}

function isKnown(tables: Tables, id: string): boolean {
  return tables.executions.has(id) || tables.archive.executions.has(id)
}

/** Months of the audit log that are not in the archive; the first may be the rest of one. */
function dueAuditParts({ audit, archive }: Tables): ArchivePart[] {
  const parts = new Map<string, ArchivePart>()
  for (const chain of audit.chains.values()) {
    for (const { at } of chain) {
      if (at < archive.auditUntil) continue
      const { name, from, to } = monthAt(at)
      const begin = Math.max(from, archive.auditUntil)
      parts.set(name, { kind: 'audit', name: `audit_entries_${name}`, from: begin, to })
    }
  }
  return [...parts.values()]
}

/** False where it is in the archive already. */
function moveAudit({ archive }: Tables, part: ArchivePart): boolean {
  if (part.to <= archive.auditUntil) return false
  const from = Number.isFinite(archive.auditUntil) ? archive.auditUntil : null
  archive.auditParts.push({ ...part, from })
  archive.auditUntil = part.to
  return true
}

/** What the entries of this month take that are not in the archive. */
function measureAudit({ audit, archive }: Tables, now: number): number {
  const since = Math.max(monthAt(now).from, archive.auditUntil)
  let bytes = 0
  for (const chain of audit.chains.values()) {
    for (const entry of chain) if (entry.at >= since) bytes += sizeOf(entry)
  }
  return bytes
}

function sizeOf({ oldValues, newValues }: AuditEntry): number {
  return 200 + (oldValues?.length ?? 0) + (newValues?.length ?? 0)
}

/** Chains begin behind it from then on. */
function dropAuditPart({ audit, archive }: Tables, name: string, now: number): void {
  const part = requireExpired(
    archive.auditParts.find((each) => each.name === name),
    now,
  )
  for (const [tenant, chain] of audit.chains) {
    const kept = chain.findIndex(({ at }) => at >= part.to)
    const gone = kept === -1 ? chain.splice(0) : chain.splice(0, kept)
    const last = gone.at(-1)
    if (last) archive.anchors.set(tenant, { tenant, sequence: last.sequence, hash: last.hash })
  }
  archive.auditParts = archive.auditParts.filter((each) => each !== part)
}
