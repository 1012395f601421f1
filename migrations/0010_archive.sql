-- The archive: executions with all that is recorded of them, and the audit log, by months that are moved there whole.
--
-- Safe while old nodes run: what is moved has ended at least 90 days ago, and an old node does not look for that; it finds what ended longer ago than that no
-- more. Whoever writes to the audit log waits until its table is a partition of the new one, which reads all of it once.

-- What this migration and those after it change is locked at once, before anything is: whoever runs work uses these tables in another order, and would meet
-- one lock after the other crosswise. Who cannot have them all lets go of them, so that work goes on, and tries again.
do $$
begin
  for tries in 1..600 loop
    begin
      set local lock_timeout = '250ms';
      lock table pontual.results, pontual.attempts in share row exclusive mode;
      lock table pontual.tenants, pontual.execution_numbers, pontual.links, pontual.signals, pontual.cancellations,
        pontual.replays, pontual.checkpoints, pontual.audit_entries
      in access exclusive mode;
      exit;
    exception
      when lock_not_available or deadlock_detected then
        if tries = 600 then
          raise;
        end if;
        perform pg_sleep(0.2);
    end;
  end loop;
  set local lock_timeout to default;
end
$$;

-- The smallest id of an instant, and back: where a month of ids begins.
create function pontual.first_uuid_at(instant timestamptz)
returns uuid
language sql stable strict parallel safe
as $$ select rpad(lpad(to_hex(pontual.to_ms(instant)::bigint), 12, '0'), 32, '0')::uuid $$;

create function pontual.instant_of_uuid(id uuid)
returns timestamptz
language sql stable strict parallel safe
as $$ select to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0) $$;

-- What is partitioned by the id of an execution, and the name of that column.
create function pontual.archived_tables()
returns table (title text, key text)
language sql immutable
as $$
  values
    ('executions', 'id'),
    ('results', 'execution_id'),
    ('attempts', 'execution_id'),
    ('execution_logs', 'execution_id'),
    ('history_entries', 'execution_id')
$$;

create table pontual.executions_archive (
  like pontual.executions including defaults including constraints,
  primary key (id)
) partition by range (id);
create index executions_archive_of_job on pontual.executions_archive (job_id, id) where job_id is not null;

create table pontual.results_archive (
  like pontual.results including defaults including constraints,
  primary key (execution_id)
) partition by range (execution_id);
create index results_archive_finished on pontual.results_archive using brin (finished_at) with (pages_per_range = 32, autosummarize = on);

create table pontual.attempts_archive (
  like pontual.attempts including defaults including constraints,
  primary key (execution_id, epoch)
) partition by range (execution_id);

create table pontual.execution_logs_archive (
  like pontual.execution_logs including defaults including constraints,
  primary key (execution_id, sequence)
) partition by range (execution_id);

create table pontual.history_entries_archive (
  like pontual.history_entries including defaults including constraints,
  primary key (execution_id, sequence)
) partition by range (execution_id);

-- The audit log by months. What there is becomes its first partition.
alter table pontual.audit_entries rename to audit_entries_first;
alter table pontual.audit_entries_first drop constraint audit_entries_pkey;
alter index pontual.audit_of_job rename to audit_entries_first_of_job;
alter index pontual.audit_by_time rename to audit_entries_first_by_time;

create table pontual.audit_entries (
  like pontual.audit_entries_first including defaults including constraints,
  primary key (tenant, sequence, at)
) partition by range (at);
create index audit_of_job on pontual.audit_entries (job_id, sequence) where job_id is not null;
create index audit_by_time on pontual.audit_entries using brin (at, execution_id) with (pages_per_range = 32, autosummarize = on);
create table pontual.audit_entries_default partition of pontual.audit_entries default;

create table pontual.audit_archive (
  like pontual.audit_entries including defaults including constraints,
  primary key (tenant, sequence, at)
) partition by range (at);
create index audit_archive_of_job on pontual.audit_archive (job_id, sequence) where job_id is not null;
create index audit_archive_by_time on pontual.audit_archive using brin (at, execution_id) with (pages_per_range = 32, autosummarize = on);

-- Where the chain of a tenant begins, once its first entries are gone: with the entry after the last of these.
create table pontual.audit_anchors (
  tenant text collate "C" not null,
  sequence bigint not null,
  hash bytea not null,
  anchored_at timestamptz not null,
  primary key (tenant, sequence)
);

-- Also who names a partition changes nothing in it.
create trigger audit_entries_append_only
before update or delete or truncate on pontual.audit_entries
for each statement execute function pontual.refuse_to_rewrite();
create trigger audit_entries_append_only
before update or delete or truncate on pontual.audit_entries_default
for each statement execute function pontual.refuse_to_rewrite();
create trigger audit_entries_append_only
before update or delete or truncate on pontual.audit_archive
for each statement execute function pontual.refuse_to_rewrite();
create trigger audit_anchors_stay
before update or delete or truncate on pontual.audit_anchors
for each statement execute function pontual.refuse_to_rewrite();

-- Whoever may read and write a table may do the same with what takes its place, or takes its rows.
do $$
declare
  given record;
begin
  for given in
    select
      acl.privilege_type as privilege,
      heir.title as heir,
      case when acl.grantee = 0 then 'public' else quote_ident(pg_get_userbyid(acl.grantee)) end as grantee
    from (
      select title, title || '_archive' from pontual.archived_tables()
      union all
      values
        ('audit_entries_first', 'audit_entries'),
        ('audit_entries_first', 'audit_archive'),
        ('audit_heads', 'audit_anchors')
    ) as heir (ancestor, title)
    join pg_class on pg_class.oid = to_regclass('pontual.' || heir.ancestor)
    cross join lateral aclexplode(pg_class.relacl) as acl
    where acl.grantee <> pg_class.relowner
      and pg_get_userbyid(acl.grantee) <> 'pontual_api'
  loop
    execute format('grant %s on pontual.%I to %s', given.privilege, given.heir, given.grantee);
  end loop;
