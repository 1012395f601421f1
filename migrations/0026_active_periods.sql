-- The periods in which nodes were active, to within seconds: an occurrence that waited longer than its threshold because no node was active was missed by an
-- outage, and not by overload. scheduler_minutes only tells whole minutes apart.
--
-- Safe while old nodes run: they record no periods, so time in which only they are active counts as an outage. Minutes that were recorded before count as
-- active.

create table pontual.active_periods (
  id uuid primary key,
  started_at timestamptz not null,
  ended_at timestamptz not null
) with (vacuum_truncate = off);

create index active_periods_ended on pontual.active_periods (ended_at);

insert into pontual.active_periods (id, started_at, ended_at)
select gen_random_uuid(), min(minute), max(minute) + interval '1 minute'
from pontual.scheduler_minutes
having count(*) > 0;

create trigger engine_only
before insert or update or delete or truncate on pontual.active_periods
for each statement execute function pontual.refuse_tenants();

select pontual.secure_rows();
