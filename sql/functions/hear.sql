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
