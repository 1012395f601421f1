-- Puts texts in place of what was seen. Gives how many were as they were seen.
create or replace function pontual.rewrite_contents(ids uuid[], titles text[], parts text[], contents text[], befores text[], afters text[])
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
