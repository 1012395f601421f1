import { firstUuidAt } from '../../../uuid.ts'
import type { Statement } from '../../driver/driver.ts'
import type { MeasureQuery, Measures } from '../../executions.ts'
import type { Parts } from '../parts.ts'
import { type EndedPage, type Held, sumPages } from './ended-pages.ts'

const SUMMARY = `
last_success as materialized (
  select finished_at, id
  from page
  where status = 'SUCCESS'
  order by finished_at desc, id desc
  limit 1
)
select
  count(*) as ended,
  (select id from page order by id limit 1) as "oldestId",
  min(wanted_at) as "wantedSince",
  count(*) filter (where status = 'SUCCESS') as succeeded,
  count(*) filter (where status = 'FAILED') as failed,
  count(*) filter (where status = 'TIMEOUT') as "timedOut",
  count(*) filter (where status = 'CANCELLED') as cancelled,
  count(*) filter (where attempt > 1) as retried,
  count(started_at) as ran,
  coalesce(sum(finished_at - started_at), 0) as "durationMs",
  coalesce(sum(greatest(taken_at - wanted_at, 0)) filter (where started_at is not null), 0) as "queuedMs",
  coalesce(sum(earlier_ms), 0)
    + coalesce(sum(greatest(finished_at - greatest(started_at, $1::float8), 0)) filter (where started_at is not null), 0) as "busyMs",
  coalesce(
    json_agg(greatest(begun_at - scheduled_at, 0)) filter (where origin = 'schedule' and begun_at - scheduled_at is not null),
    '[]'
  ) as "latenessesMs",
  (select json_build_array(finished_at, id) from last_success) as "lastSuccess",
  coalesce(
    json_agg(json_build_array(finished_at, id)) filter (
      where status in ('FAILED', 'TIMEOUT')
        and coalesce((finished_at, id) > (select last_success.finished_at, last_success.id from last_success), true)
    ),
    '[]'
  ) as failures
from page`

const measureExecutionsOf: Statement = {
  name: 'measureExecutionsOf',
  text: `
with page as materialized (
  select *
  from pontual.ended_of($5::text, pontual.from_ms($1::float8), 'infinity', $2::uuid, $3::uuid, $4::int)
),${SUMMARY}`,
}

// As pontual.ended_of (0015), of whichever tenant.
const measureExecutions: Statement = {
  name: 'measureExecutions',
  text: `
with young as materialized (
  select executions.*, results.status, results.attempt, results.epoch, results.started_at, results.finished_at
  from pontual.executions
  cross join lateral (
    select *
    from pontual.results
    where execution_id = executions.id
      and finished_at >= pontual.from_ms($1::float8)
    offset 0
  ) as results
  where executions.id >= $2::uuid
    and executions.id < $3::uuid
  order by executions.id desc
  limit $4::int
),
late as materialized (
  select executions.*, results.status, results.attempt, results.epoch, results.started_at, results.finished_at
  from pontual.ended_late(pontual.from_ms($1::float8), least($2::uuid, $3::uuid)) as results
  cross join lateral (
    select *
    from pontual.executions
    where id = results.execution_id
    offset 0
  ) as executions
  order by executions.id desc
  limit (select $4::int - count(*) from young)
),
ended as materialized (
  select * from young
  union all
  select * from late
),
earlier as materialized (
  select
    retried.id,
    min(pontual.to_ms(attempts.started_at)) as started_at,
    sum(greatest(pontual.to_ms(attempts.ended_at) - greatest(pontual.to_ms(attempts.started_at), $1::float8), 0)) as ms
  from (
    select id, epoch
    from ended
    where epoch > 1
  ) as retried
  cross join lateral (
    select *
    from pontual.attempts
    where execution_id = retried.id
      and attempts.epoch < retried.epoch
    offset 0
  ) as attempts
  group by retried.id
),
first_steps as materialized (
  select resumed.id, pontual.to_ms(entries.started_at) as started_at
  from (
    select id
    from ended
    where epoch > 1
  ) as resumed
  cross join lateral (
    select history_entries.started_at
    from pontual.history_entries
    where execution_id = resumed.id
      and history_entries.epoch > 0
    order by sequence
    limit 1
  ) as entries
),
page as materialized (
  select
    ended.id,
    ended.origin,
    ended.status,
    ended.attempt,
    pontual.to_ms(ended.scheduled_at) as scheduled_at,
    pontual.to_ms(greatest(ended.created_at, ended.scheduled_at)) as wanted_at,
    least(earlier.started_at, first_steps.started_at, pontual.to_ms(ended.started_at)) as begun_at,
    least(first_steps.started_at, pontual.to_ms(ended.started_at)) as taken_at,
    pontual.to_ms(ended.started_at) as started_at,
    pontual.to_ms(ended.finished_at) as finished_at,
    coalesce(earlier.ms, 0) as earlier_ms
  from ended
  left join earlier on earlier.id = ended.id
  left join first_steps on first_steps.id = ended.id
),${SUMMARY}`,
}

const readHeld: Statement = {
  name: 'readHeld',
  text: `
select
  pontual.to_ms(pontual.clock($1::float8)) as now,
  coalesce(json_agg(pontual.to_ms(claimed_at)), '[]') as "claimedAt"
from pontual.leases
where $2::text is null
  or pontual.tenant_of(lane) = (select tenants.id from pontual.tenants where name = $2::text)`,
}

/** So many at once, so that no question takes long and others come in between. */
const PAGE = 2_500
const AFTER_ALL = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

export async function readMeasures(parts: Parts, query: MeasureQuery): Promise<Measures> {
  const [[held], pages] = await Promise.all([
    parts.driver.query<Held>(readHeld, [parts.testTime(), query.tenant]),
    readPages(parts, query),
  ])
  if (held) return sumPages(pages, held, query)
  throw new TypeError('A sum over everything gave no row.')
}

/** The newest first; one after another, since each goes on where the one before it ends. */
async function readPages(parts: Parts, query: MeasureQuery): Promise<EndedPage[]> {
  const pages: EndedPage[] = []
  let left = Math.max(0, query.limit)
  let before: string | null = AFTER_ALL
  while (left > 0 && before !== null) {
    const most = Math.min(PAGE, left)
    const page = await readPage(parts, query, before, most)
    pages.push(page)
    left -= page.ended
    before = page.ended < most ? null : page.oldestId
  }
  return pages
}

async function readPage({ driver }: Parts, query: MeasureQuery, before: string, most: number): Promise<EndedPage> {
  const { tenant, since } = query
  const values = [since, firstUuidAt(Math.max(0, since)), before, most]
  const [page] =
    tenant === null
      ? await driver.query<EndedPage>(measureExecutions, values)
      : await driver.query<EndedPage>(measureExecutionsOf, [...values, tenant])
  if (page) return page
  throw new TypeError('A sum over everything gave no row.')
}
