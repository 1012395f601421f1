-- The number of a tenant is small because every lane contains it. Concurrency: how many of its executions may run at once; null for the default, -1 for any
-- number. is_suspended, is_without_retries: null where nothing is set for the tenant, and pontual.settings applies.
create table pontual.tenants (
  id integer generated always as identity primary key,
  name text collate "C" not null unique,
  concurrency integer check (concurrency >= -1),
  is_suspended boolean,
  is_without_retries boolean
) with (vacuum_truncate = off);
create index tenants_without_retries on pontual.tenants (name) where is_without_retries is not null;

-- Settings that apply unless a tenant or a job sets its own.
create table pontual.settings (
  name text primary key,
  value jsonb not null
);
-- Without this setting no entry is written to the audit log.
create trigger audit_stays_on
before update or delete on pontual.settings
for each row when (old.name = 'audit')
execute function pontual.refuse_to_rewrite();
create trigger settings_stay
before truncate on pontual.settings
for each statement execute function pontual.refuse_to_rewrite();

-- A lane is the unit that a node claims from: tenant, queue and job type as one number; a job that limits how many of its executions run has lanes of its own.
-- The upper bits are the number of the tenant, so the lanes of a tenant are adjacent. Lanes are never removed.
create table pontual.lanes (
  id bigint primary key,
  tenant_id integer not null references pontual.tenants,
  queue text collate "C" not null,
  job_type text collate "C" not null,
  job_id uuid,
  check (pontual.tenant_of(id) = tenant_id)
) with (vacuum_truncate = off);
create unique index lanes_shared on pontual.lanes (tenant_id, queue, job_type) where job_id is null;
create unique index lanes_of_job on pontual.lanes (job_id, tenant_id, queue, job_type) where job_id is not null;
-- Includes the lanes of jobs, which lanes_shared leaves out.
create index lanes_of_tenant on pontual.lanes (tenant_id);

-- The flags that a tenant has set, and the values of an external flag provider, which take precedence.
create table pontual.tenant_flags (
  tenant text collate "C" not null,
  flag text collate "C" not null,
  stored boolean,
  provided boolean,
  primary key (tenant, flag)
);

-- The settings of a tenant as people edit them. Its concurrency is in pontual.tenants.
create table pontual.tenant_settings (
  tenant text collate "C" primary key,
  settings jsonb not null,
  version integer not null,
  updated_at timestamptz not null
);

-- Single rows are read by key: the tables never shrink below 20 pages, so a plan that is cached while they are small uses the index.
insert into pontual.tenants (id, name)
overriding system value
select -n, repeat('-', 1900) || n
from generate_series(1, 100) as n;
insert into pontual.lanes (id, tenant_id, queue, job_type)
select (-1::bigint << 20) + n, -1, '', repeat('-', 1900) || n
from generate_series(1, 100) as n;
delete from pontual.lanes;
delete from pontual.tenants;