end
$$;

do $$
declare
  newest timestamptz := (select max(at) from pontual.audit_entries_first);
begin
  if newest is null then
    drop table pontual.audit_entries_first;
    return;
  end if;
  drop policy if exists tenant on pontual.audit_entries_first;
  if exists (select from pg_roles where rolname = 'pontual_api') then
    revoke all on pontual.audit_entries_first from pontual_api;
  end if;
  execute format(
    'alter table pontual.audit_entries attach partition pontual.audit_entries_first for values from (minvalue) to (%L)',
    (date_trunc('month', newest at time zone 'UTC') + interval '1 month') at time zone 'UTC'
  );
end
$$;

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

do $$
begin
  if exists (select from pontual.settings where name = 'audit') then
    create index executions_archive_of_tenant on pontual.executions_archive ((lane >> 20), id);
    create index results_archive_unsuccessful on pontual.results_archive (execution_id) where status <> 'SUCCESS';
  end if;
end
$$;

-- Whether an execution is older than the youngest month in the archive. What is asked many times, and mostly of what is younger, asks this first: to look into
-- the archive is to lock each of its months.
create function pontual.may_be_archived(execution uuid)
returns boolean
language plpgsql stable strict parallel safe
as $$
begin
  return coalesce(
    execution operator(pg_catalog.<) (
      select (value operator(pg_catalog.#>>) '{}'::text[])::uuid
      from pontual.settings
      where name operator(pg_catalog.=) 'archivedBefore'
    ),
    false
  );
end
$$;

-- How an execution ended that is in the archive.
create function pontual.archived_end(execution uuid)
returns table (
  id uuid,
  tenant text,
  job_type text,
  payload text,
  status text,
  attempt integer,
  output text,
  error text
)
language plpgsql stable strict parallel safe rows 1
as $$
begin
  if not pontual.may_be_archived(execution) then
    return;
  end if;
  return query
  select
    body.id,
    tenants.name::text,
    lanes.job_type::text,
    body.payload,
    result.status,
    result.attempt,
    result.output,
    result.error
  from pontual.executions_archive as body
  join pontual.lanes on lanes.id = body.lane
  join pontual.tenants on tenants.id = lanes.tenant_id
  join pontual.results_archive as result on result.execution_id = body.id
  where body.id = execution;
end
$$;

-- Whether it is one of the tenant that is asked for.
create function pontual.is_own_archived(execution uuid)
returns boolean
language plpgsql stable strict parallel safe
as $$
begin
  return pontual.may_be_archived(execution)
    and exists (select from pontual.executions_archive where id = execution);
end
$$;

create or replace function pontual.owner_of_execution(execution uuid)
returns integer
language plpgsql stable parallel safe security definer
as $$
declare
  owner integer := (
    select (executions.lane operator(pg_catalog.>>) 20)::pg_catalog.int4
    from pontual.executions
    where executions.id operator(pg_catalog.=) execution
  );
begin
  if owner is null and pontual.may_be_archived(execution) then
    owner := (
      select (executions_archive.lane operator(pg_catalog.>>) 20)::pg_catalog.int4
      from pontual.executions_archive
      where executions_archive.id operator(pg_catalog.=) execution
    );
  end if;
  return owner;
end
$$;

create or replace function pontual.is_there(kind text, thing text)
returns boolean
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return case kind
    when 'job' then exists (select from pontual.jobs where jobs.id = thing::uuid)
    when 'execution' then pontual.owner_of_execution(thing::uuid) is not null
    when 'apiKey' then exists (select from pontual.api_keys where api_keys.id = thing)
  end;
exception
  when invalid_text_representation then
    return false;
end
$$;

-- All that is known of an execution in the archive, but for its attempts. As read_executions (0008), it reads as whoever asks.
create function pontual.read_archived_executions()
returns setof pontual.execution_record
language sql stable
as $$
select
  body.id,
  tenants.name,
  body.job_id,
  lanes.job_type,
  lanes.queue,
  body.priority,
  body.origin,
  body.payload,
  body.scheduled_at,
  body.max_attempts,
  body.idempotency_key,
  body.options,
  occurrences.misfire,
  body.created_at,
  result.status,
  result.attempt,
  result.epoch,
  null::timestamptz,
  result.started_at,
  result.finished_at,
  result.node_id,
  result.output,
  result.error,
  result.progress,
  result.progress_note,
  null::text,
  result.cached_from
from pontual.executions_archive as body
join pontual.lanes on lanes.id = body.lane
join pontual.tenants on tenants.id = lanes.tenant_id
join pontual.results_archive as result on result.execution_id = body.id
left join pontual.occurrences
  on occurrences.job_id = body.job_id
  and occurrences.scheduled_at = body.scheduled_at
  and occurrences.execution_id = body.id
$$;

-- The history of an execution wherever it is, and how often each entry was followed again.
create function pontual.read_any_history(run uuid)
returns table (
  sequence integer,
  kind text,
  name text,
  status text,
  "position" integer,
  calls integer,
  attempt integer,
  input text,
  output text,
  error text,
  details text,
  "childId" uuid,
  "startedAt" double precision,
  "dueAt" double precision,
  "endedAt" double precision,
  replayed bigint
)
language sql stable rows 100
as $$
  select *
  from pontual.read_history(run)
  union all
  select
    history.sequence,
    history.kind,
    history.name,
    history.status,
    history.position,
    history.calls,
    history.attempt,
    history.input,
    history.output,
    history.error,
    history.details,
    history.child_id,
    pontual.to_ms(history.started_at),
    pontual.to_ms(history.due_at),
    pontual.to_ms(history.ended_at),
    (
      select count(*)
      from pontual.replays
      where replays.execution_id = run
        and replays.epoch > history.epoch
    )
  from pontual.history_entries_archive as history
  where history.execution_id = run
  order by 1
$$;

-- All that has come for runs that are held, and clears their mark; where it is asked for also their histories, which counts as a replay. The mark is cleared
-- before anything is read: who commits something later marks the run again. A lease that is locked is being marked, or given up: its mark stays, and
-- nobody is waited for, who may wait for another of these runs.
create or replace function pontual.hear(runs uuid[], epochs integer[], loads boolean, hearing_at timestamptz)
returns table (
  run uuid,
  run_epoch integer,
  lost bigint,
  entries text,
  signals text,
  children text,
  cancellation text
)
language plpgsql volatile rows 10
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
begin
  update pontual.leases
  set has_news = false
  where leases.execution_id = any(array(
    select leases.execution_id
    from pontual.leases
    where leases.execution_id = any(runs)
      and ((leases.execution_id, leases.epoch) in (select * from unnest(runs, epochs))) is true
      and leases.has_news
    for no key update skip locked
  ));
  if loads then
    insert into pontual.replays (execution_id, epoch, replayed_at)
    select leases.execution_id, leases.epoch, hearing_at
    from pontual.leases
    where leases.execution_id = any(runs)
      and ((leases.execution_id, leases.epoch) in (select * from unnest(runs, epochs))) is true
    on conflict do nothing;
  end if;
  return query
  select
    leases.execution_id,
    leases.epoch,
    case when loads then (
      select count(*)
      from (
        select attempts.epoch, row_number() over (order by attempts.epoch desc) as nth
        from pontual.attempts
        where attempts.execution_id = leases.execution_id
          and attempts.status = 'LOST'
          and attempts.epoch < leases.epoch
      ) as past
      where past.epoch = leases.epoch - past.nth
        and past.epoch > coalesce(
          (
            select max(history_entries.epoch)
            from pontual.history_entries
            where history_entries.execution_id = leases.execution_id
              and (history_entries.position is not null or history_entries.kind = 'input')
          ),
          0
        )
    ) end,
    case when loads then (
      select json_agg(entry order by entry.sequence)::text
      from (
        select
          history.sequence,
          history.kind,
          history.name,
          history.status,
          history.position,
          history.calls,
          history.attempt,
          history.input,
          history.output,
          history.error,
          history.details,
          history.child_id as "childId",
          pontual.to_ms(history.started_at) as "startedAt",
          pontual.to_ms(history.due_at) as "dueAt",
          pontual.to_ms(history.ended_at) as "endedAt"
        from pontual.history_entries as history
        where history.execution_id = leases.execution_id
      ) as entry
    ) end,
    (
      select json_agg(signal order by signal.id)::text
      from (
        select sent.id, sent.name, sent.payload, pontual.to_ms(sent.sent_at) as "sentAt"
        from pontual.signals as sent
        where sent.execution_id = leases.execution_id
          and not sent.is_taken
      ) as signal
    ),
    (
      select json_agg(child order by child."executionId")::text
      from (
        select
          links.predecessor_id as "executionId",
          links.outcome as status,
          coalesce(result.attempt, past.attempt, 0) as attempt,
          coalesce(result.output, past.output) as output,
          coalesce(result.error, past.error) as error
        from pontual.links
        left join lateral (
          select results.attempt, results.output, results.error
          from pontual.results
          where results.execution_id = links.predecessor_id
          limit 1
        ) as result on true
        left join lateral pontual.archived_end(
          case when result.attempt is null then links.predecessor_id end
        ) as past on true
        where links.successor_id = leases.execution_id
          and links.is_child
          and links.outcome is not null
        -- Or they might be read in their order, those of all runs.
        offset 0
      ) as child
    ),
    (
      select json_build_object('reason', cancellations.reason, 'requestedAt', pontual.to_ms(cancellations.requested_at))::text
      from pontual.cancellations
      where cancellations.execution_id = leases.execution_id
    )
  from pontual.leases
  where leases.execution_id = any(runs)
    and ((leases.execution_id, leases.epoch) in (select * from unnest(runs, epochs))) is true
  order by leases.execution_id;
end
$$;

-- Links a run to the children that its history has started and has not seen the end of, and to no others. Each is locked where it stands, so that it cannot
-- end before the link is there for its end to see; or it has ended, or was removed, which counts as cancelled.
create or replace function pontual.relink_children(run uuid)
returns void
language plpgsql volatile
set enable_seqscan = off
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

-- Looks at successors whose predecessors may have ended before anybody could know of the link. Gives the ids of those that became ready, and whether
-- there is one that has to be looked at again.
--
-- Each predecessor is locked where it stands, so that it cannot end before the link is there for its end to see; or it stands in results. One
-- that is locked is on its way from one to the other: it is not waited for, since whoever moves it may wait for a successor.
create or replace function pontual.settle_links(successors uuid[], looked_at timestamptz, out freed uuid[], out is_unsure boolean)
language plpgsql volatile
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
declare
  before uuid[] := array(
    select distinct predecessor_id
    from pontual.links
    where successor_id = any(successors)
      and outcome is null
  );
  standing uuid[];
  ended uuid[];
  statuses text[];
  gone uuid[];
begin
  standing := array(
    select ready.execution_id
    from pontual.executions
    join pontual.ready
      on ready.lane = executions.lane
      and ready.priority = executions.priority
      and ready.execution_id = executions.id
    where executions.id = any(before)
    for key share of ready skip locked
  );
  standing := standing || array(
    select execution_id
    from pontual.delayed
    where execution_id = any(before)
    for key share skip locked
  );
  standing := standing || array(
    select execution_id
    from pontual.leases
    where execution_id = any(before)
    for key share skip locked
  );
  select coalesce(array_agg(execution_id), '{}'), coalesce(array_agg(status), '{}')
  into ended, statuses
  from (
    select execution_id, status
    from pontual.results
    where execution_id = any(before)
    for key share skip locked
  ) as result;
  -- What was removed meanwhile counts as cancelled.
  gone := array(
    select id
    from unnest(before) as each (id)
    where not exists (select from pontual.executions where executions.id = each.id)
  );
  -- What is in the archive has ended.
  if cardinality(gone) > 0 then
    select ended || past.ids, statuses || past.ends, array(select unnest(gone) except select unnest(past.ids))
    into ended, statuses, gone
    from (
      select
        coalesce(array_agg(archived.id), '{}') as ids,
        coalesce(array_agg(archived.status), '{}') as ends
      from unnest(gone) as each (id)
      cross join lateral pontual.archived_end(each.id) as archived
    ) as past;
  end if;
  freed := pontual.follow_up(ended || gone, statuses || array_fill('CANCELLED'::text, array[cardinality(gone)]), looked_at);

  with parked as (
    update pontual.delayed
    set due_at = case
      when exists (
        select from pontual.links
        where successor_id = execution_id
          and outcome is null
          and predecessor_id <> all(standing)
      ) then looked_at + interval '50 milliseconds'
      else 'infinity'
    end
    where execution_id = any(successors)
      and awaits > 0
    returning due_at
  )
  select coalesce(bool_or(due_at < 'infinity'), false)
  into is_unsure
  from parked;
end
$$;

-- Removes executions in the archive, with all that hangs on them.
create function pontual.remove_archived(removed uuid[])
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

-- Removes what hangs on executions in the archive and is kept elsewhere.
create function pontual.forget_archived(removed uuid[])
returns void
language plpgsql volatile
as $$
begin
  delete from pontual.idempotency_keys
  using pontual.executions_archive
  join pontual.lanes on lanes.id = executions_archive.lane
  join pontual.tenants on tenants.id = lanes.tenant_id
  where executions_archive.id = any(removed)
    and idempotency_keys.tenant = tenants.name
    and idempotency_keys.job_type = lanes.job_type
    and idempotency_keys.key = executions_archive.idempotency_key
    and idempotency_keys.execution_id = executions_archive.id;
  delete from pontual.links
  where successor_id = any(removed);
  perform pontual.remove_runs(removed, removed);
end
$$;

-- The months of executions, by their number, and the parts of the audit log, by their name: where each is, and of which time.
create function pontual.archive_parts()
returns table (kind text, part text, is_archived boolean, from_at timestamptz, to_at timestamptz)
language sql stable
as $$
  select
    found.kind,
    case found.kind when 'executions' then substr(found.relname, 12) else found.relname end,
    found.is_archived,
    case
      when found.bounds[1] = 'MINVALUE' then '-infinity'::timestamptz
      when found.kind = 'executions' then pontual.instant_of_uuid(found.bounds[1]::uuid)
      else found.bounds[1]::timestamptz
    end,
    case
      when found.kind = 'executions' then pontual.instant_of_uuid(found.bounds[2]::uuid)
      else found.bounds[2]::timestamptz
    end
  from (
    select
      parent.kind,
      parent.is_archived,
      pg_class.relname::text as relname,
      regexp_match(pg_get_expr(relpartbound, pg_class.oid), 'FROM \(''?([^'')]+)''?\) TO \(''?([^'')]+)''?\)') as bounds
    from (
      values
        ('executions', false, 'pontual.executions'::regclass),
        ('executions', true, 'pontual.executions_archive'),
        ('audit', false, 'pontual.audit_entries'),
        ('audit', true, 'pontual.audit_archive')
    ) as parent (kind, is_archived, id)
    join pg_inherits on inhparent = parent.id
    join pg_class on pg_class.oid = inhrelid
  ) as found
  where found.bounds is not null
$$;

create function pontual.require_engine()
returns void
language plpgsql stable
as $$
begin
  if current_setting('role') = 'pontual_api' or session_user = 'pontual_api' then
    raise exception 'Only who runs the engine may do this.'
    using errcode = 'insufficient_privilege';
  end if;
end
$$;

-- The partitions of a month of executions, or the one of a part of the audit log, that are not in the archive, and what each is a partition of.
create function pontual.live_partitions(part_kind text, part_name text)
returns table (parent text, partition regclass)
language sql stable
as $$
  select parent.title, pg_class.oid::regclass
  from (
    select title, title || '_' || part_name
    from pontual.archived_tables()
    where part_kind = 'executions'
    union all
    select 'audit_entries', part_name
    where part_kind = 'audit'
  ) as parent (title, name)
  join pg_class on pg_class.oid = to_regclass(format('pontual.%I', parent.name))
  join pg_inherits
    on inhrelid = pg_class.oid
    and inhparent = to_regclass(format('pontual.%I', parent.title))
$$;

-- What is going to be moved says by itself what it holds, so that nobody has to read it while all others wait: first for what is written, then, without
-- holding anybody up, for what is there.
create function pontual.mark_for_archive(part_kind text, part_name text)
returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '250ms'
as $$
declare
  marked regclass;
begin
  perform pontual.require_engine();
  for marked in
    select partition
    from pontual.live_partitions(part_kind, part_name)
    where not exists (select from pg_constraint where conrelid = partition and conname = 'archived_range')
  loop
    execute format(
      'alter table %s add constraint archived_range check (%s) not valid',
      marked,
      pg_get_partition_constraintdef(marked)
    );
  end loop;
end
$$;

create function pontual.check_for_archive(part_kind text, part_name text)
returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '250ms'
as $$
declare
  checked regclass;
begin
  perform pontual.require_engine();
  for checked in
    select partition
    from pontual.live_partitions(part_kind, part_name)
    join pg_constraint on conrelid = partition
    where conname = 'archived_range'
      and not convalidated
  loop
    execute format('alter table %s validate constraint archived_range', checked);
  end loop;
end
$$;

create function pontual.columns_of(listed regclass)
returns text
language sql stable
as $$
  select string_agg(quote_ident(attname), ', ' order by attnum)
  from pg_attribute
  where attrelid = listed
    and attnum > 0
    and not attisdropped
$$;

-- Gives the archive the columns that its table has got since.
create function pontual.match_columns(source regclass, archive regclass)
returns void
language plpgsql volatile
as $$
declare
  missing record;
begin
  for missing in
    select attname, format_type(atttypid, atttypmod) as kind
    from pg_attribute
    where attrelid = source
      and attnum > 0
      and not attisdropped
      and attname not in (select attname from pg_attribute where attrelid = archive and attnum > 0 and not attisdropped)
    order by attnum
  loop
    execute format('alter table %s add column %I %s', archive, missing.attname, missing.kind);
  end loop;
end
$$;

-- A partition of the archive, with nothing in it.
create function pontual.add_archive_partition(archive text, made text, bounds text)
returns void
language plpgsql volatile
as $$
begin
  execute format('create table pontual.%I (like pontual.%I including all)', made, archive);
  if archive = 'audit_archive' then
    execute format(
      'create trigger audit_entries_append_only before update or delete or truncate on pontual.%I
      for each statement execute function pontual.refuse_to_rewrite()',
      made
    );
  end if;
  execute format('alter table pontual.%I attach partition pontual.%I %s', archive, made, bounds);
  if (select is_on from pontual.row_security()) then
    perform pontual.secure_table(to_regclass(format('pontual.%I', made)));
  end if;
end
$$;

-- Moves rows of executions from where they are to the archive. Each has its partition there.
create function pontual.copy_to_archive(moved_title text, moved_key text, ids uuid[])
returns void
language plpgsql volatile
as $$
declare
  columns text;
begin
  perform pontual.match_columns(
    to_regclass(format('pontual.%I', moved_title)),
    to_regclass(format('pontual.%I', moved_title || '_archive'))
  );
  columns := pontual.columns_of(to_regclass(format('pontual.%I', moved_title)));
  execute format(
    'insert into pontual.%1$I (%3$s) select %3$s from pontual.%2$I where %4$I = any($1)',
    moved_title || '_archive',
    moved_title,
    columns,
    moved_key
  ) using ids;
  execute format('delete from pontual.%I where %I = any($1)', moved_title, moved_key) using ids;
end
$$;

create function pontual.note_archived(until_id uuid)
returns void
language sql volatile
as $$
  insert into pontual.settings (name, value)
  values ('archivedBefore', to_jsonb(until_id))
  on conflict (name) do update
  set value = to_jsonb(greatest((settings.value #>> '{}')::uuid, until_id))
$$;

-- Moves a month of executions into the archive: no row is copied, and who reads both finds each in one of the two. Left behind is what has not ended, and
-- what ended after an instant: it goes to the default partitions, where it is found by its id as before. All who look for an execution wait meanwhile, and so nobody can
-- end one, or take it up. Gives how many are left behind; null where the month is not there.
create function pontual.archive_month(month text, youngest timestamptz)
returns integer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '250ms'
as $$
declare
  bodies regclass;
  ends regclass;
  bounds text;
  edges text[];
  kept uuid[];
  late uuid[];
  moved record;
  columns text;
begin
  perform pontual.require_engine();
  lock table only pontual.executions, only pontual.results, only pontual.attempts, only pontual.execution_logs,
    only pontual.history_entries, only pontual.executions_archive, only pontual.results_archive,
    only pontual.attempts_archive, only pontual.execution_logs_archive, only pontual.history_entries_archive
  in access exclusive mode;
  select partition into bodies from pontual.live_partitions('executions', month) where parent = 'executions';
  select partition into ends from pontual.live_partitions('executions', month) where parent = 'results';
  if bodies is null then
    return null;
  end if;
  bounds := (select pg_get_expr(relpartbound, oid) from pg_class where oid = bodies);
  edges := regexp_match(bounds, 'FROM \(''([^'']+)''\) TO \(''([^'']+)''\)');
  kept := array(
    select execution_id from pontual.ready where execution_id >= edges[1]::uuid and execution_id < edges[2]::uuid
    union all
    select execution_id from pontual.delayed where execution_id >= edges[1]::uuid and execution_id < edges[2]::uuid
    union all
    select execution_id from pontual.leases where execution_id >= edges[1]::uuid and execution_id < edges[2]::uuid
  );
  execute format(
    'select array(select execution_id from %s where finished_at > $1 and execution_id >= $2 and execution_id < $3)',
    coalesce(ends, 'pontual.results_default'::regclass)
  )
  into late
  using youngest, edges[1]::uuid, edges[2]::uuid;
  kept := kept || late;

  for moved in
    select tables.title, tables.key, live.partition
    from pontual.archived_tables() as tables
    left join pontual.live_partitions('executions', month) as live on live.parent = tables.title
  loop
    columns := pontual.columns_of(to_regclass(format('pontual.%I', moved.title)));
    if moved.partition is null then
      -- It could not be made when it was needed: its rows are in the default partition.
      perform pontual.add_archive_partition(moved.title || '_archive', moved.title || '_' || month, bounds);
      execute format(
        'select array(select distinct %1$I from pontual.%2$I where %1$I >= $1 and %1$I < $2 and %1$I <> all($3))',
        moved.key,
        moved.title || '_default'
      )
      into late
      using edges[1]::uuid, edges[2]::uuid, kept;
      perform pontual.copy_to_archive(moved.title, moved.key, late);
      continue;
    end if;
    perform pontual.match_columns(moved.partition, to_regclass(format('pontual.%I', moved.title || '_archive')));
    execute format('alter table pontual.%I detach partition %s', moved.title, moved.partition);
    if cardinality(kept) > 0 then
      -- By its own name: an end that is written anew is none.
      execute format(
        'insert into pontual.%1$I (%2$s) select %2$s from %3$s where %4$I = any($1)',
        moved.title || '_default',
        columns,
        moved.partition,
        moved.key
      ) using kept;
      execute format('delete from %s where %I = any($1)', moved.partition, moved.key) using kept;
    end if;
    execute format('alter table pontual.%I attach partition %s %s', moved.title || '_archive', moved.partition, bounds);
    execute format('alter table %s drop constraint if exists archived_range', moved.partition);
  end loop;
  perform pontual.note_archived(edges[2]::uuid);
  return cardinality(kept);
end
$$;

-- Moves executions that were left behind, and what never had a month of its own: those that have ended by an instant and were made before it. Row by row, at
-- most so many. Gives how many.
create function pontual.archive_late(youngest timestamptz, most integer)
returns integer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '250ms'
as $$
declare
  ids uuid[];
  month timestamp;
  tables record;
begin
  perform pontual.require_engine();
  ids := array(
    select ended.execution_id
    from pontual.results_default as ended
    where ended.finished_at <= youngest
      and ended.execution_id < pontual.first_uuid_at(youngest)
      and not exists (
        select
        from pontual.live_partitions(
          'executions',
          to_char(pontual.instant_of_uuid(ended.execution_id) at time zone 'UTC', 'YYYY_MM')
        )
      )
    limit most
    for update skip locked
  );
  for month in
    select distinct date_trunc('month', pontual.instant_of_uuid(each.id) at time zone 'UTC')
    from unnest(ids) as each (id)
    order by 1
  loop
    for tables in
      select title
      from pontual.archived_tables()
      where to_regclass(format('pontual.%I', title || to_char(month, '_YYYY_MM'))) is null
    loop
      -- Who reads would else not know of a month that he has not locked.
      execute format('lock table only pontual.%I in access exclusive mode', tables.title || '_archive');
      perform pontual.add_archive_partition(
        tables.title || '_archive',
        tables.title || to_char(month, '_YYYY_MM'),
        format(
          'for values from (%L) to (%L)',
          pontual.first_uuid_at(month at time zone 'UTC'),
          pontual.first_uuid_at((month + interval '1 month') at time zone 'UTC')
        )
      );
    end loop;
    perform pontual.note_archived(pontual.first_uuid_at((month + interval '1 month') at time zone 'UTC'));
  end loop;
  for tables in
    select title, key
    from pontual.archived_tables()
  loop
    perform pontual.copy_to_archive(tables.title, tables.key, ids);
  end loop;
  return cardinality(ids);
end
$$;

-- Moves a part of the audit log into the archive. Gives whether it was there.
create function pontual.archive_audit(part text)
returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '250ms'
as $$
declare
  moved regclass;
  bounds text;
begin
  perform pontual.require_engine();
  lock table only pontual.audit_entries, only pontual.audit_archive in access exclusive mode;
  select partition into moved from pontual.live_partitions('audit', part);
  if moved is null or part = 'audit_entries_default' then
    return false;
  end if;
  bounds := (select pg_get_expr(relpartbound, oid) from pg_class where oid = moved);
  perform pontual.match_columns(moved, 'pontual.audit_archive');
  execute format('alter table pontual.audit_entries detach partition %s', moved);
  execute format('alter table pontual.audit_archive attach partition %s %s', moved, bounds);
  execute format('alter table %s drop constraint if exists archived_range', moved);
  return true;
end
$$;

-- Cuts the part of the audit log that is written now: what it holds goes to the archive, and another takes the rest of its time. All of it is read once, while
-- who writes waits. Gives whether there was one.
create function pontual.cut_audit(test_ms double precision)
returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '250ms'
as $$
declare
  cut_at timestamptz;
  current record;
  former text;
  number integer := 1;
begin
  perform pontual.require_engine();
  lock table only pontual.audit_entries, only pontual.audit_archive in access exclusive mode;
  -- Nobody writes any more, and nothing is younger.
  cut_at := coalesce(pontual.from_ms(test_ms), date_trunc('milliseconds', clock_timestamp())) + interval '1 millisecond';
  select * into current
  from pontual.archive_parts()
  where kind = 'audit'
    and not is_archived
    and from_at < cut_at
    and to_at > cut_at;
  if not found then
    return false;
  end if;
  while to_regclass(format('pontual.%I', current.part || '_' || number)) is not null loop
    number := number + 1;
  end loop;
  former := current.part || '_' || number;
  execute format('alter table pontual.audit_entries detach partition pontual.%I', current.part);
  execute format('alter table pontual.%I rename to %I', current.part, former);
  perform pontual.match_columns(to_regclass(format('pontual.%I', former)), 'pontual.audit_archive');
  execute format(
    'alter table pontual.audit_archive attach partition pontual.%I for values from (%s) to (%L)',
    former,
    case when current.from_at = '-infinity' then 'minvalue' else quote_literal(current.from_at) end,
    cut_at
  );
  execute format('create table pontual.%I (like pontual.audit_entries including all)', current.part);
  execute format(
    'create trigger audit_entries_append_only before update or delete or truncate on pontual.%I
    for each statement execute function pontual.refuse_to_rewrite()',
    current.part
  );
  execute format(
    'alter table pontual.audit_entries attach partition pontual.%I for values from (%L) to (%L)',
    current.part,
    cut_at,
    current.to_at
  );
  if (select is_on from pontual.row_security()) then
    perform pontual.secure_table(to_regclass(format('pontual.%I', current.part)));
  end if;
  return true;
end
$$;

-- Moves entries that found no part of their own, since they were written while it was cut, or it could not be made. Gives how many.
create function pontual.archive_late_audit(youngest timestamptz, most integer)
returns integer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '250ms'
as $$
declare
  month timestamp;
  moved integer;
begin
  perform pontual.require_engine();
  if not exists (select from pontual.audit_entries_default where at <= youngest) then
    return 0;
  end if;
  lock table only pontual.audit_entries_default, only pontual.audit_archive in access exclusive mode;
  for month in
    select distinct date_trunc('month', at at time zone 'UTC')
    from pontual.audit_entries_default
    where at <= youngest
    order by 1
  loop
    if not exists (
      select
      from pontual.archive_parts()
      where kind = 'audit'
        and from_at < (month + interval '1 month') at time zone 'UTC'
        and to_at > month at time zone 'UTC'
    ) then
      perform pontual.add_archive_partition(
        'audit_archive',
        'audit_entries' || to_char(month, '_YYYY_MM'),
        format(
          'for values from (%L) to (%L)',
          month at time zone 'UTC',
          (month + interval '1 month') at time zone 'UTC'
        )
      );
    end if;
  end loop;
  alter table pontual.audit_entries_default disable trigger audit_entries_append_only;
  with moved_ones as (
    delete from pontual.audit_entries_default
    where ctid = any(array(
      select audit_entries_default.ctid
      from pontual.audit_entries_default
      join pontual.archive_parts() as parts
        on parts.kind = 'audit'
        and parts.is_archived
        and at >= parts.from_at
        and at < parts.to_at
      where at <= youngest
      limit most
    ))
    returning *
  )
  insert into pontual.audit_archive (
    tenant,
    sequence,
    at,
    job_id,
    execution_id,
    operation,
    user_id,
    old_values,
    new_values,
    previous_hash,
    hash
  )
  select
    tenant,
    sequence,
    at,
    job_id,
    execution_id,
    operation,
    user_id,
    old_values,
    new_values,
    previous_hash,
    hash
  from moved_ones;
  get diagnostics moved = row_count;
  alter table pontual.audit_entries_default enable trigger audit_entries_append_only;
  return moved;
end
$$;

-- What is kept for five years is kept from who runs the engine too. The time is the database's own; another one counts only from who could drop the tables
-- anyway.
create function pontual.retention_clock(test_ms double precision)
returns timestamptz
language sql stable
as $$
  select case
    when pg_has_role(session_user, (select relowner from pg_class where oid = 'pontual.audit_archive'::regclass), 'usage')
      then pontual.clock(test_ms)
    else pontual.clock(null)
  end
$$;

-- Refuses what is not in the archive, or is younger than five years.
create function pontual.require_expired(part_kind text, part_name text, test_ms double precision)
returns void
language plpgsql stable
as $$
declare
  oldest timestamptz := pontual.retention_clock(test_ms) - interval '5 years';
  is_young boolean := (
    select to_at > oldest
    from pontual.archive_parts()
    where kind = part_kind
      and part = part_name
      and is_archived
  );
begin
  perform pontual.require_engine();
  -- An execution may have ended long after it was made.
  if is_young is false and part_kind = 'executions' then
    execute format('select exists (select from pontual.%I where finished_at > $1)', 'results_' || part_name)
    into is_young
    using oldest;
  end if;
  if is_young is distinct from false then
    raise exception 'What is kept for five years is refused to be dropped before: % %.', part_kind, part_name
    using errcode = 'insufficient_privilege';
  end if;
end
$$;

-- Removes what is kept elsewhere of executions of a month that is going to be dropped, in their order after one, at most so many. Gives how many, and the last.
create function pontual.clear_archived(month text, after uuid, most integer, test_ms double precision, out cleared integer, out last uuid)
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

-- Drops a month of executions, or a part of the audit log, that is older than five years. The chains of its tenants begin behind it from then on.
create function pontual.drop_archived(part_kind text, part_name text, test_ms double precision)
returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '250ms'
as $$
declare
  dropped text;
begin
  perform pontual.require_expired(part_kind, part_name, test_ms);
  if part_kind = 'audit' then
    lock table only pontual.audit_archive in access exclusive mode;
    execute format(
      'insert into pontual.audit_anchors (tenant, sequence, hash, anchored_at)
      select distinct on (tenant) tenant, sequence, hash, $1
      from pontual.%I
      order by tenant, sequence desc
      on conflict do nothing',
      part_name
    )
    using pontual.retention_clock(test_ms);
    execute format('drop table pontual.%I', part_name);
    return;
  end if;
  lock table only pontual.executions_archive, only pontual.results_archive, only pontual.attempts_archive,
    only pontual.execution_logs_archive, only pontual.history_entries_archive
  in access exclusive mode;
  for dropped in select title || '_' || part_name from pontual.archived_tables() loop
    execute format('drop table if exists pontual.%I', dropped);
  end loop;
end
$$;

-- Removes what was decided about occurrences more than five years ago, at most so many of each kind. Gives how many.
create function pontual.clear_ledger(most integer, test_ms double precision)
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

-- Holds a table to its tenants. One of its columns says whose a row is. Where that is an execution or a job, one that is made by the same
-- statement is not there yet: what is nobody else's may be written. Knows the tables of 0009 and 0011 as well.
create or replace function pontual.secure_table(secured regclass)
returns void
language plpgsql volatile
as $$
declare
  columns text[] := array(
    select attname::text
    from pg_attribute
    where attrelid = secured
      and attnum > 0
      and not attisdropped
  );
  title text := (select relname from pg_class where oid = secured);
  is_partition boolean := (select relispartition from pg_class where oid = secured);
  is_readable_only boolean := title in (
    'nodes',
    'settings',
    'audit_entries',
    'audit_heads',
    'execution_numbers',
    'notification_events',
    'notification_deliveries',
    'executions_archive',
    'results_archive',
    'attempts_archive',
    'execution_logs_archive',
    'history_entries_archive',
    'audit_archive',
    'audit_anchors',
    'alerts',
    'alert_states',
    'alert_watch'
  );
  visible text;
  writable text;
begin
  case
    when title = 'tenants' then
      visible := 'name = (select pontual.own_tenant())';
    when title = 'lanes' then
      visible := 'tenant_id = (select pontual.own_tenant_id())';
    when 'tenant' = any(columns) then
      visible := 'tenant = (select pontual.own_tenant())';
    when title in ('executions', 'executions_archive') then
      -- As it is indexed (see 0007).
      visible := '(lane >> 20) = (select pontual.own_tenant_id())::bigint';
    when 'lane' = any(columns) then
      -- As a range, so that it can be read from an index.
      visible := 'lane >= (select pontual.own_tenant_id()::bigint << 20) and lane < (select (pontual.own_tenant_id() + 1)::bigint << 20)';
    when 'job_id' = any(columns) then
      visible := 'pontual.owner_of_job(job_id) = (select pontual.own_tenant())';
      writable := 'coalesce(pontual.owner_of_job(job_id), (select pontual.own_tenant())) = (select pontual.own_tenant())';
    when title in ('results_archive', 'attempts_archive', 'execution_logs_archive', 'history_entries_archive') then
      visible := '(select true from pontual.executions_archive where executions_archive.id = execution_id) is true';
    when columns && array['execution_id', 'successor_id'] then
      -- One by one, and as the policy of executions has it: in any other form it might be planned to read all executions for a handful.
      visible := format(
        '(select true from pontual.executions where executions.id = %1$s) is true',
        case when 'execution_id' = any(columns) then 'execution_id' else 'successor_id' end
      );
      -- What is partitioned is in the archive where its execution is; the rest stays where it is.
      if (select relkind from pg_class where oid = secured) = 'r' then
        visible := visible || format(
          ' or pontual.is_own_archived(%s)',
          case when 'execution_id' = any(columns) then 'execution_id' else 'successor_id' end
        );
      end if;
      writable := format(
        'coalesce(pontual.owner_of_execution(%1$s), (select pontual.own_tenant_id())) = (select pontual.own_tenant_id())',
        case when 'execution_id' = any(columns) then 'execution_id' else 'successor_id' end
      );
    else
      visible := '(select pontual.own_tenant()) is not null';
  end case;

  if (select not (relrowsecurity and relforcerowsecurity) from pg_class where oid = secured) then
    execute format('alter table %s enable row level security, force row level security', secured);
  end if;
  if not exists (select from pg_policy where polrelid = secured and polname = 'engine') then
    execute format('create policy engine on %s to pontual_engine using (true)', secured);
  end if;
  -- Partitions are read through what they are partitions of.
  if is_partition or exists (select from pg_policy where polrelid = secured and polname = 'tenant') then
    return;
  end if;
  execute format(
    'create policy tenant on %s for %s to pontual_api using (%s) %s',
    secured,
    case when is_readable_only then 'select' else 'all' end,
    visible,
    case when not is_readable_only then format('with check (%s)', coalesce(writable, visible)) end
  );
  execute format(
    'grant %s on %s to pontual_api',
    case when is_readable_only then 'select' else 'select, insert, update, delete' end,
    secured
  );
end
$$;

-- Who asks for a tenant sees what hangs on its executions in the archive too.
do $$
declare
  secured regclass;
begin
  for secured in
    select polrelid::regclass
    from pg_policy
    join pg_class on pg_class.oid = polrelid
    where polname = 'tenant'
      and relnamespace = 'pontual'::regnamespace
      and relname in ('execution_numbers', 'links', 'signals', 'cancellations', 'replays', 'checkpoints')
  loop
    execute format('drop policy tenant on %s', secured);
  end loop;
end
$$;

select pontual.secure_rows();
