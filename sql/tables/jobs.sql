create table pontual.jobs (
  id uuid primary key,
  tenant text collate "C" not null,
  name text collate "C" not null,
  status text not null check (status in ('ACTIVE', 'PAUSED', 'DISABLED', 'FAULTED', 'PENDING_APPROVAL', 'APPROVED', 'DELETED')),
  resume_status text,
  status_reason text,
  origin text not null check (origin in ('code', 'runtime')),
  job_type text not null,
  definition jsonb not null,
  payload text,
  trigger_now jsonb not null,
  next_fire_at timestamptz,
  previous_fire_at timestamptz,
  times_triggered bigint not null,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  details jsonb not null default '{}',
  paused_until timestamptz,
  -- Written by src/store/search-text.ts: which letters PostgreSQL treats as equal in another case depends on how the database was created.
  search_text text,
  search_tags text
) with (vacuum_truncate = off);
create unique index jobs_name on pontual.jobs (tenant, name) where status <> 'DELETED';
create index jobs_due on pontual.jobs (next_fire_at) where next_fire_at is not null and status in ('ACTIVE', 'APPROVED');
-- A job whose onFaulted is 'continue' fires while it is FAULTED.
create index jobs_due_faulted on pontual.jobs (next_fire_at)
  where next_fire_at is not null and status = 'FAULTED' and definition ->> 'onFault' = 'continue';
create index jobs_paused on pontual.jobs (paused_until) where paused_until is not null and status = 'PAUSED';
create index jobs_deleted on pontual.jobs (tenant) where status = 'DELETED';

create table pontual.calendars (
  tenant text collate "C" not null,
  name text collate "C" not null,
  definition jsonb not null,
  primary key (tenant, name)
);

-- The key makes each occurrence fire at most once.
create table pontual.occurrences (
  job_id uuid not null,
  scheduled_at timestamptz not null,
  execution_id uuid not null,
  decision text not null check (decision in ('fired', 'firedLate', 'consolidated', 'skipped')),
  cause text,
  misfire jsonb,
  recorded_at timestamptz not null,
  primary key (job_id, scheduled_at)
) with (vacuum_truncate = off);

-- Occurrences that were not fired, as ranges.
create table pontual.missed (
  job_id uuid not null,
  from_at timestamptz not null,
  to_at timestamptz not null,
  count bigint not null,
  decision text not null check (decision in ('consolidated', 'skipped', 'dropped')),
  cause text not null,
  recorded_at timestamptz not null,
  primary key (job_id, from_at, to_at, decision, cause)
);

-- How many executions of a job have finished, and the number of each.
create table pontual.execution_counters (
  job_id uuid primary key,
  ended bigint not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0, vacuum_truncate = off);
create table pontual.execution_numbers (
  execution_id uuid primary key,
  number bigint not null
) with (vacuum_truncate = off);

-- Single rows are read by key: the tables never shrink below 20 pages, so a plan that is cached while they are small uses the index.
insert into pontual.jobs (id, tenant, name, status, origin, job_type, definition, payload, trigger_now, times_triggered, version, created_at, updated_at)
select
  ('00000000-0000-0000-0000-' || to_char(n, 'FM000000000000'))::uuid,
  '',
  'room-' || n,
  'DISABLED',
  'runtime',
  '',
  '{}',
  repeat('-', 1700),
  '{}',
  0,
  0,
  'epoch',
  'epoch'
from generate_series(1, 100) as n;
insert into pontual.occurrences (job_id, scheduled_at, execution_id, decision, misfire, recorded_at)
select id, 'epoch', id, 'fired', jsonb_build_object('room', repeat('-', 1700)), 'epoch'
from pontual.jobs;
delete from pontual.occurrences;
delete from pontual.jobs;
insert into pontual.execution_counters (job_id, ended)
select ('00000000-0000-0000-0000-' || to_char(n, 'FM000000000000'))::uuid, 0
from generate_series(1, 2500) as n;
delete from pontual.execution_counters;
insert into pontual.execution_numbers (execution_id, number)
select ('00000000-0000-0000-0000-' || to_char(n, 'FM000000000000'))::uuid, 0
from generate_series(1, 4000) as n;
delete from pontual.execution_numbers;
