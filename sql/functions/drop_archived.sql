-- Drops a month of executions, or a part of the audit log, that is older than five years. The chains of its tenants begin behind it from then on.
create or replace function pontual.drop_archived(part_kind text, part_name text, test_ms double precision)
returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '250ms'
as $$
declare
  dropped text;
begin
  perform pontual.require_expired(part_kind, part_name, test_ms);
  if part_kind = 'audit' then
    lock table only pontual.audit_archive in access exclusive mode;
    execute format(
      'insert into pontual.audit_anchors (tenant, sequence, hash, anchored_at)
      select distinct on (tenant) tenant, sequence, hash, $1
      from pontual.%I
      order by tenant, sequence desc
      on conflict do nothing',
      part_name
    )
    using pontual.retention_clock(test_ms);
    execute format('drop table pontual.%I', part_name);
    return;
  end if;
  lock table only pontual.executions_archive, only pontual.results_archive, only pontual.attempts_archive,
    only pontual.execution_logs_archive, only pontual.history_entries_archive
  in access exclusive mode;
  for dropped in select title || '_' || part_name from pontual.archived_tables() loop
    execute format('drop table if exists pontual.%I', dropped);
  end loop;
end
$$;
