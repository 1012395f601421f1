import type { StandingOccurrence } from '../../../job/rules/resolve-overlap.ts'
import type { Statement } from '../../driver/driver.ts'
import type { OccurrenceRecord, OccurrenceStore, WaitingOccurrence } from '../../occurrences.ts'
import { type JobStanding, STANDING_LIMIT } from '../../occurrences.ts'
import type { Parts } from '../parts.ts'
import { consolidate } from './consolidate.ts'
import { fire } from './fire.ts'

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
async function standing({ driver }: Parts, jobIds: readonly string[]): Promise<JobStanding[]> {
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

const readLedger: Statement = {
  name: 'readLedger',
  text: `
select "from", "to", count, decision, cause, "executionId", misfire, "recordedAt"
from (
  (
    select
      pontual.to_ms(scheduled_at) as "from",
      pontual.to_ms(scheduled_at) as "to",
      1 as count,
      decision,
      cause,
      execution_id as "executionId",
      misfire,
      pontual.to_ms(recorded_at) as "recordedAt",
      0 as turn
    from pontual.occurrences
    where job_id = $1::uuid
      and scheduled_at >= pontual.from_ms($2::float8)
      and scheduled_at < pontual.from_ms($3::float8)
    order by scheduled_at
    limit $4::int
  )
  union all
  (
    select
      pontual.to_ms(from_at),
      pontual.to_ms(to_at),
      count,
      decision,
      cause,
      null,
      null,
      pontual.to_ms(recorded_at),
      1
    from pontual.missed
    where job_id = $1::uuid
      and to_at >= pontual.from_ms($2::float8)
      and from_at < pontual.from_ms($3::float8)
    order by from_at, to_at
    limit $4::int
  )
) as entries
order by "from", "to", turn
limit $4::int`,
}

const findWaiting: Statement = {
  name: 'findWaiting',
  text: `
select
  standing.execution_id as "executionId",
  pontual.to_ms(occurrence.scheduled_at) as "scheduledAt",
  occurrence.misfire,
  standing.is_held as "isHeld"
from (
  select execution_id, false as is_held
  from pontual.ready
  where job_id = $1::uuid
    and epoch = 0
  union all
  select execution_id, true
  from pontual.leases
  where job_id = $1::uuid
    and epoch = 1
) as standing
cross join lateral (
  select occurrences.scheduled_at, occurrences.misfire
  from pontual.executions
  join pontual.occurrences
    on occurrences.job_id = $1::uuid
    and occurrences.scheduled_at = executions.scheduled_at
    and occurrences.execution_id = executions.id
  where executions.id = standing.execution_id
    and occurrences.decision in ('fired', 'firedLate')
  limit 1
) as occurrence
order by occurrence.scheduled_at
limit $2::int`,
}

export function occurrenceStore(parts: Parts): OccurrenceStore {
  const { driver } = parts
  return {
    fire: (firings) => fire(parts, firings),
    consolidate: (changes) => consolidate(parts, changes),
    standing: (jobIds) => standing(parts, jobIds),

    async ledger({ jobId, from, to, limit }) {
      const values = [jobId, from, to, Math.max(0, limit)]
      return await driver.query<OccurrenceRecord>(readLedger, values)
    },

    waiting: (jobId, limit) => driver.query<WaitingOccurrence>(findWaiting, [jobId, Math.max(0, limit)]),
  }
}
