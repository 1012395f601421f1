import type { Execution, ExecutionBody } from '../../../job/execution/execution.ts'
import type { ArchivePart } from '../../archive.ts'
import type { AuditHead } from '../../audit.ts'
import type { StoredEntry } from '../../histories.ts'
import { compareIds } from './compare.ts'
import type { ExecutionLog } from './execution-log.ts'
import { OrderedSet } from './ordered-set.ts'
import type { ResultRow } from './rows.ts'
import { GroupedIndex, Table } from './table.ts'

/** An execution in the archive, with all that is recorded of it: nothing of it changes any more. */
export interface ArchivedRow {
  readonly body: ExecutionBody
  readonly result: ResultRow
  readonly execution: Execution
  readonly entries: readonly StoredEntry[]
  readonly log: ExecutionLog | undefined
}

const byId = (a: ArchivedRow, b: ArchivedRow): number => compareIds(a.body.id, b.body.id)

export class ArchiveTables {
  readonly inOrder = new OrderedSet<ArchivedRow>(byId)
  readonly byJob = new GroupedIndex<ArchivedRow>(({ body }) => body.jobId, byId)
  readonly executions = new Table<ArchivedRow>(({ body }) => body.id, [this.inOrder, this.byJob])
  /** Months that were moved, by their names. */
  readonly months = new Map<string, ArchivePart>()
  /** Entries of the audit log before this instant are in the archive, in these parts. */
  auditUntil = Number.NEGATIVE_INFINITY
  auditParts: ArchivePart[] = []
  /** The last entries of tenants that are gone. */
  readonly anchors = new Map<string, AuditHead>()
}
