-- Numbers executions that have just ended, if they have a job, and writes the entry of each. The chains are locked first, all in one call and in the order of
-- their tenants: this orders concurrent ends of one job. Failures are notified last.
create or replace function pontual.write_told_ends(ended uuid[])
returns void
language plpgsql volatile
set plan_cache_mode = force_generic_plan
as $$
declare
  known record;
begin
  with body as materialized (
    select executions.id, executions.job_id, executions.lane, executions.options
    from pontual.executions
    where executions.id = any(ended)
      and (executions.job_id is not null or strpos(executions.options, '"requestedBy"') > 0)
  ),
  told as materialized (
    select
      body.id,
      body.job_id,
      tenants.name as tenant,
      lanes.job_type,
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
      case when job_id is null then '"jobType" : ' || to_json(job_type)::text || ', ' else '' end as named,
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
      '{' || named || substr(
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
      end::text, 2)
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
    where each.job_id is not null
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
    where failed.is_failure
      and failed.job_id is not null;
    perform pontual.post_failures(
      array_agg(failed.tenant),
      array_agg(failed.at),
      array_agg(failed.job_id),
      array_agg(failed.id)
    )
    from unnest(known.tenants, known.instants, known.jobs, known.ids, known.are_failures) as failed (tenant, at, job_id, id, is_failure)
    where failed.is_failure
      and failed.job_id is null;
  end if;
end
$$;
revoke execute on function pontual.write_told_ends(uuid[]) from public;
