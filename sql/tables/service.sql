-- Secrets are stored as SHA-256 only.
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

-- A request with an idempotency key; without an answer while it is processed.
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

-- The data keys of tenants, each wrapped by a key that no database stores. Versions of a tenant's key count from 1. A wrapped key reveals nothing, but removing
-- one makes content unreadable.
create table pontual.data_keys (
  tenant text collate "C" not null,
  version integer not null,
  key_id text collate "C" not null,
  wrapped text not null,
  created_at timestamptz not null,
  primary key (tenant, version)
);
create index data_keys_by_key on pontual.data_keys (key_id);
-- Only the engine reads it: where this policy exists, no role that acts for a tenant is granted anything.
create policy tenant on pontual.data_keys using (false);

-- A plan that was made for a table of one page would read all of it later.
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
