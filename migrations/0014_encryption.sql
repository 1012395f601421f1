-- Keys of tenants that contents are sealed with, each wrapped by a key that is in no database; and functions that read, rewrite and erase what executions
-- have taken, given and said, wherever it stands.
--
-- Safe while old nodes run: nothing that is there changes.

-- Versions of a tenant's key count from 1. The wrapped ones tell nothing, but whoever could remove them could make everything unreadable.
create table pontual.data_keys (
  tenant text collate "C" not null,
  version integer not null,
  key_id text collate "C" not null,
  wrapped text not null,
  created_at timestamptz not null,
  primary key (tenant, version)
);
create index data_keys_by_key on pontual.data_keys (key_id);

-- For nobody but the engine: where this policy stands, no role that acts for a tenant is granted anything.
create policy tenant on pontual.data_keys using (false);

-- Where contents stand, by table, what tells the rows of one execution apart, and column.
create function pontual.content_columns()
returns table (title text, part text, content text)
language sql immutable parallel safe
as $$
  values
    ('executions', null, 'payload'),
    ('results', null, 'output'),
    ('results', null, 'error'),
    ('results', null, 'progress_note'),
    ('attempts', 'epoch', 'error'),
    ('history_entries', 'sequence', 'input'),
    ('history_entries', 'sequence', 'output'),
    ('history_entries', 'sequence', 'error'),
    ('history_entries', 'sequence', 'details'),
    ('signals', 'id', 'payload'),
    ('checkpoints', null, 'state'),
    ('execution_logs', 'sequence', 'message'),
    ('execution_logs', 'sequence', 'fields')
$$;

-- The same tables, and those of the archive.
create function pontual.content_tables(titles text[])
returns table (title text, place regclass)
language sql stable
as $$
  select each.title, found.place
  from unnest(titles) as each (title)
  cross join lateral (
    values (to_regclass('pontual.' || each.title)), (to_regclass('pontual.' || each.title || '_archive'))
  ) as found (place)
  where found.place is not null
$$;

-- Executions in the order of their ids, from behind one on.
create function pontual.content_page(after uuid, most integer)
returns setof uuid
language plpgsql stable
as $$
declare
  found_table regclass;
  ids uuid[] := '{}';
  more uuid[];
begin
  for found_table in
    select place
    from pontual.content_tables(array['executions'])
  loop
    execute format('select array(select id from %s where ($1 is null or id > $1) order by id limit $2)', found_table)
    into more
    using after, most;
    ids := ids || more;
  end loop;
  return query
  select distinct id
  from unnest(ids) as each (id)
  order by id
  limit most;
end
$$;

-- All their texts.
create function pontual.contents_of(ids uuid[])
returns table (execution_id uuid, tenant text, origin text, title text, part text, content text, name text, value text)
language plpgsql stable
as $$
declare
  found_table regclass;
  place record;
begin
  for found_table in
    select content_tables.place
    from pontual.content_tables(array['executions'])
  loop
    for place in
      select columns.title, columns.part, columns.content, tables.place
      from pontual.content_columns() as columns
      join pontual.content_tables(array(select content_columns.title from pontual.content_columns())) as tables
        on tables.title = columns.title
      group by columns.title, columns.part, columns.content, tables.place
    loop
      continue when place.title = 'executions' and place.place <> found_table;
      return query execute format(
        $query$
          select
            executions.id,
            (select tenants.name::text from pontual.tenants where tenants.id = pontual.tenant_of(executions.lane)),
            coalesce(executions.options::json ->> 'seed', executions.id::text),
            %1$L::text,
            %2$s,
            %3$L::text,
            %4$s,
            each.%3$I
          from %5$s as executions
          join %6$s as each on each.%7$I = executions.id
          where executions.id = any($1)
            and each.%3$I is not null
        $query$,
        place.title,
        case when place.part is null then '''''::text' else format('each.%I::text', place.part) end,
        place.content,
        case when place.title = 'signals' then 'each.name::text' else 'null::text' end,
        found_table,
        place.place,
        case when place.title = 'executions' then 'id' else 'execution_id' end
      )
      using ids;
    end loop;
  end loop;
end
$$;

-- Puts texts in place of what was seen. Gives how many were as they were seen.
create function pontual.rewrite_contents(ids uuid[], titles text[], parts text[], contents text[], befores text[], afters text[])
returns integer
language plpgsql volatile
as $$
declare
  change record;
  rewritten integer := 0;
  affected integer;
begin
  -- Whoever moves them into the archive holds their ends meanwhile.
  perform from pontual.results where execution_id = any(ids) order by execution_id for update;
  for change in
    select asked.*, columns.part as part_column, tables.place
    from unnest(ids, titles, parts, contents, befores, afters) as asked (id, title, part, content, before_text, after_text)
    join pontual.content_columns() as columns
      on columns.title = asked.title
      and columns.content = asked.content
    join (
      select distinct content_tables.title, content_tables.place
      from pontual.content_tables(titles)
    ) as tables
      on tables.title = asked.title
    order by asked.id, asked.title, asked.part
  loop
    execute format(
      'update %1$s set %2$I = $1 where %3$I = $2 and %2$I = $3 and (%4$s)',
      change.place,
      change.content,
      case when change.title = 'executions' then 'id' else 'execution_id' end,
      case when change.part_column is null then 'true' else format('%I::text = $4', change.part_column) end
    )
    using change.after_text, change.id, change.before_text, change.part;
    get diagnostics affected = row_count;
    rewritten := rewritten + affected;
  end loop;
  return rewritten;
end
$$;

-- Overwrites all contents of an execution that has ended, and forgets what is kept of it for others. An execution that was erased is known by its payload. What it says of
-- itself in the audit log are ids, times and hashes under a key: the log stays as it is.
create function pontual.erase_contents(execution uuid, mark text, failure text)
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

select pontual.secure_rows();
