-- The audit log, by months: who did what to what, in the transaction in which it was done. Values are text as it was hashed. An instant has only the
-- milliseconds that are hashed.
create table pontual.audit_entries (
  tenant text collate "C" not null,
  sequence bigint not null,
  at timestamptz not null check (at = date_trunc('milliseconds', at)),
  job_id uuid,
  execution_id uuid,
  operation text not null,
  user_id text,
  old_values text,
  new_values text,
  previous_hash bytea not null,
  hash bytea not null,
  primary key (tenant, sequence, at)
) partition by range (at);
create index audit_of_job on pontual.audit_entries (job_id, sequence) where job_id is not null;
create index audit_by_time on pontual.audit_entries using brin (at, execution_id) with (pages_per_range = 32, autosummarize = on);
create table pontual.audit_entries_default partition of pontual.audit_entries default;
create table pontual.audit_archive (
  like pontual.audit_entries including defaults including constraints,
  primary key (tenant, sequence, at)
) partition by range (at);
create index audit_archive_of_job on pontual.audit_archive (job_id, sequence) where job_id is not null;
create index audit_archive_by_time on pontual.audit_archive using brin (at, execution_id) with (pages_per_range = 32, autosummarize = on);
-- A statement that names a partition changes nothing in it either.
create trigger audit_entries_append_only
before update or delete or truncate on pontual.audit_entries
for each statement execute function pontual.refuse_to_rewrite();
create trigger audit_entries_append_only
before update or delete or truncate on pontual.audit_entries_default
for each statement execute function pontual.refuse_to_rewrite();
create trigger audit_entries_append_only
before update or delete or truncate on pontual.audit_archive
for each statement execute function pontual.refuse_to_rewrite();

-- The last entry of each tenant's chain. A writer locks the row of the chain: several in the order of their names, and after all other locks.
create table pontual.audit_heads (
  tenant text collate "C" primary key,
  sequence bigint not null,
  hash bytea not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0, vacuum_truncate = off);
create trigger audit_heads_stay
before delete or truncate on pontual.audit_heads
for each statement execute function pontual.refuse_to_rewrite();

-- The chain of a tenant starts after the last of these entries, once its first entries were dropped.
create table pontual.audit_anchors (
  tenant text collate "C" not null,
  sequence bigint not null,
  hash bytea not null,
  anchored_at timestamptz not null,
  primary key (tenant, sequence)
);
create trigger audit_anchors_stay
before update or delete or truncate on pontual.audit_anchors
for each statement execute function pontual.refuse_to_rewrite();
