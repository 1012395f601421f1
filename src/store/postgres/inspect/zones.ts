import type { Driver, Statement } from '../../driver/driver.ts'

const listZones: Statement = {
  name: 'inspectZones',
  text: `
select
  definition -> 'trigger' ->> 'timeZone' as zone,
  min(name) as "jobName",
  count(*) as jobs
from pontual.jobs
where status <> 'DELETED'
  and definition -> 'trigger' ->> 'timeZone' is not null
group by zone
order by zone
limit 1000`,
}

/** What the server makes of zones at instants: null for those it does not know. */
const compareOffsets: Statement = {
  name: 'inspectOffsets',
  text: `
select
  asked.zone,
  asked.at,
  case
    when known.name is null then null
    else extract(epoch from (moment at time zone known.name) - (moment at time zone 'UTC'))::float8 * 1000
  end as "offsetMs"
from unnest($1::text[], $2::float8[]) as asked (zone, at)
cross join lateral (select to_timestamp(asked.at / 1000) as moment) as instant
left join pg_timezone_names as known on known.name = asked.zone`,
}

/** A time zone that jobs are scheduled in. */
export interface UsedZone {
  readonly zone: string
  readonly jobName: string
  readonly jobs: number
}

export interface ZoneOffset {
  readonly zone: string
  readonly at: number
  /** null where the zone is not known. */
  readonly offsetMs: number | null
}

export function inspectZones(driver: Driver): Promise<UsedZone[]> {
  return driver.query<UsedZone>(listZones)
}

export async function inspectOffsets(
  driver: Driver,
  asked: readonly { readonly zone: string; readonly at: number }[],
): Promise<ZoneOffset[]> {
  return await driver.query<ZoneOffset>(compareOffsets, [asked.map(({ zone }) => zone), asked.map(({ at }) => at)])
}
