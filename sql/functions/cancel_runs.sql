-- Asks runs that have begun to end themselves, each once. Gives those that were asked, now or before, and where they stood if now. Left out are those that have
-- ended, have not begun or are DIVERGED, and one that moved while it was looked for.
create or replace function pontual.cancel_runs(runs uuid[], reasons text[], requesting_at timestamptz, requesters text[] default null)
returns table (id uuid, place text)
language plpgsql volatile rows 10
set plan_cache_mode = force_generic_plan
as $$
declare
  asked record;
  standing record;
begin
  for asked in
    select distinct on (request.run) request.run, request.reason, request.requester
    from unnest(runs, reasons, requesters) as request (run, reason, requester)
    order by request.run
  loop
    id := asked.run;
    place := null;
    perform from pontual.cancellations
    where execution_id = asked.run;
    if found then
      perform from pontual.execution_records as record
      where record.id = asked.run
        and record.status in ('QUEUED', 'RUNNING', 'WAITING');
      continue when not found;
    else
      select * into standing from pontual.touch(asked.run, true);
      continue when standing.place is null
        or standing.place = 'results'
        or standing.last_epoch = 0
        or standing.is_diverged;
      insert into pontual.cancellations (execution_id, reason, requested_at, requested_by)
      values (asked.run, asked.reason, requesting_at, asked.requester)
      on conflict do nothing;
      place := standing.place;
    end if;
    return next;
  end loop;
end
$$;
