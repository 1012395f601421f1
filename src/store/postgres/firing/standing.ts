import type { StandingOccurrence } from '../../../job/rules/resolve-overlap.ts'
import type { Statement } from '../../driver/driver.ts'
import { type JobStanding, STANDING_LIMIT } from '../../occurrences.ts'
import type { Parts } from '../parts.ts'

const findStanding: Statement = {
  name: 'findStanding',
  text: `
select
  busy.job_id as "jobId",
  standing.execution_id as "executionId",
  pontual.to_ms(standing.scheduled_at) as "scheduledAt",
  standing.misfire,
  standing.is_fresh as "isFresh"
from (
  select distinct asked.job_id
  from unnest($1::uuid[]) as asked (job_id)
  where exists (select from pontual.ready where ready.job_id = asked.job_id)
    or exists (select from pontual.delayed where delayed.job_id = asked.job_id)
    or exists (select from pontual.leases where leases.job_id = asked.job_id)
) as busy
left join lateral (
  select place.execution_id, occurrence.scheduled_at, occurrence.misfire, place.is_fresh
  from (
    select execution_id, epoch = 0 as is_fresh
    from pontual.ready
    where ready.job_id = busy.job_id
    union all
    select execution_id, false
    from pontual.delayed
    where delayed.job_id = busy.job_id
    union all
    select execution_id, false
    from pontual.leases
    where leases.job_id = busy.job_id
  ) as place
  cross join lateral (
    select occurrences.scheduled_at, occurrences.misfire
    from pontual.executions
    join pontual.occurrences
      on occurrences.job_id = busy.job_id
      and occurrences.scheduled_at = executions.scheduled_at
      and occurrences.execution_id = executions.id
    where executions.id = place.execution_id
    limit 1
  ) as occurrence
  order by occurrence.scheduled_at desc
  limit $2::int
) as standing on true
order by busy.job_id, standing.scheduled_at`,
}

type Row = { readonly jobId: string } & (StandingOccurrence | { readonly executionId: null })

/** What of jobs has not ended, in the order of the ids; jobs of which everything has are left out. */
export async function standing({ driver }: Parts, jobIds: readonly string[]): Promise<JobStanding[]> {
  if (jobIds.length === 0) return []
  const rows = await driver.query<Row>(findStanding, [jobIds, STANDING_LIMIT])
  const byJob = new Map<string, StandingOccurrence[]>()
  for (const { jobId, ...occurrence } of rows) {
    const ofJob = byJob.get(jobId) ?? []
    byJob.set(jobId, ofJob)
    if (occurrence.executionId !== null) ofJob.push(occurrence)
  }
  return [...byJob].map(([jobId, occurrences]) => ({ jobId, isBusy: true, occurrences }))
}
