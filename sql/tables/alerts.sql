create table pontual.alerts (
  id uuid primary key,
  tenant text collate "C" not null,
  scope text not null check (scope in ('tenant', 'global')),
  kind text not null,
  job_id uuid,
  execution_id uuid,
  value double precision,
  threshold double precision,
  since timestamptz not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  outcome text check (outcome in ('recovered', 'cleared', 'removed', 'disabled')),
  is_opening_told boolean not null default false,
  is_closing_told boolean not null default false,
  check ((closed_at is null) = (outcome is null))
) with (fillfactor = 80, vacuum_truncate = off);
-- A job, and a figure, has at most one open alert.
create unique index alerts_open_of_job on pontual.alerts (job_id) where closed_at is null and job_id is not null;
create unique index alerts_open_of_figure on pontual.alerts (tenant, scope, kind) where closed_at is null and job_id is null;
-- In the order of the list, which is read from its end.
create index alerts_of_tenant on pontual.alerts (tenant, (closed_at is null), opened_at, id);
create index alerts_untold on pontual.alerts (opened_at, id)
where not is_opening_told or (closed_at is not null and not is_closing_told);
create index alerts_recovered on pontual.alerts (tenant, closed_at) where outcome = 'recovered';
create index alerts_closed on pontual.alerts (closed_at) where closed_at is not null;

-- The rules that a tenant has set instead of the defaults.
create table pontual.alert_rules (
  tenant text collate "C" not null,
  scope text not null check (scope in ('tenant', 'global')),
  kind text collate "C" not null,
  is_enabled boolean not null,
  threshold double precision,
  clear_at double precision,
  hold_seconds integer not null,
  clear_seconds integer not null,
  updated_at timestamptz not null,
  primary key (tenant, scope, kind)
);

-- Figures that are beyond a threshold, or were until recently.
create table pontual.alert_states (
  tenant text collate "C" not null,
  scope text not null,
  kind text collate "C" not null,
  alert_id uuid,
  high_since timestamptz,
  low_since timestamptz,
  primary key (tenant, scope, kind)
) with (vacuum_truncate = off);

-- One row: the time of the next check, and when a node was last active.
create table pontual.alert_watch (
  is_only boolean primary key default true check (is_only),
  due_at timestamptz not null,
  alive_at timestamptz not null
) with (fillfactor = 50, vacuum_truncate = off);
