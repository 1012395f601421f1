-- Removes what is kept elsewhere of executions of a month that is going to be dropped, in their order after one, at most so many. Gives how many, and the last.
create or replace function pontual.clear_archived(month text, after uuid, most integer, test_ms double precision, out cleared integer, out last uuid)
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  ids uuid[];
begin
  perform pontual.require_expired('executions', month, test_ms);
  execute format(
    'select array(select id from pontual.%I where $1 is null or id > $1 order by id limit $2)',
    'executions_' || month
  )
  into ids
  using after, most;
  perform pontual.forget_archived(ids);
  cleared := cardinality(ids);
  last := ids[cardinality(ids)];
end
$$;
