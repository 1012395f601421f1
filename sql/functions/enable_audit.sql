-- Switches the log on, once and for good, for a service. The triggers are made here, since one that is there but switched off costs every end; and so are the
-- indexes, for which nothing is enqueued while they are made. The archive has the same ones, so that a month has what it needs when it comes there.
create or replace function pontual.enable_audit()
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '3s'
as $$
begin
  if exists (select from pontual.settings where name = 'audit') then
    return;
  end if;
  -- One at a time: who comes second finds it done.
  lock table pontual.executions, pontual.results in share row exclusive mode;
  insert into pontual.settings (name, value)
  values ('audit', 'true')
  on conflict do nothing;
  if not found then
    return;
  end if;
  -- For who asks what a tenant has run, and what of it has failed: else all that ever ran would be read. Who only runs work pays for neither.
  create index executions_of_tenant on pontual.executions ((lane >> 20), id);
  create index results_unsuccessful on pontual.results (execution_id) where status <> 'SUCCESS';
  create index executions_archive_of_tenant on pontual.executions_archive ((lane >> 20), id);
  create index results_archive_unsuccessful on pontual.results_archive (execution_id) where status <> 'SUCCESS';
  create trigger results_audited
  after insert on pontual.results
  referencing new table as ended
  for each statement execute function pontual.audit_ends();
  create constraint trigger results_audited_last
  after insert on pontual.results
  deferrable initially deferred
  for each row when (pontual.is_caused(new.status, new.is_reported, new.error))
  execute function pontual.audit_caused_ends();
end
$$;
