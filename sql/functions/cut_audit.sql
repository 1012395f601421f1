-- Cuts the part of the audit log that is written now: what it holds goes to the archive, and another takes the rest of its time. All of it is read once, while
-- who writes waits. Gives whether there was one.
create or replace function pontual.cut_audit(test_ms double precision)
returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '250ms'
as $$
declare
  cut_at timestamptz;
  current record;
  former text;
  number integer := 1;
begin
  perform pontual.require_engine();
  lock table only pontual.audit_entries, only pontual.audit_archive in access exclusive mode;
  -- Nobody writes any more, and nothing is younger.
  cut_at := coalesce(pontual.from_ms(test_ms), date_trunc('milliseconds', clock_timestamp())) + interval '1 millisecond';
  select * into current
  from pontual.archive_parts()
  where kind = 'audit'
    and not is_archived
    and from_at < cut_at
    and to_at > cut_at;
  if not found then
    return false;
  end if;
  while to_regclass(format('pontual.%I', current.part || '_' || number)) is not null loop
    number := number + 1;
  end loop;
  former := current.part || '_' || number;
  execute format('alter table pontual.audit_entries detach partition pontual.%I', current.part);
  execute format('alter table pontual.%I rename to %I', current.part, former);
  perform pontual.match_columns(to_regclass(format('pontual.%I', former)), 'pontual.audit_archive');
  execute format(
    'alter table pontual.audit_archive attach partition pontual.%I for values from (%s) to (%L)',
    former,
    case when current.from_at = '-infinity' then 'minvalue' else quote_literal(current.from_at) end,
    cut_at
  );
  execute format('create table pontual.%I (like pontual.audit_entries including all)', current.part);
  execute format(
    'create trigger audit_entries_append_only before update or delete or truncate on pontual.%I
    for each statement execute function pontual.refuse_to_rewrite()',
    current.part
  );
  execute format(
    'alter table pontual.audit_entries attach partition pontual.%I for values from (%L) to (%L)',
    current.part,
    cut_at,
    current.to_at
  );
  if (select is_on from pontual.row_security()) then
    perform pontual.secure_table(to_regclass(format('pontual.%I', current.part)));
  end if;
  return true;
end
$$;
