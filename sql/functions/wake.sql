-- The same for several, in the order of their ids, as all lock who lock several. Gives those that became ready, and whether a lease was marked.
create or replace function pontual.wake(ids uuid[], out freed uuid[], out is_marked boolean)
language plpgsql volatile
as $$
declare
  run uuid;
  found_place text;
begin
  freed := '{}';
  is_marked := false;
  for run in
    select distinct id
    from unnest(ids) as each (id)
    order by id
  loop
    select place into found_place from pontual.touch(run, false);
    is_marked := is_marked or found_place is not distinct from 'leases';
    if found_place = 'woken' then
      freed := freed || run;
    end if;
  end loop;
end
$$;
