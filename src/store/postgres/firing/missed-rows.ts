import type { LedgerEntry } from '../../../time/misfire/resolve.ts'
import { RowList } from '../named-statement.ts'

interface MissedRow extends LedgerEntry {
  readonly jobId: string
}

/** Occurrences that were not fired. */
export const MISSED = new RowList<'missed', MissedRow>('missed', {
  job_id: ['uuid', ({ jobId }) => jobId],
  from_at: ['float8', ({ from }) => from],
  to_at: ['float8', ({ to }) => to],
  count: ['float8', ({ count }) => count],
  decision: ['text', ({ decision }) => decision],
  cause: ['text', ({ cause }) => cause],
})

/** Records them for the jobs whose ids `written` selects. The statement has a `clock`. */
export const insertMissed = (written: string): string => `
  insert into pontual.missed (
    job_id,
    from_at,
    to_at,
    count,
    decision,
    cause,
    recorded_at
  )
  select
    job_id,
    pontual.from_ms(from_at),
    pontual.from_ms(to_at),
    count::bigint,
    decision,
    cause,
    now
  from unnest(${MISSED.lists}) as missed (${MISSED.columns})
  cross join clock
  where (job_id in (${written})) is true
  on conflict do nothing`

/** Occurrences that were fired late have rows of their own. */
export function missedOf(ledgers: readonly { readonly jobId: string; readonly ledger: readonly LedgerEntry[] }[]) {
  return MISSED.of(
    ledgers.flatMap(({ jobId, ledger }) =>
      ledger.filter(({ decision }) => decision !== 'firedLate').map((entry) => ({ jobId, ...entry })),
    ),
  )
}
