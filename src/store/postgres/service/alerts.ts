import {
  ALERTS_KEPT_MS,
  type Alert,
  type AlertRuleChange,
  type AlertStore,
  type StoredAlertRule,
  type TenantAlertStore,
  type UntoldAlert,
} from '../../alerts.ts'
import type { Statement } from '../../driver/driver.ts'
import type { Parts } from '../parts.ts'
import { RULE, watchAlerts } from './watch-alerts.ts'
import { writeAudit } from './write-audit.ts'

const rulesOf: Statement = {
  name: 'alertRulesOf',
  text: `
select${RULE}
from pontual.alert_rules
where tenant = $1::text
order by scope, kind`,
}

const recordAlerts: Statement = {
  name: 'recordAlerts',
  text: `
select id
from pontual.record_alerts($1::jsonb) as id`,
}

const ALERT = `
  alerts.id,
  alerts.tenant,
  alerts.scope,
  alerts.kind,
  alerts.job_id as "jobId",
  alerts.execution_id as "executionId",
  alerts.value,
  alerts.threshold,
  pontual.to_ms(alerts.since) as since,
  pontual.to_ms(alerts.opened_at) as "openedAt",
  pontual.to_ms(alerts.closed_at) as "closedAt",
  alerts.outcome`

const untoldAlerts: Statement = {
  name: 'untoldAlerts',
  text: `
select${ALERT},
  jobs.name as "jobName",
  not alerts.is_opening_told as "isNew"
from pontual.alerts
left join pontual.jobs on jobs.id = alerts.job_id
where not alerts.is_opening_told
  or (alerts.closed_at is not null and not alerts.is_closing_told)
order by alerts.opened_at, alerts.id
limit $1::int`,
}

const tellAlerts: Statement = {
  name: 'tellAlerts',
  text: `
update pontual.alerts
set
  is_opening_told = alerts.is_opening_told or told.news = 'opened',
  is_closing_told = alerts.is_closing_told or told.news = 'closed'
from (
  select alerts.id, each.news
  from unnest($1::uuid[], $2::text[]) as each (id, news)
  join pontual.alerts on alerts.id = each.id
  order by alerts.id
  for update of alerts
) as told
where alerts.id = told.id`,
}

const listAlerts: Statement = {
  name: 'listAlerts',
  isHead: true,
  text: `
select${ALERT}
from pontual.alerts
where alerts.tenant = $1::text
  and ($2::boolean is null or (alerts.closed_at is null) = $2::boolean)
  and ($3::text is null or alerts.kind = $3::text)
  and (
    $4::boolean is null
    or ((alerts.closed_at is null), alerts.opened_at, alerts.id) < ($4::boolean, pontual.from_ms($5::float8), $6::uuid)
  )
order by (alerts.closed_at is null) desc, alerts.opened_at desc, alerts.id desc
limit $7::int`,
}

const putRule: Statement = {
  name: 'putAlertRule',
  text: `
insert into pontual.alert_rules (
  tenant,
  scope,
  kind,
  is_enabled,
  threshold,
  clear_at,
  hold_seconds,
  clear_seconds,
  updated_at
)
values (
  $2::text,
  $3::text,
  $4::text,
  $5::boolean,
  $6::float8,
  $7::float8,
  $8::int,
  $9::int,
  pontual.clock($1::float8)
)
on conflict (tenant, scope, kind) do update
set
  is_enabled = excluded.is_enabled,
  threshold = excluded.threshold,
  clear_at = excluded.clear_at,
  hold_seconds = excluded.hold_seconds,
  clear_seconds = excluded.clear_seconds,
  updated_at = excluded.updated_at`,
}

const recoveries: Statement = {
  name: 'recoveries',
  text: `
select
  count(*) as count,
  avg(pontual.to_ms(closed_at) - pontual.to_ms(opened_at)) as "meanMs"
from pontual.alerts
where ($1::text is null or tenant = $1::text)
  and outcome = 'recovered'
  and closed_at >= pontual.from_ms($2::float8)`,
}

const removeAlerts: Statement = {
  name: 'removePastAlerts',
  text: `
delete from pontual.alerts
where closed_at < pontual.clock($1::float8) - $2::float8 * interval '1 millisecond'`,
}

/** Removes those that were over long ago. */
export async function removePastAlerts({ driver, testTime }: Parts): Promise<void> {
  await driver.query(removeAlerts, [testTime(), ALERTS_KEPT_MS])
}

export function tenantAlertStore(parts: Parts): TenantAlertStore {
  const { driver } = parts
  return {
    list: ({ tenant, limit, isOpen, kind, after }) =>
      driver.query<Alert>(listAlerts, [
        tenant,
        isOpen ?? null,
        kind ?? null,
        after?.isOpen ?? null,
        after?.openedAt ?? null,
        after?.id ?? null,
        Math.max(0, limit),
      ]),

    rules: (tenant) => driver.query<StoredAlertRule>(rulesOf, [tenant]),
    putRule: (change) => store(parts, change),

    async recoveries(tenant, since) {
      const [row] = await driver.query<{ count: number; meanMs: number | null }>(recoveries, [tenant, since])
      return row ?? { count: 0, meanMs: null }
    },
  }
}

export function alertStore(parts: Parts): AlertStore {
  const { driver } = parts
  return {
    ...tenantAlertStore(parts),
    watch: (everyMs, countTo) => watchAlerts(parts, everyMs, countTo),

    async record(changes) {
      if (changes.length === 0) return []
      const rows = await driver.query<{ id: string }>(recordAlerts, [JSON.stringify(changes)])
      return rows.map(({ id }) => id)
    },

    async untold(limit) {
      const rows = await driver.query<Alert & { jobName: string | null; isNew: boolean }>(untoldAlerts, [limit])
      return rows.map(
        ({ jobName, isNew, ...alert }): UntoldAlert => ({ alert, jobName, news: isNew ? 'opened' : 'closed' }),
      )
    },

    async tell(told) {
      if (told.length > 0) await driver.query(tellAlerts, [told.map(({ id }) => id), told.map(({ news }) => news)])
    },
  }
}

async function store({ driver, testTime }: Parts, change: AlertRuleChange): Promise<void> {
  const { tenant, scope, kind, isEnabled, threshold, clearAt, holdSeconds, clearSeconds, audit } = change
  await driver.transaction(async (transaction) => {
    const values = [tenant, scope, kind, isEnabled, threshold, clearAt, holdSeconds, clearSeconds]
    await transaction.query(putRule, [testTime(), ...values])
    if (audit) await writeAudit(transaction, [{ ...audit, tenant }], testTime())
  })
}
