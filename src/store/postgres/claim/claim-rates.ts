import { AGED_ONE_IN, type ClaimedExecution, type Resting } from '../../leases.ts'
import type { RateRule } from '../../rates.ts'
import { RowList } from '../named-statement.ts'

/** The parts of the claim that depend on whether it keeps rate limits. */
export interface ClaimParts {
  readonly asked: string
  readonly solePriority: string
  readonly grants: string
  /** The table that holds the executions within all limits of tenants, jobs and rates. */
  readonly source: string
  readonly starts: string
  readonly findings: string
  readonly isOutrun: string
}

const SOLE_PRIORITY =
  'pontual.sole_priority(array_agg(lane), array_agg(first_high), array_agg(first_medium), array_agg(first_low))'

export const WITHOUT_RATES: ClaimParts = {
  asked: '',
  solePriority: `${SOLE_PRIORITY} as sole_priority`,
  grants: '',
  source: 'allowed',
  starts: '',
  findings: '',
  isOutrun: '',
}

export const RATE = new RowList<'rate', RateRule>('rate', {
  job_type: ['text', ({ jobType }) => jobType],
  is_shared: ['bool', ({ by }) => by === 'type'],
  start_limit: ['int', ({ limit }) => limit],
  period_ms: ['float8', ({ perMs }) => perMs],
  is_durable: ['bool', ({ isDurable }) => isDurable],
  within_ms: ['float8', ({ withinMs }) => withinMs],
  since_aged: ['int', ({ sinceAged }) => sinceAged],
})

/**
 * A job type with a rate limit is claimed only as often as it may start, in the order of turns, and the starts are counted. If another claim
 * holds a limit at this moment, nothing of it is claimed. For durable job types this applies to executions that no node has claimed before.
 */
export const WITH_RATES: ClaimParts = {
  asked: `,
    $rate.job_type::text[] as rate_types,
    $rate.is_shared::bool[] as rates_are_shared,
    $rate.start_limit::int[] as rate_limits,
    $rate.period_ms::float8[] as rate_periods,
    $rate.is_durable::bool[] as rates_are_durable,
    $rate.within_ms::float8[] as rates_within,
    $rate.since_aged::int[] as rates_since_aged`,
  solePriority: `case
      when not exists (
        select from pontual.lanes
        where id = (array_agg(busy.lane))[1]
          and job_type = any((select rate_types from asked)::text[])
      ) then
        ${SOLE_PRIORITY}
    end as sole_priority`,
  grants: `rates as materialized (
  select limited.*, rates_are_durable[rule] as is_durable
  from asked
  cross join lateral pontual.claim_rates(
    $testTime::float8,
    array(select distinct lane from heads),
    rate_types,
    rates_are_shared,
    rate_limits,
    rate_periods
  ) as limited
),
may_start as (
  select allowed.*
  from allowed
  where (lane in (select lane from rates)) is not true
    or epoch > 0 and lane in (select lane from rates where is_durable)
  union all
  select place, lane, priority, execution_id, attempt, epoch, job_id, turn_of_rate, job_slot
  from (
    select
      of_tenant.*,
      row_number() over (
        partition by rule, rated_tenant
        order by turn_of_rate, nth_of_tenant, pontual.tenant_of(lane) <= served, pontual.tenant_of(lane)
      ) as nth
    from (
      select
        of_rate.*,
        row_number() over (
          partition by rule, pontual.tenant_of(lane)
          order by turn_of_rate, priority, execution_id
        ) as nth_of_tenant
      from (
        select
          rated.*,
          case when turn = 0 and nth_by_age <= (rates_since_aged[rule] + room) / ${AGED_ONE_IN} then 0 else 1 end
            as turn_of_rate,
          served
        from (
          select
            allowed.*,
            rates.rule,
            rates.tenant as rated_tenant,
            rates.room,
            row_number() over (partition by rates.rule, rates.tenant, turn order by execution_id) as nth_by_age
          from allowed
          join rates using (lane)
          where not (is_durable and epoch > 0)
        ) as rated
        cross join asked
      ) as of_rate
    ) as of_tenant
  ) as in_line
  where nth <= room
),
`,
  source: 'may_start',
  starts: `started as materialized (
  select rate_types[rate.rule] as job_type, rate.tenant, used.at, used.next_at
  from asked
  cross join lateral (
    select
      rule,
      rates.tenant,
      count(claimed.execution_id) filter (where not (is_durable and claimed.epoch > 0))::int as granted
    from rates
    left join claimed using (lane)
    where room is not null
    group by 1, 2
  ) as rate
  cross join lateral pontual.use_starts(
    $testTime::float8,
    rate_types[rate.rule],
    rate.tenant,
    rate_limits[rate.rule],
    rate_periods[rate.rule],
    rates_within[rate.rule],
    rate.granted
  ) as used
),
`,
  findings: `      'ratedLanes', array(select lane from rates),
      'starts', (
        select json_agg(json_build_object('jobType', job_type, 'tenant', nullif(tenant, ''), 'at', at, 'nextAt', next_at))
        from started
      ),
`,
  isOutrun: `
        or exists (select from rates where room is null)`,
}

/** The executions that use starts of a rate limit. */
export function startedWith(
  { jobType, tenant }: Resting,
  executions: readonly ClaimedExecution[],
  rates: readonly RateRule[],
): readonly string[] {
  const rule = rates.find((each) => each.jobType === jobType)
  const started = executions.filter(
    ({ body, epoch }) =>
      body.jobType === jobType && (tenant ?? body.tenant) === body.tenant && !(rule?.isDurable && epoch > 1),
  )
  return started.map(({ executionId }) => executionId)
}
