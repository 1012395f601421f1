import type { LedgerEntry } from '../../../time/misfire/resolution.ts'

/** Occurrences that were not fired, as a statement takes them: six lists. Those fired late are told by the occurrences themselves. */
export function missedValues(ledgers: readonly { jobId: string; ledger: readonly LedgerEntry[] }[]): unknown[] {
  const missed = ledgers.flatMap(({ jobId, ledger }) =>
    ledger.filter(({ decision }) => decision !== 'firedLate').map((entry) => ({ jobId, ...entry })),
  )
  return [
    missed.map(({ jobId }) => jobId),
    missed.map(({ from }) => from),
    missed.map(({ to }) => to),
    missed.map(({ count }) => count),
    missed.map(({ decision }) => decision),
    missed.map(({ cause }) => cause),
  ]
}
