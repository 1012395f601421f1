import type { AuditEntry } from '../../../access/audit.ts'
import type { ArchivePart } from '../../archive.ts'
import type { Tables } from '../schema/tables.ts'
import { monthAt, requireExpired } from './months.ts'

/** Months of the audit log that are not in the archive; the first may be the rest of one. */
export function dueAuditParts({ audit, archive }: Tables): ArchivePart[] {
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
export function moveAudit({ archive }: Tables, part: ArchivePart): boolean {
  if (part.to <= archive.auditUntil) return false
  const from = Number.isFinite(archive.auditUntil) ? archive.auditUntil : null
  archive.auditParts.push({ ...part, from })
  archive.auditUntil = part.to
  return true
}

/** What the entries of this month take that are not in the archive. */
export function measureAudit({ audit, archive }: Tables, now: number): number {
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
export function dropAuditPart({ audit, archive }: Tables, name: string, now: number): void {
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
