-- Results that stand in for runs with an equal input, and where such a result came from.
--
-- Safe while old nodes run: they neither read nor write the table, and leave the column empty. The column has no default, so that
-- no row is rewritten; the statement holds the table for an instant.

-- A copy of the output: the execution that made it may be purged before its time is over.
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

-- The execution whose output this one was given in place of a run.
alter table pontual.results add column cached_from uuid;
