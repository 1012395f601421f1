-- Executions in the order of their ids, from behind one on.
create or replace function pontual.content_page(after uuid, most integer)
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
