-- The outbox: what people are to be told, kept in the transaction in which it happens, and who was told.
--
-- Safe while old nodes run: failures that an old node records are told of too. Old nodes keep webhooks as they find them; one that an old node adds has no
-- secret, and is told nothing until the settings are stored again. 0010 holds the tables to their tenants.

-- Facts are ids and figures: the texts are read when somebody is told. mail_id: the delivery that tells it by mail, alone or with others.
create table pontual.notification_events (
  id text collate "C" primary key,
  tenant text collate "C" not null,
  kind text not null,
  at timestamptz not null,
  facts jsonb not null,
  planned_at timestamptz,
  suppression text check (suppression in ('flag', 'nobody')),
  mail_id text collate "C",
  told_at timestamptz
) with (vacuum_truncate = off);
create index notification_events_unplanned on pontual.notification_events (at, id) where planned_at is null;
create index notification_events_of_tenant on pontual.notification_events (tenant, at, id);
create index notification_events_of_mail on pontual.notification_events (mail_id) where mail_id is not null;
create index notification_events_by_time on pontual.notification_events (at);

-- While somebody is at one, it is due again when his lease ends. event_id: what it tells; null where it is a mail that tells several.
create table pontual.notification_deliveries (
  id text collate "C" primary key,
  tenant text collate "C" not null,
  event_id text collate "C",
  channel text not null check (channel in ('mail', 'webhook')),
  webhook_id text collate "C",
  status text not null check (status in ('WAITING', 'SENT', 'UNDELIVERED')),
  attempts integer not null,
  created_at timestamptz not null,
  due_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  last_error text
) with (fillfactor = 80, vacuum_truncate = off);
create index notification_deliveries_due on pontual.notification_deliveries (channel, due_at) where status = 'WAITING';
-- Tenants take turns.
create index notification_deliveries_in_turn on pontual.notification_deliveries (channel, tenant, due_at, id) where status = 'WAITING';
create index notification_deliveries_expiring on pontual.notification_deliveries (expires_at) where status = 'WAITING';
create index notification_deliveries_of_event on pontual.notification_deliveries (event_id) where event_id is not null;
create index notification_deliveries_by_time on pontual.notification_deliveries (created_at);

-- As for the tables that empty themselves: a plan that was made for a table of a page would read all of it later.
insert into pontual.notification_events (id, tenant, kind, at, facts, planned_at)
select n::text, '', repeat('-', 200), 'epoch', '{}', 'epoch'
from generate_series(1, 2000) as n;
delete from pontual.notification_events;

insert into pontual.notification_deliveries (id, tenant, channel, status, attempts, created_at, due_at, expires_at, last_error)
select n::text, '', 'mail', 'SENT', 0, 'epoch', 'epoch', 'epoch', repeat('-', 200)
from generate_series(1, 2000) as n;
delete from pontual.notification_deliveries;

-- Keeps events; those that are known by their ids stay as they are. As the owner, so that who speaks for a tenant can add to what it is told of, and nothing else.
create function pontual.post_notifications(
  ids text[],
  tenants text[],
  kinds text[],
  instants timestamptz[],
  facts text[]
)
returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if cardinality(tenants) = 0 then
    return;
  end if;
  if (current_setting('role') = 'pontual_api' or session_user = 'pontual_api')
    and (current_setting('pontual.tenant', true) = all(tenants)) is not true
  then
    raise exception 'A notification of another tenant is refused.'
    using errcode = 'insufficient_privilege';
  end if;
  insert into pontual.notification_events (id, tenant, kind, at, facts)
  select
    event.id,
    event.tenant,
    event.kind,
    event.at,
    event.facts::jsonb
  from unnest(ids, tenants, kinds, instants, facts) as event (id, tenant, kind, at, facts)
  order by event.id
  on conflict (id) do nothing;
end
$$;

-- What is told of executions of jobs that have failed for good, in the transaction in which they have.
create function pontual.tell_failures(tenants text[], instants timestamptz[], jobs uuid[], executions uuid[])
returns void
language plpgsql volatile
as $$
begin
  insert into pontual.notification_events (id, tenant, kind, at, facts)
  select
    failure.execution_id::text,
    failure.tenant,
    'job.failed',
    failure.at,
    jsonb_build_object('jobId', failure.job_id, 'executionId', failure.execution_id)
  from unnest(tenants, instants, jobs, executions) as failure (tenant, at, job_id, execution_id)
  on conflict (id) do nothing;
end
$$;

revoke execute on function pontual.tell_failures(text[], timestamptz[], uuid[], uuid[]) from public;

-- Numbers executions that have just ended, where they have a job, and writes the entry of each. The chains are locked first: they keep those
-- apart who count for one job. A failure is told last.
create or replace function pontual.write_ends(ended uuid[])
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
    ) as news,
    array_agg(status in ('FAILED', 'TIMEOUT')) as are_failures
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

  if true = any(known.are_failures) then
    perform pontual.tell_failures(
      array_agg(failed.tenant),
      array_agg(failed.at),
      array_agg(failed.job_id),
      array_agg(failed.id)
    )
    from unnest(known.tenants, known.instants, known.jobs, known.ids, known.are_failures) as failed (tenant, at, job_id, id, is_failure)
    where failed.is_failure;
  end if;
end
$$;

-- A webhook has a name that stays when its address changes, and a secret that what is sent to it is signed with.
update pontual.tenant_settings
set settings = jsonb_set(
  settings,
  '{webhooks}',
  (
    select coalesce(
      jsonb_agg(
        webhook || jsonb_build_object(
          'id', gen_random_uuid(),
          'secret', encode(sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')), 'hex')
        )
        order by place
      ),
      '[]'
    )
    from jsonb_array_elements(settings -> 'webhooks') with ordinality as each (webhook, place)
  )
)
where jsonb_typeof(settings -> 'webhooks') = 'array';
