-- Moves a month of executions into the archive: no row is copied, and who reads both finds each in one of the two. Left behind is what has not ended, and
-- what ended after an instant: it goes to the default partitions, where it is found by its id as before. All who look for an execution wait meanwhile, and so nobody can
-- end one, or take it up. Gives how many are left behind; null where the month is not there.
create or replace function pontual.archive_month(month text, youngest timestamptz)
returns integer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '250ms'
as $$
declare
  bodies regclass;
  ends regclass;
  bounds text;
  edges text[];
  kept uuid[];
  late uuid[];
  moved record;
  columns text;
begin
  perform pontual.require_engine();
  lock table only pontual.executions, only pontual.results, only pontual.attempts, only pontual.execution_logs,
    only pontual.history_entries, only pontual.executions_archive, only pontual.results_archive,
    only pontual.attempts_archive, only pontual.execution_logs_archive, only pontual.history_entries_archive
  in access exclusive mode;
  select partition into bodies from pontual.live_partitions('executions', month) where parent = 'executions';
  select partition into ends from pontual.live_partitions('executions', month) where parent = 'results';
  if bodies is null then
    return null;
  end if;
  bounds := (select pg_get_expr(relpartbound, oid) from pg_class where oid = bodies);
  edges := regexp_match(bounds, 'FROM \(''([^'']+)''\) TO \(''([^'']+)''\)');
  kept := array(
    select execution_id from pontual.ready where execution_id >= edges[1]::uuid and execution_id < edges[2]::uuid
    union all
    select execution_id from pontual.delayed where execution_id >= edges[1]::uuid and execution_id < edges[2]::uuid
    union all
    select execution_id from pontual.leases where execution_id >= edges[1]::uuid and execution_id < edges[2]::uuid
  );
  execute format(
    'select array(select execution_id from %s where finished_at > $1 and execution_id >= $2 and execution_id < $3)',
    coalesce(ends, 'pontual.results_default'::regclass)
  )
  into late
  using youngest, edges[1]::uuid, edges[2]::uuid;
  kept := kept || late;

  for moved in
    select tables.title, tables.key, live.partition
    from pontual.archived_tables() as tables
    left join pontual.live_partitions('executions', month) as live on live.parent = tables.title
  loop
    columns := pontual.columns_of(to_regclass(format('pontual.%I', moved.title)));
    if moved.partition is null then
      -- It could not be made when it was needed: its rows are in the default partition.
      perform pontual.add_archive_partition(moved.title || '_archive', moved.title || '_' || month, bounds);
      execute format(
        'select array(select distinct %1$I from pontual.%2$I where %1$I >= $1 and %1$I < $2 and %1$I <> all($3))',
        moved.key,
        moved.title || '_default'
      )
      into late
      using edges[1]::uuid, edges[2]::uuid, kept;
      perform pontual.copy_to_archive(moved.title, moved.key, late);
      continue;
    end if;
    perform pontual.match_columns(moved.partition, to_regclass(format('pontual.%I', moved.title || '_archive')));
    execute format('alter table pontual.%I detach partition %s', moved.title, moved.partition);
    if cardinality(kept) > 0 then
      -- By its own name: an end that is written anew is none.
      execute format(
        'insert into pontual.%1$I (%2$s) select %2$s from %3$s where %4$I = any($1)',
        moved.title || '_default',
        columns,
        moved.partition,
        moved.key
      ) using kept;
      execute format('delete from %s where %I = any($1)', moved.partition, moved.key) using kept;
    end if;
    execute format('alter table pontual.%I attach partition %s %s', moved.title || '_archive', moved.partition, bounds);
    execute format('alter table %s drop constraint if exists archived_range', moved.partition);
  end loop;
  perform pontual.note_archived(edges[2]::uuid);
  return cardinality(kept);
end
$$;
