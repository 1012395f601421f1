-- The audit log: who did what to what, in the transaction in which it was done; and which of its job's each execution is.
--
-- Safe while old nodes run: columns have no default, so that no row is rewritten. Until somebody switches the log on nothing is written to it, and nothing is
-- paid for it. Once it is on, ends that an old node records are in it too; changes of jobs that an old node makes are not.

-- Who ended it, where that was a person or a key; and who asked a durable execution to end.
alter table pontual.results add column ended_by text;
alter table pontual.cancellations add column requested_by text;

-- Where the chain of each tenant ends. Who writes to a chain locks its row: several in the order of their names, and after all else he locks.
create table pontual.audit_heads (
  tenant text collate "C" primary key,
  sequence bigint not null,
  hash bytea not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0, vacuum_truncate = off);

-- Values are text as it was hashed. An instant has no more than the milliseconds that are hashed.
create table pontual.audit_entries (
  tenant text collate "C" not null,
  sequence bigint not null,
  at timestamptz not null check (at = date_trunc('milliseconds', at)),
  job_id uuid,
  execution_id uuid,
  operation text not null,
  user_id text,
  old_values text,
  new_values text,
  previous_hash bytea not null,
  hash bytea not null,
  primary key (tenant, sequence)
);
create index audit_of_job on pontual.audit_entries (job_id, sequence) where job_id is not null;
create index audit_by_time on pontual.audit_entries using brin (at, execution_id) with (pages_per_range = 32, autosummarize = on);

-- How many executions of a job have ended, and which of them each one was.
create table pontual.execution_counters (
  job_id uuid primary key,
  ended bigint not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0, vacuum_truncate = off);

create table pontual.execution_numbers (
  execution_id uuid primary key,
  number bigint not null
);

-- Nobody changes what was written, whatever he may do with other tables.
create function pontual.refuse_to_rewrite()
returns trigger
language plpgsql
as $$
begin
  raise exception 'The audit log is append-only: % of % is refused.', tg_op, tg_table_name
  using errcode = 'insufficient_privilege';
end
$$;

create trigger audit_entries_append_only
before update or delete or truncate on pontual.audit_entries
for each statement execute function pontual.refuse_to_rewrite();

create trigger audit_heads_stay
before delete or truncate on pontual.audit_heads
for each statement execute function pontual.refuse_to_rewrite();

-- A field as it is hashed: with its length, so that no two entries read the same. The rule is that of auditText in src/access/audit.ts.
create function pontual.audit_field(value text)
returns text
language sql immutable parallel safe
as $$ select case when value is null then '-' else char_length(value)::text || ':' || value end $$;

-- Appends entries to the chains of their tenants, in the order given; nothing while the log is off. As the owner, so that nobody else has to be allowed to write
-- to the tables; who speaks for one tenant can write to its chain only.
create function pontual.write_audit(
  tenants text[],
  instants timestamptz[],
  operations text[],
  users text[],
  jobs uuid[],
  executions uuid[],
  olds text[],
  news text[]
)
returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
declare
  draft record;
  chain text;
  last_sequence bigint;
  last_hash bytea;
  sequences bigint[] := array_fill(0::bigint, array[cardinality(tenants)]);
  former_hashes bytea[] := array_fill(''::bytea, array[cardinality(tenants)]);
  hashes bytea[] := former_hashes;
