-- What a service keeps beside what an engine runs: what people say about jobs, when a pause ends by itself, what tenants have settled, keys, sessions, and
-- requests that may be sent again. Old nodes leave the new columns of a job alone: they resume no job by themselves, and one they add is found by its name.

alter table pontual.jobs
  add column details jsonb not null default '{}',
  add column paused_until timestamptz,
  -- As src/store/search-text.ts makes them: what the database takes for the same letter in another case depends on how it was set up.
  add column search_text text,
  add column search_tags text;

create index jobs_paused on pontual.jobs (paused_until) where paused_until is not null and status = 'PAUSED';
create index jobs_deleted on pontual.jobs (tenant) where status = 'DELETED';

-- How many executions of a tenant may run at once stands in pontual.tenants.
create table pontual.tenant_settings (
  tenant text collate "C" primary key,
  settings jsonb not null,
  version integer not null,
  updated_at timestamptz not null
);

-- What is secret is known by its SHA-256 only.
create table pontual.api_keys (
  id text collate "C" primary key,
  tenant text collate "C" not null,
  name text not null,
  secret_hash text collate "C" not null unique,
  profile text not null,
  permissions text[] not null,
  owner_id text not null,
  expires_at timestamptz,
  created_at timestamptz not null,
  revoked_at timestamptz,
  last_used_at timestamptz
) with (fillfactor = 80, vacuum_truncate = off);
create index api_keys_of_tenant on pontual.api_keys (tenant, created_at);

create table pontual.sessions (
  secret_hash text collate "C" primary key,
  tenant text collate "C" not null,
  user_id text not null,
  owner_id text,
  profile text not null,
  permissions text[] not null,
  source text not null,
  key_id text,
  created_at timestamptz not null,
  expires_at timestamptz not null
) with (vacuum_truncate = off);
create index sessions_expiry on pontual.sessions (expires_at);

-- A request with an idempotency key; without an answer while somebody is at it.
create table pontual.requests (
  tenant text collate "C" not null,
  user_id text collate "C" not null,
  key text collate "C" not null,
  fingerprint text not null,
  resource_id text not null,
  begun_at timestamptz not null,
  expires_at timestamptz not null,
  answer_status integer,
  answer_headers text,
  answer_body text,
  primary key (tenant, user_id, key)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, vacuum_truncate = off);
create index requests_expiry on pontual.requests (expires_at);

-- What was made before an id and has ended since. A plan that does not know the instants would read the whole history; all that is left to read of it is
-- what its ends are indexed by.
create function pontual.ended_late(since timestamptz, before_id uuid)
returns setof pontual.results
language sql stable rows 10
set enable_seqscan = off
as $$
  select *
  from pontual.results
  where finished_at >= since
    and (execution_id < before_id) is true
$$;

-- As for the tables that empty themselves: a plan that was made for a table of a page would read all of it later.
insert into pontual.api_keys (id, tenant, name, secret_hash, profile, permissions, owner_id, created_at)
select n::text, '', repeat('-', 200), n::text, '', '{}', '', 'epoch'
from generate_series(1, 2000) as n;
delete from pontual.api_keys;

insert into pontual.sessions (secret_hash, tenant, user_id, profile, permissions, source, created_at, expires_at)
select n::text, '', repeat('-', 200), '', '{}', '', 'epoch', 'epoch'
from generate_series(1, 2000) as n;
delete from pontual.sessions;

insert into pontual.requests (tenant, user_id, key, fingerprint, resource_id, begun_at, expires_at)
select '', '', n::text, repeat('-', 200), '', 'epoch', 'epoch'
from generate_series(1, 2000) as n;
delete from pontual.requests;
