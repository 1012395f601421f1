-- Removes what was decided about occurrences more than five years ago, at most so many of each kind. Gives how many.
create or replace function pontual.clear_ledger(most integer, test_ms double precision)
returns integer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  oldest timestamptz := pontual.retention_clock(test_ms) - interval '5 years';
  removed integer;
  others integer;
begin
  perform pontual.require_engine();
  delete from pontual.occurrences
  where ctid = any(array(
    select past.place
    from pontual.jobs
    cross join lateral (
      select occurrences.ctid as place
      from pontual.occurrences
      where occurrences.job_id = jobs.id
        and occurrences.scheduled_at < oldest
        and pontual.owner_of_execution(occurrences.execution_id) is null
      limit most
    ) as past
    limit most
  ));
  get diagnostics removed = row_count;
  delete from pontual.missed
  where ctid = any(array(
    select past.place
    from pontual.jobs
    cross join lateral (
      select missed.ctid as place
      from pontual.missed
      where missed.job_id = jobs.id
        and missed.from_at < oldest
        and missed.to_at < oldest
      limit most
    ) as past
    limit most
  ));
  get diagnostics others = row_count;
  return removed + others;
end
$$;
