-- Creates the partition of a month. It is attached rather than created in place, which would lock out every reader and writer of the table.
create or replace function pontual.add_partition(parent text, month timestamp)
returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '250ms'
as $$
declare
  part text := parent || to_char(month, '_YYYY_MM');
  since timestamptz := date_trunc('month', month) at time zone 'UTC';
  until timestamptz := (date_trunc('month', month) + interval '1 month') at time zone 'UTC';
  is_audit boolean := parent = 'audit_entries';
begin
  perform pontual.require_engine();
  if not is_audit and parent not in (select title from pontual.archived_tables()) then
    raise exception 'The table % has no partitions.', parent
    using errcode = 'invalid_parameter_value';
  end if;
  perform pg_advisory_xact_lock(hashtext('pontual.partitions'));
  execute format('create table pontual.%I (like pontual.%I including all)', part, parent);
  if is_audit then
    -- A trigger of the table does not fire for a statement that names a partition.
    execute format(
      'create trigger audit_entries_append_only before update or delete or truncate on pontual.%I
      for each statement execute function pontual.refuse_to_rewrite()',
      part
    );
  else
    perform pontual.make_room_in(parent, part, pontual.first_uuid_at(since));
  end if;
  execute format(
    'alter table pontual.%I attach partition pontual.%I for values from (%L) to (%L)',
    parent,
    part,
    case when is_audit then since::text else pontual.first_uuid_at(since)::text end,
    case when is_audit then until::text else pontual.first_uuid_at(until)::text end
  );
  if (select is_on from pontual.row_security()) then
    perform pontual.secure_table(to_regclass(format('pontual.%I', part)));
  end if;
end
$$;