begin
  if cardinality(tenants) = 0 or not exists (select from pontual.settings where name = 'audit') then
    return;
  end if;
  if (current_setting('role') = 'pontual_api' or session_user = 'pontual_api')
    and (current_setting('pontual.tenant', true) = all(tenants)) is not true
  then
    raise exception 'An audit entry of another tenant is refused.'
    using errcode = 'insufficient_privilege';
  end if;
  for draft in
    select
      each.place,
      each.tenant,
      pontual.audit_field(pontual.to_ms(each.at)::bigint::text)
        || E'\n' || pontual.audit_field(each.operation)
        || E'\n' || pontual.audit_field(each.user_id)
        || E'\n' || pontual.audit_field(each.job_id::text)
        || E'\n' || pontual.audit_field(each.execution_id::text)
        || E'\n' || pontual.audit_field(each.old_values)
        || E'\n' || pontual.audit_field(each.new_values) as fields
    from unnest(tenants, instants, operations, users, jobs, executions, olds, news) with ordinality
      as each (tenant, at, operation, user_id, job_id, execution_id, old_values, new_values, place)
    order by each.tenant collate "C", each.place
  loop
    if chain is distinct from draft.tenant then
      if chain is not null then
        update pontual.audit_heads
        set sequence = last_sequence, hash = last_hash
        where tenant = chain;
      end if;
      chain := draft.tenant;
      loop
        select sequence, hash
        into last_sequence, last_hash
        from pontual.audit_heads
        where tenant = chain
        for update;
        exit when found;
        insert into pontual.audit_heads (tenant, sequence, hash)
        values (chain, 0, decode(repeat('00', 32), 'hex'))
        on conflict do nothing;
      end loop;
    end if;
    last_sequence := last_sequence + 1;
    sequences[draft.place] := last_sequence;
    former_hashes[draft.place] := last_hash;
    last_hash := sha256(convert_to(
      encode(last_hash, 'hex')
        || E'\n' || pontual.audit_field(chain)
        || E'\n' || pontual.audit_field(last_sequence::text)
        || E'\n' || draft.fields,
      'UTF8'
    ));
    hashes[draft.place] := last_hash;
  end loop;
  update pontual.audit_heads
  set sequence = last_sequence, hash = last_hash
  where tenant = chain;

  insert into pontual.audit_entries (
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
  select each.*
  from unnest(tenants, sequences, instants, jobs, executions, operations, users, olds, news, former_hashes, hashes) as each;
end
$$;

-- A text out of an object that is kept as text. What PostgreSQL cannot unescape, NUL and half a surrogate pair, becomes the sign for what cannot be shown.
create function pontual.text_within(object text, name text)
returns text
language sql immutable parallel safe
as $$
  select
    case
      when object ~ '\\u(0000|d[89a-f])' then regexp_replace(object, '\\u(0000|d[89a-f][0-9a-f]{2})', '\ufffd', 'g')
      else object
    end::json ->> name
$$;

create function pontual.wire_instant(instant timestamptz)
returns text
language sql stable strict parallel safe
as $$ select to_char(instant at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;

-- Numbers executions that have just ended, where they have a job, and writes the entry of each. The chains are locked first: they keep those
-- apart who count for one job.
create function pontual.write_ends(ended uuid[])
returns void
language plpgsql volatile
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
declare
  known record;
begin
  with body as materialized (
    select executions.id, executions.job_id, executions.lane, executions.options
    from pontual.executions
    where executions.id = any(ended)
      and executions.job_id is not null
  ),
  told as materialized (
    select
      body.id,
      body.job_id,
      tenants.name as tenant,
      result.*,
      job.*,
      case
        when result.status = 'CANCELLED' then coalesce(
          result.ended_by,
          (select requested_by from pontual.cancellations where cancellations.execution_id = body.id)
        )
        when strpos(body.options, '"requestedBy"') > 0 then pontual.text_within(body.options, 'requestedBy')
      end as user_id
    from body
    join pontual.lanes on lanes.id = body.lane
    join pontual.tenants on tenants.id = lanes.tenant_id
    cross join lateral (
      select
        results.status,
        results.attempt,
        results.started_at,
        results.finished_at,
        results.ended_by,
        left(pontual.text_within(results.error, 'message'), 2000) as message
      from pontual.results
      where results.execution_id = body.id
      limit 1
    ) as result
    left join lateral (
      select
        jobs.status as job_status,
        jobs.resume_status,
        jobs.status_reason,
        -- Of ends only one that heals a job, or faults it, writes to the job too.
        jobs.xmin::text = (pg_current_xact_id()::text::numeric % 4294967296)::text as is_changed
      from pontual.jobs
      where jobs.id = body.job_id
      limit 1
    ) as job on true
  ),
  decided as materialized (
    select
      told.*,
      status in ('FAILED', 'TIMEOUT')
        and job_status = 'FAULTED'
        and status_reason = 'Execution ' || id || ' has failed for good.' as faults,
      status = 'SUCCESS'
        and is_changed
        and job_status in ('ACTIVE', 'APPROVED')
        and row_number() over (partition by job_id, status order by id) = 1 as heals
    from told
    order by finished_at, id
  )
  select
    array_agg(id) as ids,
    array_agg(job_id) as jobs,
    array_agg(tenant) as tenants,
    array_agg(finished_at) as instants,
    array_agg(
      case status
        when 'SUCCESS' then 'JOBS_JOB_EXECUTE'
        when 'CANCELLED' then 'JOBS_JOB_CANCEL'
        else 'JOBS_JOB_FAIL'
      end
    ) as operations,
    array_agg(user_id) as users,
    array_agg(
      case
        when faults then json_build_object('status', resume_status)::text
        when heals then json_build_object('status', 'FAULTED')::text
      end
    ) as olds,
    array_agg(
      case
        when status = 'SUCCESS' and heals then json_build_object(
          'executionTime', pontual.wire_instant(started_at),
          'durationMs', (pontual.to_ms(finished_at) - pontual.to_ms(started_at))::bigint,
          'status', job_status
        )
        when status = 'SUCCESS' then json_build_object(
          'executionTime', pontual.wire_instant(started_at),
          'durationMs', (pontual.to_ms(finished_at) - pontual.to_ms(started_at))::bigint
        )
        when status = 'CANCELLED' then json_build_object('reason', message)
        when faults then json_build_object(
          'errorMessage', message,
          'retryCount', greatest(attempt - 1, 0),
          'status', job_status
        )
        else json_build_object('errorMessage', message, 'retryCount', greatest(attempt - 1, 0))
      end::text
    ) as news
  into known
  from decided;

  if known.ids is null then
    return;
  end if;
  perform pontual.write_audit(
    known.tenants,
    known.instants,
    known.operations,
    known.users,
    known.jobs,
    known.ids,
    known.olds,
    known.news
  );

  with ended as materialized (
    select
      each.id,
      each.job_id,
      row_number() over (partition by each.job_id order by each.place) as nth,
      count(*) over (partition by each.job_id) as total
    from unnest(known.ids, known.jobs) with ordinality as each (id, job_id, place)
  ),
  counted as (
    insert into pontual.execution_counters (job_id, ended)
    select job_id, count(*)
    from ended
    group by job_id
    order by job_id
    on conflict (job_id) do update
    set ended = execution_counters.ended + excluded.ended
    returning job_id, execution_counters.ended as reached
  )
  insert into pontual.execution_numbers (execution_id, number)
  select id, reached - total + nth
  from ended
  join counted using (job_id);
end
$$;

-- An end that another end has caused. It is written while that one still locks what it needs.
create function pontual.is_caused(status text, is_reported boolean, error text)
returns boolean
language sql immutable parallel safe
as $$ select status = 'CANCELLED' and not is_reported and strpos(error, '"execution.not_needed"') > 0 $$;

-- Ends write their entries by themselves, at the end of the statement. Those that were caused by others wait for the statement that ends these; or, where there is none, for
-- the end of the transaction: chains are locked once and last.
create function pontual.audit_ends()
returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  waiting text := coalesce(current_setting('pontual.audit_waiting', true), '');
  ids uuid[];
  are_caused boolean;
begin
  select array_agg(execution_id), bool_and(pontual.is_caused(status, is_reported, error))
  into ids, are_caused
  from ended;
  if are_caused then
    perform set_config('pontual.audit_waiting', concat_ws(',', nullif(waiting, ''), array_to_string(ids, ',')), true);
  elsif ids is not null and waiting = '' then
    perform pontual.write_ends(ids);
  elsif ids is not null then
    perform set_config('pontual.audit_waiting', concat_ws(',', waiting, array_to_string(ids, ',')), true);
    perform pontual.write_waiting_ends();
  end if;
  return null;
end
$$;

create function pontual.audit_caused_ends()
returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform pontual.write_waiting_ends();
  return null;
end
$$;

-- One that has a number was written: a setting can be changed by anybody.
create function pontual.write_waiting_ends()
returns void
language plpgsql volatile
as $$
declare
  waiting text := coalesce(current_setting('pontual.audit_waiting', true), '');
begin
  if waiting = '' then
    return;
  end if;
  perform set_config('pontual.audit_waiting', '', true);
  perform pontual.write_ends(array(
    select each.id
    from unnest(string_to_array(waiting, ',')::uuid[]) as each (id)
    where not exists (select from pontual.execution_numbers where execution_id = each.id)
  ));
end
$$;

-- Switches the log on, once and for good, for a service. The triggers are made here, since one that is there but switched off costs every end; and so are the
-- indexes, for which nothing is enqueued while they are made.
create function pontual.enable_audit()
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

revoke execute on function pontual.write_ends(uuid[]), pontual.write_waiting_ends() from public;

-- Asks runs that have begun to end themselves, each once. Gives those that were asked, now or before, and where they stood if now. Left out are those that have
-- ended, have not begun or are DIVERGED, and one that moved while it was looked for.
drop function pontual.cancel_runs(uuid[], text[], timestamptz);
create function pontual.cancel_runs(runs uuid[], reasons text[], requesting_at timestamptz, requesters text[] default null)
returns table (id uuid, place text)
language plpgsql volatile rows 10
set enable_seqscan = off
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
