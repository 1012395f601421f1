-- The engine's tables. Nothing existed before, so nothing is unsafe while old nodes run.
--
-- Status is where an execution stands, not a column: its body is written once, and it moves from ready or delayed
-- through leases to results. Each move deletes from one table and inserts into the next in one statement.

create function pontual.to_ms(instant timestamptz)
returns double precision
language sql stable strict parallel safe
as $$ select round(date_part('epoch', instant) * 1000) $$;

create function pontual.from_ms(ms double precision)
returns timestamptz
language sql immutable strict parallel safe
as $$ select to_timestamp(ms / 1000) $$;

-- A lane is what a node may or may not take: tenant, queue and job type, as one small number. Lanes are never removed.
create table pontual.lanes (
  id integer generated always as identity primary key,
  tenant text not null,
  queue text not null,
  job_type text not null,
  unique (tenant, queue, job_type)
);

create table pontual.jobs (
  id uuid primary key,
  tenant text not null,
  name text not null,
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
  updated_at timestamptz not null
);
create unique index jobs_name on pontual.jobs (tenant, name) where status <> 'DELETED';
create index jobs_due on pontual.jobs (next_fire_at) where next_fire_at is not null and status in ('ACTIVE', 'APPROVED');

create table pontual.calendars (
  tenant text not null,
  name text not null,
  definition jsonb not null,
  primary key (tenant, name)
);

create table pontual.nodes (
  id uuid primary key,
  name text not null,
  slots integer not null,
  queues text[] not null,
  job_types text[] not null,
  lease_ms integer not null,
  started_at timestamptz not null,
  renewed_at timestamptz not null,
  expires_at timestamptz not null
);

-- Ids are UUIDs of version 7, so that a range of ids is a range of creation times: partitions by month keep a key of one column.
create table pontual.executions (
  id uuid primary key,
  lane integer not null,
  priority smallint not null,
  job_id uuid,
  origin text not null check (origin in ('enqueue', 'schedule', 'manual', 'retry')),
  payload text,
  scheduled_at timestamptz,
  max_attempts integer not null,
  idempotency_key text,
  options jsonb,
  created_at timestamptz not null
) partition by range (id);
create index executions_of_job on pontual.executions (job_id, id) where job_id is not null;

create table pontual.ready (
  lane integer not null,
  priority smallint not null,
  execution_id uuid not null,
  attempt integer not null,
  epoch integer not null,
  ready_at timestamptz not null,
  primary key (lane, priority, execution_id)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);

create table pontual.delayed (
  execution_id uuid primary key,
  due_at timestamptz not null,
  lane integer not null,
  priority smallint not null,
  attempt integer not null,
  epoch integer not null
);
create index delayed_due on pontual.delayed (due_at);

create table pontual.leases (
  execution_id uuid primary key,
  node_id uuid not null,
  lane integer not null,
  priority smallint not null,
  attempt integer not null,
  epoch integer not null,
  claimed_at timestamptz not null,
  progress double precision,
  progress_note text
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);

create table pontual.results (
  execution_id uuid primary key,
  status text not null check (status in ('SUCCESS', 'FAILED', 'TIMEOUT', 'CANCELLED')),
  attempt integer not null,
  epoch integer not null,
  node_id uuid,
  started_at timestamptz,
  finished_at timestamptz not null,
  output text,
  error jsonb,
  progress double precision,
  progress_note text
) partition by range (execution_id);

-- Attempts that did not end their execution; the one that did is told by the result.
create table pontual.attempts (
  execution_id uuid not null,
  attempt integer not null,
  epoch integer not null,
  status text not null check (status in ('FAILED', 'TIMEOUT', 'LOST')),
  node_id uuid not null,
  started_at timestamptz not null,
  ended_at timestamptz not null,
  error jsonb,
  primary key (execution_id, epoch)
) partition by range (execution_id);

create table pontual.execution_logs (
  execution_id uuid not null,
  sequence bigint not null,
  attempt integer not null,
  at timestamptz not null,
  level smallint not null,
  message text not null,
  fields text,
  primary key (execution_id, sequence)
) partition by range (execution_id);

create table pontual.idempotency_keys (
  tenant text not null,
  job_type text not null,
  key text not null,
  execution_id uuid not null,
  primary key (tenant, job_type, key)
);

-- The key is what makes firing at most once.
create table pontual.occurrences (
  job_id uuid not null,
  scheduled_at timestamptz not null,
  execution_id uuid not null,
  decision text not null check (decision in ('fired', 'firedLate', 'consolidated', 'skipped')),
  cause text,
  misfire jsonb,
  recorded_at timestamptz not null,
  primary key (job_id, scheduled_at)
);

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
