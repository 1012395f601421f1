import type { Statement } from '../../driver/driver.ts'

// The page first: to look up what became of all that there is would take seconds.
export const listNotifications: Statement = {
  name: 'listNotifications',
  isHead: true,
  text: `
with events as materialized (
  select *
  from pontual.notification_events
  where tenant = $1::text
    and ($2::text[] is null or kind = any($2::text[]))
    and ($3::text is null or facts ->> 'jobId' = $3::text)
    and ($4::float8 is null or (at, id) < (pontual.from_ms($4::float8), $5::text))
  order by at desc, id desc
  limit $6::int
)
select
  events.id,
  events.tenant,
  events.kind,
  pontual.to_ms(events.at) as at,
  events.facts,
  events.planned_at is not null as "isPlanned",
  events.suppression,
  pontual.to_ms(events.told_at) as "toldAt",
  planned.deliveries
from events
cross join lateral (
  select
    coalesce(
      json_agg(
        json_build_object(
          'id', deliveries.id,
          'channel', deliveries.channel,
          'webhookId', deliveries.webhook_id,
          'status', deliveries.status,
          'attempts', deliveries.attempts,
          'dueAt', pontual.to_ms(deliveries.due_at),
          'endedAt', pontual.to_ms(deliveries.ended_at),
          'lastError', deliveries.last_error
        )
        order by deliveries.id
      ),
      '[]'
    ) as deliveries
  from (
    select *
    from pontual.notification_deliveries
    where event_id = events.id
    union
    select *
    from pontual.notification_deliveries
    where id = events.mail_id
  ) as deliveries
) as planned
order by events.at desc, events.id desc`,
}

export const summarizeNotifications: Statement = {
  name: 'summarizeNotifications',
  text: `
select
  count(*)::int as failures,
  count(*) filter (where told_at is not null)::int as told,
  count(*) filter (where suppression is not null)::int as suppressed,
  count(*) filter (
    where told_at is null
      and suppression is null
      and planned_at is not null
      and not exists (
        select
        from pontual.notification_deliveries as deliveries
        where deliveries.status = 'WAITING'
          and (deliveries.event_id = events.id or deliveries.id = events.mail_id)
      )
  )::int as undelivered
from pontual.notification_events as events
where ($1::text is null or tenant = $1::text)
  and kind = 'job.failed'
  and at >= pontual.from_ms($2::float8)`,
}
