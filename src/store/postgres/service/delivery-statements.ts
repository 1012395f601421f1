import type { Statement } from '../../driver/driver.ts'

// A digest that somebody has claimed is closed: what was to join it is left as it is, to be planned again. What somebody else decides about at this moment is
// left to him.
export const planNotifications: Statement = {
  name: 'planNotifications',
  text: `
with clock as materialized (
  select pontual.clock($1::float8) as now
),
open as materialized (
  select events.id, events.tenant, decided.suppression
  from unnest($2::text[], $3::text[]) as decided (id, suppression)
  join pontual.notification_events as events on events.id = decided.id
  where events.planned_at is null
  order by events.id
  for update of events skip locked
),
wanted as materialized (
  select delivery.*, open.tenant
  from unnest(
    $4::text[],
    $5::text[],
    $6::text[],
    $7::text[],
    $8::float8[],
    $9::float8[],
    $10::boolean[]
  ) as delivery (id, event_id, channel, webhook_id, due_at, expires_at, is_digest)
  join open on open.id = delivery.event_id
),
kept as (
  insert into pontual.notification_deliveries as known (
    id,
    tenant,
    event_id,
    channel,
    webhook_id,
    status,
    attempts,
    created_at,
    due_at,
    expires_at
  )
  select
    wanted.id,
    min(wanted.tenant),
    case when not bool_or(wanted.is_digest) then min(wanted.event_id) end,
    min(wanted.channel),
    min(wanted.webhook_id),
    'WAITING',
    0,
    min(clock.now),
    pontual.from_ms(min(wanted.due_at)),
    pontual.from_ms(min(wanted.expires_at))
  from wanted
  cross join clock
  group by wanted.id
  order by wanted.id
  on conflict (id) do update
  set status = known.status
  where known.status = 'WAITING'
    and known.attempts = 0
  returning known.id
),
decided as (
  update pontual.notification_events as events
  set
    planned_at = (select now from clock),
    suppression = open.suppression,
    mail_id = (select wanted.id from wanted where wanted.event_id = open.id and wanted.channel = 'mail' limit 1)
  from open
  where events.id = open.id
    and not exists (
      select
      from wanted
      where wanted.event_id = open.id
        and not exists (select from kept where kept.id = wanted.id)
    )
  returning 1
)
select count(*)::int as count
from decided`,
}

// Tenants take turns, in the order of their names from the one behind who was last: each is looked up by itself in the index, until there are enough. Only
// where few have something that is due may one have several. What others claim at this moment is left to them, so that a few more are looked at than are
// asked for.
export const claimDeliveries: Statement = {
  name: 'claimDeliveries',
  text: `
with recursive clock as materialized (
  select pontual.clock($1::float8) as now
),
line (lap, channel, tenant, is_there) as (
  select 0, wanted.channel, $6::text collate "C", false
  from unnest($2::text[]) as wanted (channel)
  union all
  select next.lap, line.channel, next.tenant, next.is_there
  from line
  cross join lateral (
    (
      select line.lap, deliveries.tenant, true as is_there
      from pontual.notification_deliveries as deliveries
      where deliveries.status = 'WAITING'
        and deliveries.channel = line.channel
        and deliveries.tenant > line.tenant
        and (line.lap = 0 or deliveries.tenant <= $6::text)
      order by deliveries.tenant
      limit 1
    )
    union all
    select 1, '', false
    where line.lap = 0
    limit 1
  ) as next
),
first as materialized (
  select line.channel, line.tenant, row_number() over () as place
  from line
  cross join clock
  where line.is_there
    and line.tenant <> all($5::text[])
    and exists (
      select
      from pontual.notification_deliveries as deliveries
      where deliveries.status = 'WAITING'
        and deliveries.channel = line.channel
        and deliveries.tenant = line.tenant
        and deliveries.due_at <= clock.now
    )
  limit 4 * $3::int
),
ready as (
  select
    own.id,
    first.place,
    row_number() over (partition by first.tenant order by own.due_at, own.id) as turn
  from first
  cross join clock
  cross join lateral (
    select deliveries.id, deliveries.due_at
    from pontual.notification_deliveries as deliveries
    where deliveries.status = 'WAITING'
      and deliveries.channel = first.channel
      and deliveries.tenant = first.tenant
      and deliveries.due_at <= clock.now
    order by deliveries.due_at, deliveries.id
    limit 4 * $3::int
  ) as own
  union all
  (
    select deliveries.id, 0, 1
    from pontual.notification_deliveries as deliveries
    cross join clock
    where deliveries.status = 'WAITING'
      and deliveries.channel <> all($2::text[])
      and deliveries.expires_at <= clock.now
      and deliveries.due_at <= clock.now
    order by deliveries.expires_at
    limit $3::int
  )
),
due as materialized (
  select deliveries.id, ready.place
  from (
    select *
    from ready
    order by turn, place, id
    limit 4 * $3::int
  ) as ready
  join pontual.notification_deliveries as deliveries on deliveries.id = ready.id
  cross join clock
  where deliveries.status = 'WAITING'
    and deliveries.due_at <= clock.now
  order by ready.turn, ready.place, ready.id
  limit $3::int
  for update of deliveries skip locked
)
update pontual.notification_deliveries as deliveries
set
  attempts = deliveries.attempts + 1,
  due_at = clock.now + $4::float8 * interval '1 millisecond'
from due, clock
where deliveries.id = due.id
returning
  pontual.to_ms(clock.now) as "now",
  due.place,
  deliveries.id,
  deliveries.tenant,
  deliveries.channel,
  deliveries.webhook_id as "webhookId",
  deliveries.attempts as attempt,
  deliveries.expires_at <= clock.now as "isExpired",
  deliveries.last_error as "lastError"`,
}

