-- The status of an execution is the table that holds its row, not a column: its body is written once, and it moves from ready or delayed through leases to
-- results. Each move deletes from one table and inserts into the next in one statement.
--
-- JSON that is only stored for its readers is text: jsonb rejects values that JSON allows (\u0000, half a surrogate pair), and an error message must never make
-- a batch fail. Names are compared by code point ("C"), as elsewhere.

-- Ids are UUIDs of version 7, so a range of ids is a range of creation times, and partitions by month keep a key of one column. The default partitions take
-- rows that a wrong clock dates outside of every month.
create table pontual.executions (
  id uuid primary key,
  lane bigint not null,
  priority smallint not null,
  job_id uuid,
  origin text not null check (origin in ('enqueue', 'schedule', 'manual', 'retry')),
  payload text,
  scheduled_at timestamptz,
  max_attempts integer not null,
  idempotency_key text,
  options text,
  created_at timestamptz not null
) partition by range (id);
create index executions_of_job on pontual.executions (job_id, id) where job_id is not null;
create table pontual.executions_default partition of pontual.executions default;
create table pontual.executions_archive (
  like pontual.executions including defaults including constraints,
  primary key (id)
) partition by range (id);
create index executions_archive_of_job on pontual.executions_archive (job_id, id) where job_id is not null;

-- Tables that fill and empty all day are vacuumed early and never truncated: a plan made for an empty table would read a full one sequentially.
create table pontual.ready (
  lane bigint not null,
  attempt integer not null,
  epoch integer not null,
  priority smallint not null,
  execution_id uuid not null,
  job_id uuid,
  primary key (lane, priority, execution_id)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0, vacuum_truncate = off);
create index ready_of_job on pontual.ready (job_id) where job_id is not null;
-- Started executions of a job that no node holds, here and in delayed_parked. Readers rely on the order, which no other index of the job has.
create index ready_begun on pontual.ready (job_id, execution_id) where epoch > 0 and job_id is not null;

-- awaits: how many predecessors have to finish before it may run; above zero it is WAITING, and due_at is infinity or the time of the next check. is_parked:
-- WAITING until it is due or a message arrives. divergence: the reason why it is DIVERGED; due_at is then infinity.
create table pontual.delayed (
  execution_id uuid primary key,
  due_at timestamptz not null,
  lane bigint not null,
  attempt integer not null,
  epoch integer not null,
  priority smallint not null,
  job_id uuid,
  awaits integer not null default 0,
  is_parked boolean not null default false,
  divergence text
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0, vacuum_truncate = off);
create index delayed_due on pontual.delayed (due_at);
create index delayed_of_job on pontual.delayed (job_id) where job_id is not null;
create index delayed_waiting on pontual.delayed (due_at) where awaits > 0;
create index delayed_diverged on pontual.delayed (execution_id) where divergence is not null;
create index delayed_parked on pontual.delayed (job_id, execution_id) where is_parked and job_id is not null;

-- has_news: something arrived that the holder has not loaded. is_cancelling: it may only finish as CANCELLED. is_unspent: its node has announced that it exits,
-- so recovery does not spend the attempt.
create table pontual.leases (
  execution_id uuid primary key,
  node_id uuid not null,
  claimed_at timestamptz not null,
  lane bigint not null,
  attempt integer not null,
  epoch integer not null,
  priority smallint not null,
  tenant_slot integer,
  job_slot integer,
  job_id uuid,
  progress double precision,
  progress_note text,
  has_news boolean not null default false,
  is_cancelling boolean not null default false,
  is_unspent boolean not null default false
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0, vacuum_truncate = off);
create index leases_of_job on pontual.leases (job_id) where job_id is not null;
-- The indexes enforce the limits: there is no counter that could drift.
create unique index leases_tenant_slot on pontual.leases (pontual.tenant_of(lane), tenant_slot) where tenant_slot is not null;
create unique index leases_job_slot on pontual.leases (job_id, job_slot) where job_slot is not null;

-- is_reported: sent by the node that ran the execution; otherwise it was cancelled or recovered. cached_from: the execution whose output it got instead of a
-- run. ended_by: the person or API key that ended it.
create table pontual.results (
  execution_id uuid primary key,
  status text not null check (status in ('SUCCESS', 'FAILED', 'TIMEOUT', 'CANCELLED')),
  attempt integer not null,
  epoch integer not null,
  is_reported boolean not null,
  node_id uuid,
  started_at timestamptz,
  finished_at timestamptz not null,
  output text,
  error text,
  progress double precision,
  progress_note text,
  cached_from uuid,
  ended_by text
) partition by range (execution_id);
create index results_finished on pontual.results using brin (finished_at) with (pages_per_range = 32, autosummarize = on);
create index results_timed_out on pontual.results (finished_at) where status = 'TIMEOUT';
create table pontual.results_default partition of pontual.results default;
create table pontual.results_archive (
  like pontual.results including defaults including constraints,
  primary key (execution_id)
) partition by range (execution_id);
create index results_archive_finished on pontual.results_archive using brin (finished_at) with (pages_per_range = 32, autosummarize = on);

