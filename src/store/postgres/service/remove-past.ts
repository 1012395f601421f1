import type { Statement } from '../../driver/driver.ts'
import type { Parts } from '../parts.ts'

interface PastRows {
  readonly table: string
  /** The column that identifies a row. */
  readonly key: string
  readonly condition: string
  /** The column of an index that gives the order of removal. */
  readonly order?: string
}

/** Removes rows that are past, at most `$2` of them. Rows that another transaction uses are skipped. */
const removalOf = ({ table, key, condition, order }: PastRows): string => `
with past as (
  delete from ${table}
  where ${key} = any(array(
    select ${key}
    from ${table}
    where ${condition}${order === undefined ? '' : `\n    order by ${order}`}
    limit $2::int
    for update skip locked
  ))
  returning 1
)
select count(*)::int as count
from past`

const REMOVALS: readonly Statement[] = [
  {
    name: 'removeExpiredResults',
    text: removalOf({
      table: 'pontual.cached_results',
      key: 'ctid',
      condition: 'expires_at <= pontual.clock($1::float8)',
    }),
  },
  {
    name: 'removePastRates',
    text: removalOf({
      table: 'pontual.rates',
      key: 'ctid',
      condition: 'expires_at <= pontual.clock($1::float8)',
    }),
  },
  {
    name: 'removePastSessions',
    text: removalOf({
      table: 'pontual.sessions',
      key: 'secret_hash',
      condition: 'expires_at <= pontual.clock($1::float8)',
      order: 'expires_at',
    }),
  },
  {
    name: 'removePastRequests',
    text: removalOf({
      table: 'pontual.requests',
      key: 'ctid',
      condition: 'expires_at <= pontual.clock($1::float8)',
      order: 'expires_at',
    }),
  },
  {
    name: 'removePastEvents',
    text: removalOf({
      table: 'pontual.notification_events',
      key: 'id',
      condition: "at < pontual.clock($1::float8) - interval '90 days'",
      order: 'at',
    }),
  },
  {
    name: 'removePastDeliveries',
    text: removalOf({
      table: 'pontual.notification_deliveries',
      key: 'id',
      condition: "created_at < pontual.clock($1::float8) - interval '90 days'",
      order: 'created_at',
    }),
  },
]

const BATCH = 5_000

/**
 * Removes, a batch at a time, expired cached results and sessions, rates without a start that counts, requests that are a day old, and events and
 * deliveries after 90 days.
 */
export async function removePast({ driver, testTime }: Parts): Promise<void> {
  for (const removal of REMOVALS) {
    let count = BATCH
    while (count === BATCH) {
      const [row] = await driver.query<{ readonly count: number }>(removal, [testTime(), BATCH])
      count = row?.count ?? 0
    }
  }
}
