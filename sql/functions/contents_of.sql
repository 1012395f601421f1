-- All their texts.
create or replace function pontual.contents_of(ids uuid[])
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
