import { PontualError } from '../errors.ts'

/**
 * What is old: months of executions, with all that is recorded of them, and parts of the audit log. They are moved whole, and read by who asks for what is
 * archived (`archived: true`). What has not ended is never in the archive.
 */
export interface ArchiveStore {
  /** Parts that are not in the archive, of which everything is at least as old as that; the oldest first. */
  due(olderThanMs: number): Promise<ArchivePart[]>
  /**
   * Moves a part into the archive. Executions of it that have not ended, or ended later than that, are left behind. `busy`: somebody uses the tables for long,
   * to be tried again. `gone`: it is not there any more. `refused`: this role may not.
   */
  move(part: ArchivePart, olderThanMs: number): Promise<MoveAnswer>
  /** Moves executions that were left behind and have ended that long ago, and entries of the audit log that were, at most `limit` of each. Returns how many; null where it has to be tried again. */
  moveLate(olderThanMs: number, limit: number): Promise<number | null>
  /** How many bytes the part of the audit log takes that is written now. */
  auditBytes(): Promise<number>
  /** Moves what is in that part into the archive; what is written from now on goes to another. */
  cutAudit(): Promise<MoveAnswer>
  /** Parts of the archive that are five years old by the store's clock, the oldest first. */
  expired(): Promise<ArchivePart[]>
  /** Removes what is kept elsewhere of executions of a part that has expired, in their order, at most `limit`. */
  clear(part: ArchivePart, after: string | null, limit: number): Promise<Cleared>
  /** Drops a part that has expired. Chains of the audit log begin behind it from then on. */
  drop(part: ArchivePart): Promise<MoveAnswer>
  /** Removes what was decided about occurrences five years ago and earlier, at most `limit`. Returns how many. */
  clearLedger(limit: number): Promise<number>
}

export interface ArchivePart {
  readonly kind: 'executions' | 'audit'
  /** The month of executions, `2026_08`, or the name of a part of the audit log. */
  readonly name: string
  /** From the first instant on, null for none, to the second, exclusively. */
  readonly from: number | null
  readonly to: number
}

export type MoveAnswer = 'done' | 'busy' | 'gone' | 'refused'

export interface Cleared {
  readonly count: number
  /** null where there was none. */
  readonly last: string | null
}

/** Where something is looked for. */
export interface WhereToLook {
  /** Also in the archive. Default false. */
  readonly archived?: boolean | undefined
}

/** The error for whoever would drop what has to be kept. */
export function tooYoung(cause?: unknown): PontualError {
  const message = 'What is kept for five years is not dropped before.'
  return new PontualError('archive.too_young', message, { years: 5 }, { cause })
}
