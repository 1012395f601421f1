-- Overwrites all contents of an execution that has ended, and forgets what is kept of it for others. An execution that was erased is known by its payload. What it says of
-- itself in the audit log are ids, times and hashes under a key: the log stays as it is.
create or replace function pontual.erase_contents(execution uuid, mark text, failure text)
returns text
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  place record;
  is_known boolean := false;
  has_ended boolean := false;
  is_here boolean;
begin
  perform pontual.require_own(array[execution]);
  -- Whoever moves it into the archive holds its end meanwhile: it is erased before, or where it is then.
  perform from pontual.results where execution_id = execution for update;
  for place in
    select *
    from pontual.content_tables(array['executions', 'results'])
  loop
    execute format(
      'select exists (select from %s where %I = $1)',
      place.place,
      case when place.title = 'executions' then 'id' else 'execution_id' end
    )
    into is_here
    using execution;
    is_known := is_known or is_here;
    has_ended := has_ended or (is_here and place.title = 'results');
  end loop;
  if not is_known then
    return 'unknown';
  end if;
  if not has_ended then
    return 'open';
  end if;
  for place in
    select columns.title, columns.content, tables.place
    from pontual.content_columns() as columns
    join (
      select distinct content_tables.title, content_tables.place
      from pontual.content_tables(array(select content_columns.title from pontual.content_columns()))
    ) as tables
      on tables.title = columns.title
  loop
    execute format(
      'update %1$s set %2$I = $1 where %3$I = $2 and (%4$s)',
      place.place,
      place.content,
      case when place.title = 'executions' then 'id' else 'execution_id' end,
      case when place.title = 'executions' then 'true' else format('%I is not null', place.content) end
    )
    using
      case when place.content = 'error' and place.title <> 'history_entries' then failure else mark end,
      execution;
  end loop;
  delete from pontual.cached_results
  where execution_id = execution;
  update pontual.cancellations
  set reason = null
  where execution_id = execution;
  return 'erased';
end
$$;
