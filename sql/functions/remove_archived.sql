-- Removes executions in the archive, with all that hangs on them.
create or replace function pontual.remove_archived(removed uuid[])
returns integer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  count integer;
begin
  perform pontual.require_own(removed);
  perform pontual.forget_archived(removed);
  delete from pontual.occurrences
  using pontual.executions_archive
  where executions_archive.id = any(removed)
    and occurrences.job_id = executions_archive.job_id
    and occurrences.scheduled_at = executions_archive.scheduled_at
    and occurrences.execution_id = executions_archive.id;
  delete from pontual.attempts_archive where execution_id = any(removed);
  delete from pontual.execution_logs_archive where execution_id = any(removed);
  delete from pontual.history_entries_archive where execution_id = any(removed);
  delete from pontual.results_archive where execution_id = any(removed);
  delete from pontual.executions_archive where id = any(removed);
  get diagnostics count = row_count;
  return count;
end
$$;
