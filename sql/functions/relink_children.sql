-- Links a run to the children that its history has started and has not seen the end of, and to no others. Each is locked where it stands, so that it cannot
-- end before the link is there for its end to see; or it has ended, or was removed, which counts as cancelled.
create or replace function pontual.relink_children(run uuid)
returns void
language plpgsql volatile
set plan_cache_mode = force_generic_plan
as $$
declare
  child record;
  ended text;
begin
  delete from pontual.links
  where successor_id = run
    and is_child;
  for child in
    select started.child_id as id, -min(started.sequence) as place
    from pontual.history_entries as started
    where started.execution_id = run
      and started.child_id is not null
    group by started.child_id
    having not bool_or(started.kind <> 'start' and started.status <> 'RUNNING')
    order by started.child_id
  loop
    ended := null;
    for tries in 1..100 loop
      perform from pontual.leases where execution_id = child.id for key share;
      exit when found;
      perform from pontual.delayed where execution_id = child.id for key share;
      exit when found;
      perform from pontual.executions
      join pontual.ready
        on ready.lane = executions.lane
        and ready.priority = executions.priority
        and ready.execution_id = executions.id
      where executions.id = child.id
      for key share of ready;
      exit when found;
      select status into ended from pontual.results where execution_id = child.id;
      exit when found;
      select status into ended from pontual.archived_end(child.id);
      exit when found;
      perform from pontual.executions where id = child.id;
      if not found then
        ended := 'CANCELLED';
        exit;
      end if;
    end loop;
    insert into pontual.links (successor_id, place, predecessor_id, condition, is_declared, is_child, outcome)
    values (run, child.place, child.id, 'end', false, true, ended);
  end loop;
end
$$;
