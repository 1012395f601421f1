import type { AuditEntry } from '../../../access/audit.ts'
import type { ExecutionBody } from '../../../job/execution/execution.ts'
import type { AuditHead, NewAuditEntry } from '../../audit.ts'
import { hashAuditEntry, NO_HASH } from '../../audit.ts'
import type { ResultRow } from './rows.ts'

/** Code that enqueues without a job writes no entry; a person or a key that does so over the API does. */
function isRecorded({ jobId, options }: ExecutionBody): boolean {
  return jobId !== null || options?.requestedBy !== undefined
}

/** The audit log, what the statement under way has to tell it, and which of its job's each execution is. */
export class AuditLog {
  isEnabled = false
  /** By tenant, without gaps; those that are gone stand before the first. */
  readonly chains = new Map<string, AuditEntry[]>()
  /** Which of its job's an execution is. */
  readonly numbers = new Map<string, number>()
  /** How many of a job have ended. */
  readonly counters = new Map<string, number>()
  /** Who asked durable executions to end. */
  readonly cancellers = new Map<string, string>()
  /** Ends that are not told yet, and jobs that one of them has healed. */
  #ends: ResultRow[] = []
  readonly #anchors: ReadonlyMap<string, AuditHead>
  #healed = new Set<string>()

  constructor(anchors: ReadonlyMap<string, AuditHead>) {
    this.#anchors = anchors
  }

  /** Where the chain of a tenant ends. */
  headOf(tenant: string): Pick<AuditHead, 'sequence' | 'hash'> {
    return this.chains.get(tenant)?.at(-1) ?? this.#anchors.get(tenant) ?? { sequence: 0, hash: NO_HASH }
  }

  noteEnd(row: ResultRow): void {
    if (this.isEnabled && isRecorded(row.body)) this.#ends.push(row)
  }

  noteHealed(jobId: string): void {
    if (this.isEnabled) this.#healed.add(jobId)
  }

  takeEnds(): { readonly ends: readonly ResultRow[]; readonly healed: Set<string> } {
    const taken = { ends: this.#ends, healed: this.#healed }
    if (taken.ends.length > 0) this.#ends = []
    if (taken.healed.size > 0) this.#healed = new Set()
    return taken
  }

  /** Appends an entry to the chain of its tenant; nothing while the log is off. */
  write(draft: NewAuditEntry, at: number): void {
    if (!this.isEnabled) return
    const { tenant, operation, userId, jobId, executionId, oldValues, newValues } = draft
    const head = this.headOf(tenant)
    let chain = this.chains.get(tenant)
    if (!chain) {
      chain = []
      this.chains.set(tenant, chain)
    }
    const entry = {
      tenant,
      sequence: head.sequence + 1,
      at,
      operation,
      userId,
      jobId,
      executionId,
      oldValues: oldValues && JSON.stringify(oldValues),
      newValues: newValues && JSON.stringify(newValues),
      previousHash: head.hash,
    }
    chain.push(Object.freeze({ ...entry, hash: hashAuditEntry(entry) }))
  }

  /** Counts an execution that has ended. */
  number(executionId: string, jobId: string): void {
    const number = (this.counters.get(jobId) ?? 0) + 1
    this.counters.set(jobId, number)
    this.numbers.set(executionId, number)
  }
}
