import type { Held } from '../../leases.ts'
import type { LeaseRow } from '../schema/rows.ts'
import type { Tables } from '../schema/tables.ts'

/** The ids of the changes that were applied, each once. */
export function accepted<Change extends Held>(
  changes: readonly Change[],
  apply: (change: Change) => boolean,
): string[] {
  return [...new Set(changes.filter(apply).map(({ executionId }) => executionId))]
}

/** The lease, where it still has the epoch that is named. */
export function leaseOf(tables: Tables, { executionId, epoch }: Held): LeaseRow | undefined {
  const lease = tables.leases.get(executionId)
  return lease?.epoch === epoch ? lease : undefined
}

export function takeLease(tables: Tables, held: Held): LeaseRow | undefined {
  return leaseOf(tables, held) && tables.leases.take(held.executionId)
}
