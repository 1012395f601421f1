-- The journal of durable executions. epoch: the epoch of the holder that wrote the entry.
create table pontual.history_entries (
  execution_id uuid not null,
  sequence integer not null,
  epoch integer not null,
  position integer,
  calls integer not null,
  attempt integer not null,
  started_at timestamptz not null,
  due_at timestamptz,
  ended_at timestamptz,
  child_id uuid,
  kind text not null check (
    kind in (
      'activity',
      'compensation',
      'transaction',
      'timer',
      'signal',
      'start',
      'child',
      'checkpoint',
      'patch',
      'input',
      'cancellation'
    )
  ),
  status text not null check (status in ('RUNNING', 'COMPLETED', 'FAILED')),
  name text not null,
  input text,
  output text,
  error text,
  details text,
  primary key (execution_id, sequence)
) partition by range (execution_id);
create table pontual.history_entries_default partition of pontual.history_entries default;
create table pontual.history_entries_archive (
  like pontual.history_entries including defaults including constraints,
  primary key (execution_id, sequence)
) partition by range (execution_id);

-- A taken signal that has an idempotency key is kept, so that the same signal is not taken twice.
create table pontual.signals (
  id bigint generated always as identity primary key,
  execution_id uuid not null,
  name text not null,
  payload text,
  idempotency_key text collate "C",
  sent_at timestamptz not null,
  is_taken boolean not null default false,
  unique (execution_id, idempotency_key)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0, vacuum_truncate = off);
create index signals_open on pontual.signals (execution_id, id) where not is_taken;

create table pontual.cancellations (
  execution_id uuid primary key,
  reason text,
  requested_at timestamptz not null,
  requested_by text
) with (vacuum_truncate = off);

-- One row for each time that a history was loaded for a replay.
create table pontual.replays (
  execution_id uuid not null,
  epoch integer not null,
  replayed_at timestamptz not null,
  primary key (execution_id, epoch)
) with (vacuum_truncate = off);

create table pontual.checkpoints (
  execution_id uuid primary key,
  state text not null,
  saved_at timestamptz not null
) with (vacuum_truncate = off);

-- Row security reads these tables through their execution. A plan for a tenant looks the execution up in every month, which costs the planner more than 75
-- pages: without the space of these rows it would read the tables sequentially if they were empty when they were last vacuumed.
insert into pontual.signals (id, execution_id, name, payload, sent_at)
overriding system value
select -n, ('00000000-0000-0000-0000-' || to_char(n, 'FM000000000000'))::uuid, '', repeat('-', 1800), 'epoch'
from generate_series(1, 1100) as n;
delete from pontual.signals;
insert into pontual.cancellations (execution_id, reason, requested_at)
select ('00000000-0000-0000-0000-' || to_char(n, 'FM000000000000'))::uuid, repeat('-', 1800), 'epoch'
from generate_series(1, 920) as n;
delete from pontual.cancellations;
insert into pontual.replays (execution_id, epoch, replayed_at)
select ('00000000-0000-0000-0000-' || to_char(n, 'FM000000000000'))::uuid, 0, 'epoch'
from generate_series(1, 34000) as n;
delete from pontual.replays;
insert into pontual.checkpoints (execution_id, state, saved_at)
select ('00000000-0000-0000-0000-' || to_char(n, 'FM000000000000'))::uuid, repeat('-', 1800), 'epoch'
from generate_series(1, 920) as n;
delete from pontual.checkpoints;
select pontual.make_room_in('history_entries', 'history_entries_default', '00000000-0000-0000-0000-000000000000');