-- Attempts that did not end their execution, and those that ended it because they were lost; any other last attempt is described by the result.
create table pontual.attempts (
  execution_id uuid not null,
  attempt integer not null,
  epoch integer not null,
  status text not null check (status in ('FAILED', 'TIMEOUT', 'LOST')),
  node_id uuid not null,
  started_at timestamptz not null,
  ended_at timestamptz not null,
  error text,
  primary key (execution_id, epoch)
) partition by range (execution_id);
create index attempts_timed_out on pontual.attempts (ended_at) where status = 'TIMEOUT';
create table pontual.attempts_default partition of pontual.attempts default;
create table pontual.attempts_archive (
  like pontual.attempts including defaults including constraints,
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
create table pontual.execution_logs_default partition of pontual.execution_logs default;
create table pontual.execution_logs_archive (
  like pontual.execution_logs including defaults including constraints,
  primary key (execution_id, sequence)
) partition by range (execution_id);

create table pontual.idempotency_keys (
  tenant text collate "C" not null,
  job_type text collate "C" not null,
  key text collate "C" not null,
  execution_id uuid not null,
  primary key (tenant, job_type, key)
) with (vacuum_truncate = off);

-- Results that are reused instead of a run with an equal input. The output is a copy, because the execution that made it may be purged earlier.
create table pontual.cached_results (
  tenant text collate "C" not null,
  job_type text collate "C" not null,
  hash text collate "C" not null,
  execution_id uuid not null,
  output text,
  finished_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (tenant, job_type, hash)
);
create index cached_results_expiry on pontual.cached_results (expires_at);

-- Kept for as long as the successor is known. outcome: how the predecessor finished; null before. is_child: the predecessor is a child of its successor, which
-- does not wait for it but is notified of its end; place is then the position of the call, below zero.
create table pontual.links (
  successor_id uuid not null,
  place integer not null,
  predecessor_id uuid not null,
  condition text not null check (condition in ('success', 'failure', 'end')),
  is_declared boolean not null,
  outcome text check (outcome in ('SUCCESS', 'FAILED', 'TIMEOUT', 'CANCELLED')),
  is_child boolean not null default false,
  primary key (successor_id, place)
) with (autovacuum_vacuum_scale_factor = 0.05, vacuum_truncate = off);
create index links_of_predecessor on pontual.links (predecessor_id);
create index links_open on pontual.links (predecessor_id) where outcome is null;

-- A row of pontual.execution_records: all that is known of an execution except its attempts.
create type pontual.execution_record as (
  id uuid,
  tenant text collate "C",
  job_id uuid,
  job_type text collate "C",
  queue text collate "C",
  priority smallint,
  origin text,
  payload text,
  scheduled_at timestamptz,
  max_attempts integer,
  idempotency_key text,
  options text,
  misfire jsonb,
  created_at timestamptz,
  status text,
  attempt integer,
  epoch integer,
  due_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  node_id uuid,
  output text,
  error text,
  progress double precision,
  progress_note text,
  divergence text,
  cached_from uuid
);

-- Plans are cached until a table is analyzed again, and one that was made for a table of one page reads all of it. So the tables that become empty keep the
-- space of these rows.
insert into pontual.ready (lane, attempt, epoch, priority, execution_id)
select 0, 0, 0, 1, ('00000000-0000-0000-0000-' || to_char(n, 'FM000000000000'))::uuid
from generate_series(1, 8000) as n;
delete from pontual.ready;
insert into pontual.delayed (execution_id, due_at, lane, attempt, epoch, priority)
select ('00000000-0000-0000-0000-' || to_char(n, 'FM000000000000'))::uuid, 'epoch', 0, 0, 0, 1
from generate_series(1, 8000) as n;
delete from pontual.delayed;
insert into pontual.leases (execution_id, node_id, claimed_at, lane, attempt, epoch, priority)
select id, id, 'epoch', 0, 0, 0, 1
from generate_series(1, 8000) as n
cross join lateral (
  select ('00000000-0000-0000-0000-' || to_char(n, 'FM000000000000'))::uuid as id
) as filler;
delete from pontual.leases;
insert into pontual.idempotency_keys (tenant, job_type, key, execution_id)
select '', repeat('-', 1800), n::text, ('00000000-0000-0000-0000-' || to_char(n, 'FM000000000000'))::uuid
from generate_series(1, 100) as n;
delete from pontual.idempotency_keys;
-- Row security reads links through their execution. A plan for a tenant looks the execution up in every month, which costs the planner more than 75 pages.
insert into pontual.links (successor_id, place, predecessor_id, condition, is_declared)
select id, 0, id, 'end', false
from generate_series(1, 29000) as n
cross join lateral (
  select ('00000000-0000-0000-0000-' || to_char(n, 'FM000000000000'))::uuid as id
) as filler;
delete from pontual.links;
-- A month whose partition was vacuumed while it was empty would be read sequentially until it is analyzed.
select pontual.make_room_in(title, title || '_default', '00000000-0000-0000-0000-000000000000')
from unnest(array['executions', 'results', 'attempts', 'execution_logs']) as partitioned (title);
