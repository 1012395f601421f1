-- Moves entries that found no part of their own, since they were written while it was cut, or it could not be made. Gives how many.
create or replace function pontual.archive_late_audit(youngest timestamptz, most integer)
returns integer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '250ms'
as $$
declare
  month timestamp;
  moved integer;
begin
  perform pontual.require_engine();
  if not exists (select from pontual.audit_entries_default where at <= youngest) then
    return 0;
  end if;
  lock table only pontual.audit_entries_default, only pontual.audit_archive in access exclusive mode;
  for month in
    select distinct date_trunc('month', at at time zone 'UTC')
    from pontual.audit_entries_default
    where at <= youngest
    order by 1
  loop
    if not exists (
      select
      from pontual.archive_parts()
      where kind = 'audit'
        and from_at < (month + interval '1 month') at time zone 'UTC'
        and to_at > month at time zone 'UTC'
    ) then
      perform pontual.add_archive_partition(
        'audit_archive',
        'audit_entries' || to_char(month, '_YYYY_MM'),
        format(
          'for values from (%L) to (%L)',
          month at time zone 'UTC',
          (month + interval '1 month') at time zone 'UTC'
        )
      );
    end if;
  end loop;
  alter table pontual.audit_entries_default disable trigger audit_entries_append_only;
  with moved_ones as (
    delete from pontual.audit_entries_default
    where ctid = any(array(
      select audit_entries_default.ctid
      from pontual.audit_entries_default
      join pontual.archive_parts() as parts
        on parts.kind = 'audit'
        and parts.is_archived
        and at >= parts.from_at
        and at < parts.to_at
      where at <= youngest
      limit most
    ))
    returning *
  )
  insert into pontual.audit_archive (
    tenant,
    sequence,
    at,
    job_id,
    execution_id,
    operation,
    user_id,
    old_values,
    new_values,
    previous_hash,
    hash
  )
  select
    tenant,
    sequence,
    at,
    job_id,
    execution_id,
    operation,
    user_id,
    old_values,
    new_values,
    previous_hash,
    hash
  from moved_ones;
  get diagnostics moved = row_count;
  alter table pontual.audit_entries_default enable trigger audit_entries_append_only;
  return moved;
end
$$;