// After the claim, by which a digest is closed: what has joined it at the last moment is told too.
export const readTold: Statement = {
  name: 'readToldEvents',
  text: `
select
  deliveries.id,
  told.events,
  case
    when deliveries.event_id is null then (
      select count(*)::int
      from pontual.notification_events
      where mail_id = deliveries.id
    )
    else 1
  end as "eventCount"
from pontual.notification_deliveries as deliveries
cross join lateral (
  select
    coalesce(
      json_agg(
        json_build_object(
          'id', id,
          'tenant', tenant,
          'kind', kind,
          'at', pontual.to_ms(at),
          'facts', facts
        )
        order by at, id
      ),
      '[]'
    ) as events
  from (
    select *
    from pontual.notification_events as events
    where deliveries.event_id is not null
      and events.id = deliveries.event_id
    union all
    (
      select *
      from pontual.notification_events as events
      where deliveries.event_id is null
        and events.mail_id = deliveries.id
      order by at, id
      limit $2::int
    )
  ) as events
) as told
where deliveries.id = any($1::text[])
order by deliveries.created_at, deliveries.id`,
}

// Events are locked before deliveries, as they are by who plans.
export const settleDeliveries: Statement = {
  name: 'settleDeliveries',
  text: `
with clock as materialized (
  select pontual.clock($1::float8) as now
),
settlements as materialized (
  select *
  from unnest($2::text[], $3::int[], $4::text[], $5::float8[], $6::text[])
    as settlement (id, attempt, status, retry_in_ms, error)
),
told as materialized (
  select events.id, deliveries.id as delivery_id
  from settlements
  join pontual.notification_deliveries as deliveries
    on deliveries.id = settlements.id
    and deliveries.attempts = settlements.attempt
    and deliveries.status = 'WAITING'
  join pontual.notification_events as events
    on events.id = deliveries.event_id
    or events.mail_id = deliveries.id
  where settlements.status = 'SENT'
    and events.told_at is null
  order by events.id
  for update of events
),
settled as (
  update pontual.notification_deliveries as deliveries
  set
    status = settlements.status,
    due_at = coalesce(clock.now + settlements.retry_in_ms * interval '1 millisecond', deliveries.due_at),
    ended_at = case when settlements.status <> 'WAITING' then clock.now end,
    last_error = settlements.error
  from settlements, clock, (select count(*) as count from told) as locked
  where locked.count >= 0
    and deliveries.id = settlements.id
    and deliveries.attempts = settlements.attempt
    and deliveries.status = 'WAITING'
  returning deliveries.id
)
update pontual.notification_events as events
set told_at = (select now from clock)
from told
join settled on settled.id = told.delivery_id
where events.id = told.id`,
}
