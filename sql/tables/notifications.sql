-- The outbox: notifications, stored in the transaction of their cause. facts: ids and figures; the text is read at delivery. mail_id: the delivery that sends it
-- by mail, alone or with others.
create table pontual.notification_events (
  id text collate "C" primary key,
  tenant text collate "C" not null,
  kind text not null,
  at timestamptz not null,
  facts jsonb not null,
  planned_at timestamptz,
  suppression text check (suppression in ('flag', 'nobody')),
  mail_id text collate "C",
  told_at timestamptz
) with (vacuum_truncate = off);
create index notification_events_unplanned on pontual.notification_events (at, id) where planned_at is null;
create index notification_events_of_tenant on pontual.notification_events (tenant, at, id);
create index notification_events_of_mail on pontual.notification_events (mail_id) where mail_id is not null;
create index notification_events_by_time on pontual.notification_events (at);

-- A delivery in progress is due again when the lease of its process ends. event_id: the event that it delivers; null for a mail with several.
create table pontual.notification_deliveries (
  id text collate "C" primary key,
  tenant text collate "C" not null,
  event_id text collate "C",
  channel text not null check (channel in ('mail', 'webhook')),
  webhook_id text collate "C",
  status text not null check (status in ('WAITING', 'SENT', 'UNDELIVERED')),
  attempts integer not null,
  created_at timestamptz not null,
  due_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  last_error text
) with (fillfactor = 80, vacuum_truncate = off);
create index notification_deliveries_due on pontual.notification_deliveries (channel, due_at) where status = 'WAITING';
-- Tenants take turns.
create index notification_deliveries_in_turn on pontual.notification_deliveries (channel, tenant, due_at, id) where status = 'WAITING';
create index notification_deliveries_expiring on pontual.notification_deliveries (expires_at) where status = 'WAITING';
create index notification_deliveries_of_event on pontual.notification_deliveries (event_id) where event_id is not null;
create index notification_deliveries_by_time on pontual.notification_deliveries (created_at);

-- A plan that was made for a table of one page would read all of it later.
insert into pontual.notification_events (id, tenant, kind, at, facts, planned_at)
select n::text, '', repeat('-', 200), 'epoch', '{}', 'epoch'
from generate_series(1, 2000) as n;
delete from pontual.notification_events;
insert into pontual.notification_deliveries (id, tenant, channel, status, attempts, created_at, due_at, expires_at, last_error)
select n::text, '', 'mail', 'SENT', 0, 'epoch', 'epoch', 'epoch', repeat('-', 200)
from generate_series(1, 2000) as n;
delete from pontual.notification_deliveries;
