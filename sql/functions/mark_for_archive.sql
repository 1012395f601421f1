-- What is going to be moved says by itself what it holds, so that nobody has to read it while all others wait: first for what is written, then, without
-- holding anybody up, for what is there.
create or replace function pontual.mark_for_archive(part_kind text, part_name text)
returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '250ms'
as $$
declare
  marked regclass;
begin
  perform pontual.require_engine();
  for marked in
    select partition
    from pontual.live_partitions(part_kind, part_name)
    where not exists (select from pg_constraint where conrelid = partition and conname = 'archived_range')
  loop
    execute format(
      'alter table %s add constraint archived_range check (%s) not valid',
      marked,
      pg_get_partition_constraintdef(marked)
    );
  end loop;
end
$$;
