-- Moves executions that were left behind, and what never had a month of its own: those that have ended by an instant and were made before it. Row by row, at
-- most so many. Gives how many.
create or replace function pontual.archive_late(youngest timestamptz, most integer)
returns integer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '250ms'
as $$
declare
  ids uuid[];
  month timestamp;
  tables record;
begin
  perform pontual.require_engine();
  ids := array(
    select ended.execution_id
    from pontual.results_default as ended
    where ended.finished_at <= youngest
      and ended.execution_id < pontual.first_uuid_at(youngest)
      and not exists (
        select
        from pontual.live_partitions(
          'executions',
          to_char(pontual.instant_of_uuid(ended.execution_id) at time zone 'UTC', 'YYYY_MM')
        )
      )
    limit most
    for update skip locked
  );
  for month in
    select distinct date_trunc('month', pontual.instant_of_uuid(each.id) at time zone 'UTC')
    from unnest(ids) as each (id)
    order by 1
  loop
    for tables in
      select title
      from pontual.archived_tables()
      where to_regclass(format('pontual.%I', title || to_char(month, '_YYYY_MM'))) is null
    loop
      -- Who reads would else not know of a month that he has not locked.
      execute format('lock table only pontual.%I in access exclusive mode', tables.title || '_archive');
      perform pontual.add_archive_partition(
        tables.title || '_archive',
        tables.title || to_char(month, '_YYYY_MM'),
        format(
          'for values from (%L) to (%L)',
          pontual.first_uuid_at(month at time zone 'UTC'),
          pontual.first_uuid_at((month + interval '1 month') at time zone 'UTC')
        )
      );
    end loop;
    perform pontual.note_archived(pontual.first_uuid_at((month + interval '1 month') at time zone 'UTC'));
  end loop;
  for tables in
    select title, key
    from pontual.archived_tables()
  loop
    perform pontual.copy_to_archive(tables.title, tables.key, ids);
  end loop;
  return cardinality(ids);
end
$$;
