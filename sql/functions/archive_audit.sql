-- Moves a part of the audit log into the archive. Gives whether it was there.
create or replace function pontual.archive_audit(part text)
returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '250ms'
as $$
declare
  moved regclass;
  bounds text;
begin
  perform pontual.require_engine();
  lock table only pontual.audit_entries, only pontual.audit_archive in access exclusive mode;
  select partition into moved from pontual.live_partitions('audit', part);
  if moved is null or part = 'audit_entries_default' then
    return false;
  end if;
  bounds := (select pg_get_expr(relpartbound, oid) from pg_class where oid = moved);
  perform pontual.match_columns(moved, 'pontual.audit_archive');
  execute format('alter table pontual.audit_entries detach partition %s', moved);
  execute format('alter table pontual.audit_archive attach partition %s %s', moved, bounds);
  execute format('alter table %s drop constraint if exists archived_range', moved);
  return true;
end
$$;
