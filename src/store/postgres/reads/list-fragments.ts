/** The SQL that lists of executions share, those that are live and those in the archive. */

/** The ids of a list: those before `$1`, or all, down to the value `first`. */
export const edgeOf = (first: string): string => `edge as materialized (
  select
    coalesce($1::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid) as id,
    coalesce(${first}::uuid, '00000000-0000-0000-0000-000000000000'::uuid) as first
)`

/** The lanes of the tenant `$3` and of the job type `$4`, as one array. */
export const LISTED_LANES = `wanted as materialized (
  select array(
    select id
    from pontual.lanes
    where ($3::text is null or tenant_id = (select id from pontual.tenants where name = $3::text))
      and ($4::text is null or job_type = $4::text)
  ) as lanes
)`

export const IN_LISTED_LANE = `lane = any((select lanes from wanted)::bigint[])`

/** For a table whose row holds the body. The lanes are not compared if every lane is listed. */
export const BODY_IN_RANGE = `id < (select id from edge)
      and id >= (select first from edge)
      and (($3::text is null and $4::text is null) or ${IN_LISTED_LANE})`

/** For a table whose row refers to the body. */
export const ID_IN_RANGE = `execution_id < (select id from edge)
      and execution_id >= (select first from edge)`

/** The end of a query of `delayed`, `leases` or the queue of one job. */
export const NEXT_IN_RANGE = `${ID_IN_RANGE}
      and ${IN_LISTED_LANE}
    order by execution_id desc
    limit $2::int`

/** The executions of a job in one table. The edges are values, so that months beyond them are not even opened. */
export const historyIn = (table: string): string => `found as materialized (
  select id
  from ${table}
  where job_id = $1::uuid
    and id < $2::uuid
    and id >= $3::uuid
    and ($4::text is null or pontual.tenant_of(lane) = (select tenants.id from pontual.tenants where name = $4::text))
  order by id desc
  limit $5::int
)`
