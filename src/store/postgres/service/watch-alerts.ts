import { firstUuidAt } from '../../../uuid.ts'
import type { AlertFigures, AlertState, GlobalFigures, StoredAlertRule, TenantFigures } from '../../alerts.ts'
import type { Statement } from '../../driver/driver.ts'
import type { Parts } from '../parts.ts'

export const RULE = `
  tenant,
  scope,
  kind,
  is_enabled as "isEnabled",
  threshold,
  clear_at as "clearAt",
  hold_seconds as "holdSeconds",
  clear_seconds as "clearSeconds"`

// Whoever comes first looks; the next one is let through when its time has come, whatever became of the first.
const claimWatch: Statement = {
  name: 'claimWatch',
  text: `
with clock as materialized (
  select pontual.clock($1::float8) as now
)
insert into pontual.alert_watch (due_at, alive_at)
select now + $2::float8 * interval '1 millisecond', now
from clock
on conflict (is_only) do update
set
  due_at = excluded.due_at,
  alive_at = greatest(
    alert_watch.alive_at,
    (
      select max(least(expires_at, (select now from clock)))
      from pontual.nodes
    )
  )
where alert_watch.due_at <= (select now from clock)
returning pontual.to_ms(alive_at) as "aliveAt"`,
}

// One that somebody closes at this moment is left to him.
const closeUnwanted: Statement = {
  name: 'closeUnwanted',
  text: `
with unwanted as materialized (
  select
    alerts.id,
    case when alert_rules.is_enabled is false then 'disabled' else 'removed' end as outcome
  from pontual.alerts
  left join pontual.jobs on jobs.id = alerts.job_id
  left join pontual.alert_rules
    on alert_rules.tenant = alerts.tenant
    and alert_rules.scope = alerts.scope
    and alert_rules.kind = alerts.kind
  where alerts.closed_at is null
    and alerts.job_id is not null
    and (jobs.id is null or jobs.status = 'DELETED' or alert_rules.is_enabled is false)
  order by alerts.id
  for update of alerts skip locked
)
update pontual.alerts
set
  closed_at = greatest(pontual.clock($1::float8), alerts.opened_at),
  outcome = unwanted.outcome
from unwanted
where alerts.id = unwanted.id`,
}

export const tenantFigures: Statement = {
  name: 'tenantFigures',
  text: `
select
  tenant,
  running,
  most as "limit",
  queued,
  attempts,
  timeouts
from pontual.alert_figures(
  pontual.clock($1::float8),
  greatest(
    $2::int,
    (
      select 2 * max(threshold)::int
      from pontual.alert_rules
      where kind = 'queueCongested'
        and threshold <= 1000000
    )
  ),
  $3::uuid
)`,
}

export const globalFigures: Statement = {
  name: 'globalFigures',
  text: `
with clock as materialized (
  select pontual.clock($1::float8) as now
),
alive as materialized (
  select id, slots
  from pontual.nodes
  where expires_at > (select now from clock)
)
select
  pontual.to_ms(now) as "now",
  (select count(*) from pontual.leases where node_id in (select id from alive)) as running,
  (select coalesce(sum(slots), 0)::float8 from alive) as slots,
  (select count(*) from alive) as "liveNodes",
  (select coalesce(jsonb_agg(each), '[]') from (select${RULE} from pontual.alert_rules) as each) as rules,
  (
    select coalesce(jsonb_agg(each), '[]')
    from (
      select
        tenant,
        scope,
        kind,
        alert_id as "alertId",
        pontual.to_ms(high_since) as "highSince",
        pontual.to_ms(low_since) as "lowSince"
      from pontual.alert_states
    ) as each
  ) as states
from clock`,
}

/** Timeouts are counted among executions that were made since so long before the hour that is looked at. */
const LOOK_BACK_MS = 25 * 3_600_000

interface GlobalRow extends Omit<GlobalFigures, 'queued' | 'aliveAt'> {
  readonly now: number
  readonly rules: readonly StoredAlertRule[]
  readonly states: readonly AlertState[]
}

/** Looks at everything, unless somebody else began to a moment ago. */
export async function watchAlerts(
  { driver, testTime }: Parts,
  everyMs: number,
  countTo: number,
): Promise<AlertFigures | null> {
  const [claimed] = await driver.query<{ aliveAt: number }>(claimWatch, [testTime(), everyMs])
  if (!claimed) return null
  await driver.query(closeUnwanted, [testTime()])
  const [row] = await driver.query<GlobalRow>(globalFigures, [testTime()])
  if (!row) throw new TypeError('A question about everything gave no row.')
  const { now, rules, states, ...global } = row
  const oldest = firstUuidAt(Math.max(0, now - LOOK_BACK_MS))
  const tenants = await driver.query<TenantFigures>(tenantFigures, [testTime(), countTo, oldest])
  const queued = tenants.reduce((sum, each) => sum + each.queued, 0)
  return {
    now,
    tenants,
    global: { ...global, queued, aliveAt: global.liveNodes > 0 ? now : claimed.aliveAt },
    rules,
    states,
  }
}
