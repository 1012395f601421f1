import type { Statement } from '../../driver/driver.ts'
import type { HeldLease, LeaseStore, ProgressReport } from '../../leases.ts'
import { claim } from '../claim/claim.ts'
import { type FieldOf, named, RowList } from '../named-statement.ts'
import { notifiedIf, type Parts, storable } from '../parts.ts'
import { QUEUE_COLUMNS } from './end-fragments.ts'
import { finish } from './finish.ts'
import { settleLinks, tellFreed } from './follow-up.ts'
import { deleteHeld, distinctHeld, HELD, HELD_COLUMNS } from './held.ts'
import { recover } from './recover.ts'
import { retry } from './retry.ts'

export const releaseExecutions = named<FieldOf<typeof HELD> & { readonly hint: string | null }>(
  'releaseExecutions',
  `
with input as materialized (
  select *
  from unnest(${HELD.lists}) as held (${HELD.columns})
),
taken as (${deleteHeld('held')}
  returning ${QUEUE_COLUMNS}, attempt
),
readied as (
  insert into pontual.ready (${QUEUE_COLUMNS}, attempt)
  select ${QUEUE_COLUMNS}, attempt - 1
  from taken
),
${notifiedIf('$hint', 'taken')}
select execution_id as id
from taken
where (select count(*) from notified) >= 0`,
)

const listHeld: Statement = {
  name: 'listHeld',
  text: `
select execution_id as "executionId", epoch, has_news as "hasNews"
from pontual.leases
where node_id = $1::uuid`,
}

const REPORT = new RowList<'report', ProgressReport>('report', {
  ...HELD_COLUMNS,
  fraction: ['float8', ({ fraction }) => fraction],
  note: ['text', ({ note }) => storable(note)],
})

const reportProgress = named<FieldOf<typeof REPORT>>(
  'reportProgress',
  `
update pontual.leases
set
  progress = report.fraction,
  progress_note = report.note
from unnest(${REPORT.lists}) as report (${REPORT.columns})
where leases.execution_id = any($report.execution_id::uuid[])
  and leases.execution_id = report.execution_id
  and leases.epoch = report.epoch
returning leases.execution_id as id`,
)

export const promoteExecutions: Statement = {
  name: 'promoteExecutions',
  text: `
with clock as materialized (
  select pontual.clock($1::float8) as now
),
taken as (
  delete from pontual.delayed
  where execution_id = any(array(
    select execution_id
    from pontual.delayed
    where due_at <= (select now from clock)
      and awaits = 0
    order by due_at, execution_id
    limit $3::int
    for update skip locked
  ))
  returning ${QUEUE_COLUMNS}, attempt
),
readied as (
  insert into pontual.ready (${QUEUE_COLUMNS}, attempt)
  select ${QUEUE_COLUMNS}, attempt
  from taken
),
${notifiedIf('$2', 'taken')}
select
  (select count(*) from taken) as count,
  (select execution_id from taken order by execution_id limit 1) as "firstId",
  array(
    select execution_id
    from pontual.delayed
    where due_at <= (select now from clock)
      and awaits > 0
    limit $3::int
  ) as uncertain
where (select count(*) from notified) >= 0`,
}

interface PromotedRow {
  readonly count: number
  readonly firstId: string | null
  /** Those that wait for others, and have to be looked at. */
  readonly uncertain: readonly string[]
}

export function leaseStore(parts: Parts): LeaseStore {
  const { driver, hints, cursor, testTime } = parts
  return {
    claim: (request) => claim(parts, request),
    finish: (endings) => finish(parts, endings),
    retry: (retries) => retry(parts, retries),
    recover: (request) => recover(parts, request),

    async release(held) {
      if (held.length === 0) return []
      const values = releaseExecutions.values({ hint: hints.due('ready'), ...HELD.of(held) })
      const rows = await driver.query<{ id: string }>(releaseExecutions, values)
      for (const { id } of rows) cursor.noticed(id)
      return rows.map(({ id }) => id)
    },

    held: (nodeId) => driver.query<HeldLease>(listHeld, [nodeId]),

    async progress(reports) {
      if (reports.length === 0) return []
      // The last word counts.
      const latest: readonly ProgressReport[] = distinctHeld(reports.toReversed())
      const values = reportProgress.values(REPORT.of(latest))
      const rows = await driver.query<{ id: string }>(reportProgress, values)
      return rows.map(({ id }) => id)
    },

    async promote(limit) {
      const values = [testTime(), hints.due('ready'), Math.max(0, limit)]
      const [row] = await driver.query<PromotedRow>(promoteExecutions, values)
      if (!row) return 0
      cursor.noticed(row.firstId)
      if (row.uncertain.length === 0) return row.count
      const { freed } = await settleLinks(driver, row.uncertain, testTime())
      tellFreed(parts, freed)
      return row.count + freed.length
    },
  }
}
