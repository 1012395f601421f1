import type { CachedResult, CachePlace, CacheStore } from '../../cache.ts'
import type { Statement } from '../../driver/driver.ts'
import type { Parts } from '../parts.ts'

const findCachedResults: Statement = {
  name: 'findCachedResults',
  text: `
with clock as materialized (
  select pontual.clock($1::float8) as now
)
select
  asked.tenant,
  asked.job_type as "jobType",
  asked.hash,
  cached.execution_id as "executionId",
  cached.output
from unnest($2::text[], $3::text[], $4::text[]) as asked (tenant, job_type, hash)
cross join lateral (
  select execution_id, output
  from pontual.cached_results
  where cached_results.tenant = asked.tenant
    and cached_results.job_type = asked.job_type
    and cached_results.hash = asked.hash
    and cached_results.expires_at > (select now from clock)
  limit 1
) as cached`,
}

// In the order of their keys, so that two who write the same places wait for each other and not in a circle.
const putCachedResults: Statement = {
  name: 'putCachedResults',
  text: `
with input as materialized (
  select *
  from unnest($1::text[], $2::text[], $3::text[], $4::uuid[], $5::float8[])
    with ordinality as input (tenant, job_type, hash, execution_id, ttl_ms, place)
)
insert into pontual.cached_results (
  tenant,
  job_type,
  hash,
  execution_id,
  output,
  finished_at,
  expires_at
)
select distinct on (input.tenant collate "C", input.job_type collate "C", input.hash collate "C")
  input.tenant,
  input.job_type,
  input.hash,
  input.execution_id,
  result.output,
  result.finished_at,
  result.finished_at + input.ttl_ms * interval '1 millisecond'
from input
cross join lateral (
  select status, output, finished_at
  from pontual.results
  where results.execution_id = input.execution_id
  limit 1
) as result
where result.status = 'SUCCESS'
order by
  input.tenant collate "C",
  input.job_type collate "C",
  input.hash collate "C",
  result.finished_at desc,
  input.place desc
on conflict (tenant, job_type, hash) do update
set
  execution_id = excluded.execution_id,
  output = excluded.output,
  finished_at = excluded.finished_at,
  expires_at = excluded.expires_at
where cached_results.finished_at <= excluded.finished_at`,
}

const clearCachedResults: Statement = {
  name: 'clearCachedResults',
  text: `
with removed as (
  delete from pontual.cached_results
  where tenant = $1::text
    and job_type = $2::text
    and hash = any(array(
      select hash
      from pontual.cached_results
      where tenant = $1::text
        and job_type = $2::text
        and ($3::text is null or hash = $3::text)
      order by hash
      limit $4::int
      for update
    ))
  returning hash
)
select count(*) as count
from removed`,
}

export function cacheStore({ driver, testTime }: Parts): CacheStore {
  return {
    async find(places) {
      if (places.length === 0) return []
      return await driver.query<CachedResult>(findCachedResults, [testTime(), ...placeValues(distinct(places))])
    },

    async put(results) {
      if (results.length === 0) return
      await driver.query(putCachedResults, [
        ...placeValues(results),
        results.map(({ executionId }) => executionId),
        results.map(({ ttlMs }) => ttlMs),
      ])
    },

    async clear({ tenant, jobType, hash = null }, limit) {
      const values = [tenant, jobType, hash, Math.max(0, limit)]
      const [row] = await driver.query<{ count: number }>(clearCachedResults, values)
      return row?.count ?? 0
    },
  }
}

function placeValues(places: readonly CachePlace[]): string[][] {
  return [places.map(({ tenant }) => tenant), places.map(({ jobType }) => jobType), places.map(({ hash }) => hash)]
}

function distinct(places: readonly CachePlace[]): CachePlace[] {
  return [...new Map(places.map((each) => [JSON.stringify([each.tenant, each.jobType, each.hash]), each])).values()]
}
