-- connections: how many connections the process opens at most, which a start-up check sums and compares with the limit of the server. declares: the jobs that
-- its code declares, so that no other node disables them as removed from the code.
create table pontual.nodes (
  id uuid primary key,
  name text not null,
  slots integer not null,
  queues text[] not null,
  job_types text[] not null,
  lease_ms double precision not null,
  started_at timestamptz not null,
  renewed_at timestamptz not null,
  expires_at timestamptz not null,
  connections integer,
  declares jsonb
);

-- How often attempts of job types with a rate limit start: instants in milliseconds, and how many attempts started at each. An empty tenant name stands for all
-- tenants together.
create table pontual.rates (
  job_type text collate "C" not null,
  tenant text collate "C" not null,
  starts double precision[] not null,
  counts integer[] not null,
  expires_at timestamptz not null,
  primary key (job_type, tenant)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0, vacuum_truncate = off);

-- The minutes in which a node was active: scheduler availability is computed from them. A minute belongs to no tenant, so a tenant may only read.
create table pontual.scheduler_minutes (
  minute timestamptz primary key
) with (vacuum_truncate = off);
create trigger engine_only
before insert or update or delete or truncate on pontual.scheduler_minutes
for each statement execute function pontual.refuse_tenants();

-- The periods in which nodes were active, to within seconds: an occurrence that waited longer than its threshold because no node was active was missed by an
-- outage, and not by overload.
create table pontual.active_periods (
  id uuid primary key,
  started_at timestamptz not null,
  ended_at timestamptz not null
) with (vacuum_truncate = off);
create index active_periods_ended on pontual.active_periods (ended_at);
create trigger engine_only
before insert or update or delete or truncate on pontual.active_periods
for each statement execute function pontual.refuse_tenants();

-- Single rates are read by key: the table never shrinks below 20 pages, so a plan that is cached while it is small uses the index.
insert into pontual.rates (job_type, tenant, starts, counts, expires_at)
select '', repeat('-', 1900) || n, '{}', '{}', 'epoch'
from generate_series(1, 100) as n;
delete from pontual.rates;
