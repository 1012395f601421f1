create or replace function pontual.check_for_archive(part_kind text, part_name text)
returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '250ms'
as $$
declare
  checked regclass;
begin
  perform pontual.require_engine();
  for checked in
    select partition
    from pontual.live_partitions(part_kind, part_name)
    join pg_constraint on conrelid = partition
    where conname = 'archived_range'
      and not convalidated
  loop
    execute format('alter table %s validate constraint archived_range', checked);
  end loop;
end
$$;
