-- Durable executions: what is recorded of them, what comes to them while they wait, and where they stand meanwhile. A durable execution in short: a run.
--
-- Safe while old nodes run: columns have defaults that rewrite no row, and nothing is durable until somebody asks for it. An old node would run
-- a durable execution as any other, and end it when its attempts are used up; so they are for when every node is of this version.

-- Whether what is done is recorded step by step. The text is JSON without blanks, and a quote inside of a value has a backslash before it.
create function pontual.is_durable(options text)
returns boolean
language sql immutable parallel safe
as $$ select coalesce(strpos(options, '"durable":true') > 0, false) $$;

-- Has news: something has come for it that its holder has not asked for. Cancelling: it may end as CANCELLED only.
alter table pontual.leases
  add column has_news boolean not null default false,
  add column is_cancelling boolean not null default false;

-- Parked: WAITING until it is due, or something comes for it. A divergence is why it is DIVERGED; its due time is then infinity.
alter table pontual.delayed
  add column is_parked boolean not null default false,
  add column divergence text;
create index delayed_diverged on pontual.delayed (execution_id) where divergence is not null;

-- What of a job has begun and is in nobody's hands. Who reads it asks for the order: no other index of the job has it, whatever the planner believes.
create index delayed_parked on pontual.delayed (job_id, execution_id) where is_parked and job_id is not null;
create index ready_begun on pontual.ready (job_id, execution_id) where epoch > 0 and job_id is not null;

-- The predecessor is a child of its successor, which does not stand behind it, but is told of its end. The place is then that of the call, below
-- zero.
alter table pontual.links
  add column is_child boolean not null default false,
  set (vacuum_truncate = off);

-- The epoch is that of who wrote it.
create table pontual.history_entries (
  execution_id uuid not null,
  sequence integer not null,
  epoch integer not null,
  position integer,
  calls integer not null,
  attempt integer not null,
  started_at timestamptz not null,
  due_at timestamptz,
  ended_at timestamptz,
  child_id uuid,
  kind text not null check (
    kind in (
      'activity',
      'compensation',
      'transaction',
      'timer',
      'signal',
      'start',
      'child',
      'checkpoint',
      'patch',
      'input',
      'cancellation'
    )
  ),
  status text not null check (status in ('RUNNING', 'COMPLETED', 'FAILED')),
  name text not null,
  input text,
  output text,
  error text,
  details text,
  primary key (execution_id, sequence)
) partition by range (execution_id);
create table pontual.history_entries_default partition of pontual.history_entries default;

-- One that was taken is kept where it has a key, so that the same signal is not taken twice.
create table pontual.signals (
  id bigint generated always as identity primary key,
  execution_id uuid not null,
  name text not null,
  payload text,
  idempotency_key text collate "C",
  sent_at timestamptz not null,
  is_taken boolean not null default false,
  unique (execution_id, idempotency_key)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0, vacuum_truncate = off);
create index signals_open on pontual.signals (execution_id, id) where not is_taken;

create table pontual.cancellations (
  execution_id uuid primary key,
  reason text,
  requested_at timestamptz not null
) with (vacuum_truncate = off);

-- One for each time that a history was read to be followed again.
create table pontual.replays (
  execution_id uuid not null,
  epoch integer not null,
  replayed_at timestamptz not null,
  primary key (execution_id, epoch)
) with (vacuum_truncate = off);

create table pontual.checkpoints (
  execution_id uuid primary key,
  state text not null,
  saved_at timestamptz not null
) with (vacuum_truncate = off);

-- Tells an execution that something has come for it: marks its lease, or makes it ready where it is parked. Wherever it stands it is locked there, so that
-- nobody takes it up, parks it or ends it before what has come is committed; that is why none is told in vain. Gives where it stands, and null where there is none.
-- Found nowhere it has just moved, and is looked for again: each statement here sees all that is committed by then.
create function pontual.touch(run uuid, cancels boolean, out place text, out last_epoch integer, out is_diverged boolean)
language plpgsql volatile
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
begin
  is_diverged := false;
  for tries in 1..100 loop
    update pontual.leases
    set
      has_news = true,
      is_cancelling = is_cancelling or cancels
    where execution_id = run
    returning epoch into last_epoch;
    if found then
      place := 'leases';
      return;
    end if;

    with taken as (
      delete from pontual.delayed
      where execution_id = run
        and is_parked
      returning execution_id, lane, attempt, epoch, priority, job_id
    )
    insert into pontual.ready (lane, attempt, epoch, priority, execution_id, job_id)
    select lane, attempt, epoch, priority, execution_id, job_id
    from taken
    returning epoch into last_epoch;
    if found then
      place := 'woken';
      return;
    end if;

    select epoch, divergence is not null
    into last_epoch, is_diverged
    from pontual.delayed
    where execution_id = run
    for no key update;
    if found then
      place := 'delayed';
      return;
    end if;

    select ready.epoch
    into last_epoch
    from pontual.executions
    join pontual.ready
      on ready.lane = executions.lane
      and ready.priority = executions.priority
      and ready.execution_id = executions.id
    where executions.id = run
    for no key update of ready;
    if found then
      place := 'ready';
      return;
    end if;

    select epoch
    into last_epoch
    from pontual.results
    where execution_id = run;
    if found then
      place := 'results';
      return;
    end if;

    perform from pontual.executions
    where id = run;
    if not found then
      return;
    end if;
  end loop;
  raise exception 'Execution % was somewhere else each time it was looked for.', run
  using errcode = 'serialization_failure';
end
$$;

-- The same for several, in the order of their ids, as all lock who lock several. Gives those that became ready, and whether a lease was marked.
create function pontual.wake(ids uuid[], out freed uuid[], out is_marked boolean)
language plpgsql volatile
as $$
declare
  run uuid;
  found_place text;
begin
  freed := '{}';
  is_marked := false;
  for run in
    select distinct id
    from unnest(ids) as each (id)
    order by id
  loop
    select place into found_place from pontual.touch(run, false);
    is_marked := is_marked or found_place is not distinct from 'leases';
    if found_place = 'woken' then
      freed := freed || run;
    end if;
  end loop;
end
$$;

-- Keeps signals for those that have not ended, in the order given for each. One that was sent before under its key is sent, and wakes nobody. Gives an answer for
-- each, and where its run stood where it was told.
create function pontual.send_signals(
  runs uuid[],
  names text[],
  payloads text[],
  keys text[],
  sending_at timestamptz
)
returns table (turn bigint, answer text, place text)
language plpgsql volatile rows 10
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
declare
  sent record;
  last_run uuid;
  is_durable boolean;
begin
  for sent in
    select signal.*
    from unnest(runs, names, payloads, keys) with ordinality as signal (run, name, payload, key, turn)
    order by signal.run, signal.turn
  loop
    if last_run is distinct from sent.run then
      last_run := sent.run;
      place := null;
      is_durable := (select pontual.is_durable(options) from pontual.executions where id = sent.run);
    end if;
    turn := sent.turn;
    answer := case when is_durable is null then 'unknown' when not is_durable then 'notDurable' end;
    if answer is null and sent.key is not null then
      perform from pontual.signals
      where execution_id = sent.run
        and idempotency_key = sent.key;
      answer := case when found then 'sent' end;
    end if;
    if answer is null then
      place := coalesce(place, (pontual.touch(sent.run, false)).place);
      answer := case when place is null then 'unknown' when place = 'results' then 'final' else 'sent' end;
      if answer = 'sent' then
        insert into pontual.signals (execution_id, name, payload, idempotency_key, sent_at)
        values (sent.run, sent.name, sent.payload, sent.key, sending_at)
        on conflict (execution_id, idempotency_key) do nothing;
      end if;
    end if;
    return next;
  end loop;
end
$$;

-- Asks runs that have begun to end themselves, each once. Gives those that were asked, now or before, and where they stood if now. Left out are those that have
-- ended, have not begun or are DIVERGED, and one that moved while it was looked for.
create function pontual.cancel_runs(runs uuid[], reasons text[], requesting_at timestamptz)
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
    select distinct on (request.run) request.run, request.reason
    from unnest(runs, reasons) as request (run, reason)
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
      insert into pontual.cancellations (execution_id, reason, requested_at)
      values (asked.run, asked.reason, requesting_at)
      on conflict do nothing;
      place := standing.place;
    end if;
    return next;
  end loop;
end
$$;

-- All that has come for runs that are held, and clears their mark; where it is asked for also their histories, which counts as a replay. The mark is cleared
-- before anything is read: who commits something later marks the run again. A lease that is locked is being marked, or given up: its mark stays, and
-- nobody is waited for, who may wait for another of these runs.
create function pontual.hear(runs uuid[], epochs integer[], loads boolean, hearing_at timestamptz)
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
          coalesce(result.attempt, 0) as attempt,
          result.output,
          result.error
        from pontual.links
        left join lateral (
          select results.attempt, results.output, results.error
          from pontual.results
          where results.execution_id = links.predecessor_id
          limit 1
        ) as result on true
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

-- Forgets what runs that are held have come to, but for what was sent to them, which is news again. Gives the runs. Nobody takes them until this is committed;
-- they may be marked until the last moment, since who ends a child holds its link and then marks.
create function pontual.forget_runs(runs uuid[], epochs integer[])
returns uuid[]
language plpgsql volatile
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
declare
  held uuid[] := array(
    select leases.execution_id
    from pontual.leases
    where leases.execution_id = any(runs)
      and ((leases.execution_id, leases.epoch) in (select * from unnest(runs, epochs))) is true
    order by leases.execution_id
    for key share
  );
begin
  -- In the order in which ends of children lock them; as text, or they might be read in that order, those of all runs.
  perform from pontual.links
  where successor_id = any(held)
    and is_child
  order by predecessor_id::text collate "C"
  for update;
  delete from pontual.links
  where successor_id = any(held)
    and is_child;
  delete from pontual.history_entries
  where execution_id = any(held);
  delete from pontual.replays
  where execution_id = any(held);
  perform from pontual.leases
  where execution_id = any(held)
  order by execution_id
  for no key update;
  update pontual.leases
  set
    has_news =
      (select true from pontual.signals where execution_id = leases.execution_id and not is_taken limit 1) is true
      or (select true from pontual.cancellations where execution_id = leases.execution_id) is true
  where execution_id = any(held);
  return held;
end
$$;

-- Removes what hangs on executions that are removed, of which some are runs.
create function pontual.remove_runs(removed uuid[], runs uuid[])
returns void
language plpgsql volatile
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
begin
  delete from pontual.checkpoints
  where execution_id = any(removed);
  if cardinality(runs) > 0 then
    delete from pontual.history_entries
    where execution_id = any(runs);
    delete from pontual.signals
    where execution_id = any(runs);
    delete from pontual.cancellations
    where execution_id = any(runs);
    delete from pontual.replays
    where execution_id = any(runs);
  end if;
end
$$;

-- Those of the runs that are taken up which had begun before, and were not lost since. What was written, or followed again, under an epoch shows that the run
-- had begun by then; a copied entry has epoch 0, and shows nothing.
create function pontual.runs_going_on(runs uuid[], epochs integer[])
returns setof uuid
language plpgsql stable rows 10
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
begin
  return query
  select held.execution_id
  from unnest(runs, epochs) as held (execution_id, epoch)
  cross join lateral (
    select greatest(
      (
        select max(history_entries.epoch)
        from pontual.history_entries
        where history_entries.execution_id = held.execution_id
          and history_entries.epoch < held.epoch
      ),
      (
        select max(replays.epoch)
        from pontual.replays
        where replays.execution_id = held.execution_id
          and replays.epoch < held.epoch
      )
    ) as epoch
  ) as begun
  where begun.epoch > coalesce(
    (
      select max(attempts.epoch)
      from pontual.attempts
      where attempts.execution_id = held.execution_id
        and attempts.status = 'LOST'
    ),
    0
  );
end
$$;

-- The history of an execution, and how often each entry was followed again.
create function pontual.read_history(run uuid)
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
language plpgsql stable rows 100
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
begin
  return query
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
  from pontual.history_entries as history
  where history.execution_id = run
  order by history.sequence;
end
$$;

-- Links a run to the children that its history has started and has not seen the end of, and to no others. Each is locked where it stands, so that it cannot
-- end before the link is there for its end to see; or it has ended, or was removed, which counts as cancelled.
create function pontual.relink_children(run uuid)
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

-- Lets a run that is DIVERGED go on from before a call: nothing that is left may wait for calls that are not. False where it is not DIVERGED.
create function pontual.cut_history(run uuid, first integer)
returns boolean
language plpgsql volatile
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
begin
  perform from pontual.delayed
  where execution_id = run
    and divergence is not null
  for update;
  if not found then
    return false;
  end if;
  delete from pontual.history_entries
  where execution_id = run
    and (sequence >= first or (sequence < 0 and calls >= first));
  update pontual.history_entries
  set calls = first - 1
  where execution_id = run
    and calls >= first;
  perform pontual.relink_children(run);
  with taken as (
    delete from pontual.delayed
    where execution_id = run
    returning execution_id, lane, attempt, epoch, priority, job_id
  )
  insert into pontual.ready (lane, attempt, epoch, priority, execution_id, job_id)
  select lane, attempt, epoch, priority, execution_id, job_id
  from taken;
  return true;
end
$$;

-- Begins the history of a run as that of another began before a call. Whoever was doing an activity did so for the other run, and may have been told to end
-- with it.
create function pontual.copy_history(other uuid, first integer, run uuid)
returns void
language plpgsql volatile
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
begin
  insert into pontual.history_entries (
    execution_id,
    sequence,
    epoch,
    position,
    calls,
    attempt,
    started_at,
    due_at,
    ended_at,
    child_id,
    kind,
    status,
    name,
    input,
    output,
    error,
    details
  )
  select
    run,
    history.sequence,
    0,
    history.position,
    least(history.calls, first - 1),
    history.attempt,
    history.started_at,
    history.due_at,
    history.ended_at,
    case when history.status <> 'RUNNING' or history.kind = 'child' then history.child_id end,
    history.kind,
    history.status,
    history.name,
    history.input,
    history.output,
    history.error,
    history.details
  from pontual.history_entries as history
  where history.execution_id = other
    and history.sequence < first
    and (history.sequence >= 0 or history.calls < first);
  perform pontual.relink_children(run);
end
$$;

-- Moves on those that stand behind executions that have just ended, in the transaction of that end: into ready, or to their own end, and so on to
-- those behind them. Runs whose children have ended are told, unless they have just ended too. Gives the ids of those that are ready.
--
-- Why none is missed: it is called after the rows of the ended ones were deleted, and its own statements see all that is committed by then. A
-- link that is committed before is seen here. One that is committed later belongs to a successor that is still to be looked at, and
-- settle_links finds the end.
--
-- Successors are locked in the order of their ids, and before their links.
create or replace function pontual.follow_up(ended uuid[], statuses text[], ended_at timestamptz)
returns uuid[]
language plpgsql volatile
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
declare
  freed uuid[] := '{}';
  behind uuid[];
  over uuid[] := ended;
  moved record;
  told record;
begin
  loop
    behind := array(
      select successor_id
      from pontual.links
      where predecessor_id = any(ended)
        and outcome is null
    );
    exit when cardinality(behind) = 0;
    perform from pontual.delayed
    where execution_id = any(behind)
    order by execution_id
    for update;
    perform from pontual.links
    where predecessor_id = any(ended)
      and outcome is null
    order by predecessor_id, successor_id
    for update;

    -- By those that have ended alone: a run may have many children, and there may be many runs.
    with settled as (
      update pontual.links
      set outcome = end_of.status
      from unnest(ended, statuses) as end_of (id, status)
      where links.predecessor_id = any(ended)
        and links.predecessor_id = end_of.id
        and (links.successor_id = any(behind)) is true
        and links.outcome is null
      returning links.*
    ),
    decided as materialized (
      select
        successor_id,
        count(*)::integer as settled,
        bool_or(is_declared) as is_declared,
        (
          array_agg(
            json_build_object(
              'name', 'NotNeededError',
              'code', 'execution.not_needed',
              'message', format(
                'Execution "%s" ended as %s; this one was to run after its %s.',
                predecessor_id,
                outcome,
                condition
              )
            )::text
            order by place
          ) filter (
            where case condition
              when 'success' then outcome <> 'SUCCESS'
              when 'failure' then outcome not in ('FAILED', 'TIMEOUT')
              else false
            end
          )
        )[1] as unmet
      from settled
      where not is_child
      group by successor_id
    ),
    reduced as (
      update pontual.delayed
      set awaits = awaits - settled
      from decided
      where execution_id = successor_id
        and unmet is null
        and awaits > settled
    ),
    taken as (
      delete from pontual.delayed
      using decided
      where execution_id = successor_id
        and awaits > 0
        and (unmet is not null or awaits <= settled)
      returning execution_id, lane, attempt, epoch, priority, job_id, unmet, is_declared
    ),
    readied as (
      insert into pontual.ready (lane, attempt, epoch, priority, execution_id, job_id)
      select lane, attempt, epoch, priority, execution_id, job_id
      from taken
      where unmet is null
    ),
    recorded as (
      insert into pontual.results (execution_id, status, attempt, epoch, is_reported, finished_at, error)
      select execution_id, 'CANCELLED', attempt, epoch, false, ended_at, unmet
      from taken
      where unmet is not null
        and not is_declared
    ),
    removed as (
      delete from pontual.executions
      where id = any(array(select execution_id from taken where unmet is not null and is_declared))
    )
    select
      coalesce(array_agg(execution_id) filter (where unmet is null), '{}') as freed,
      coalesce(array_agg(execution_id) filter (where unmet is not null), '{}') as ended,
      coalesce(array_agg(execution_id) filter (where unmet is not null and is_declared), '{}') as removed,
      array(select successor_id from settled where is_child and successor_id <> all(over)) as parents
    into moved
    from taken;

    if cardinality(moved.removed) > 0 then
      delete from pontual.links
      where successor_id = any(moved.removed);
      delete from pontual.signals
      where execution_id = any(moved.removed);
    end if;

    if cardinality(moved.parents) > 0 then
      select * into told from pontual.wake(moved.parents);
      freed := freed || told.freed;
      if told.is_marked then
        perform pg_notify('pontual', 'news');
      end if;
    end if;

    freed := freed || moved.freed;
    ended := moved.ended;
    over := over || ended;
    statuses := array_fill('CANCELLED'::text, array[cardinality(ended)]);
  end loop;
  return freed;
end
$$;

-- Lanes of tenants, and of jobs, that have as many leases as they may: a hint, so that they need not be looked at. A durable execution of a job
-- that has begun keeps its place until it ends: those that wait count, unless one may be there that goes on.
create or replace function pontual.full_lanes(asked bigint[])
returns setof bigint
language plpgsql stable rows 10
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set plan_cache_mode = force_generic_plan
as $$
declare
  common integer := (select value::integer from pontual.settings where name = 'tenantConcurrency');
begin
  return query
  select lanes.id
  from pontual.lanes
  join pontual.tenants on tenants.id = lanes.tenant_id
  where lanes.id = any(asked)
    and (
      coalesce(tenants.concurrency, common, -1) >= 0
      and (
        select count(*)
        from pontual.leases
        where pontual.tenant_of(lane) = tenants.id
          and tenant_slot is not null
      ) >= coalesce(tenants.concurrency, common)
      or lanes.job_id is not null
      and (select count(*) from pontual.leases where leases.job_id = lanes.job_id)
        + case
          when (
            select true
            from pontual.ready
            where ready.job_id = lanes.job_id
              and ready.epoch > 0
            order by ready.execution_id
            limit 1
          ) then 0
          else cardinality(array(
            select delayed.execution_id
            from pontual.delayed
            where delayed.job_id = lanes.job_id
              and delayed.is_parked
            order by delayed.execution_id
          ))
        end
        >= (select (definition ->> 'concurrency')::integer from pontual.jobs where jobs.id = lanes.job_id)
    );
end
$$;

-- Free slots of jobs that have lanes of their own. A job that moved to another queue has several, which share its slots: all are given the same.
--
-- A durable execution that has begun keeps its place until it ends. So of the slots those that have not begun get what is left beside all that have:
-- that wait, or are ready to go on. These have every slot that no lease has, and wait for none that waits: where a limit was lowered there are more of
-- them than may run, and they take turns. Those that are ready are given by their place, so that they are found behind any number of others.
drop function pontual.job_slots(bigint[], integer);
create function pontual.job_slots(asked bigint[], most integer)
returns table (lane bigint, slots integer[], is_contended boolean, fresh integer, begun tid[])
language plpgsql volatile rows 10
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set plan_cache_mode = force_generic_plan
as $$
declare
  limited uuid[] := array(
    select distinct lanes.job_id
    from pontual.lanes
    where lanes.id = any(asked)
      and lanes.job_id is not null
  );
  locked uuid[];
begin
  if cardinality(limited) = 0 then
    return;
  end if;
  locked := array(
    select each
    from unnest(limited) as each
    where pg_try_advisory_xact_lock(1886352501, hashtext(each::text))
  );
  return query
  select
    held.lane,
    case
      when not held.is_locked then '{}'
      when held.concurrency is null then null
      else array(
        select number
        from generate_series(1, least(held.concurrency, cardinality(held.used) + most)) as number
        where number <> all(held.used)
        order by number
        limit least(greatest(held.concurrency - held.running, 0), most)
      )
    end,
    not held.is_locked,
    held.concurrency - held.running - held.parked - cardinality(held.begun),
    held.begun
  from (
    select
      own.id as lane,
      own.job_id = any(locked) as is_locked,
      (jobs.definition ->> 'concurrency')::integer as concurrency,
      (select count(*)::integer from pontual.leases where leases.job_id = own.job_id) as running,
      cardinality(array(
        select delayed.execution_id
        from pontual.delayed
        where delayed.job_id = own.job_id
          and delayed.is_parked
        order by delayed.execution_id
      )) as parked,
      array(
        select ready.ctid
        from pontual.ready
        where ready.job_id = own.job_id
          and ready.epoch > 0
          and (select pontual.is_durable(options) from pontual.executions where id = ready.execution_id)
        order by ready.execution_id
      ) as begun,
      array(
        select job_slot
        from pontual.leases
        where leases.job_id = own.job_id
          and job_slot is not null
      ) as used
    from pontual.lanes as own
    left join pontual.jobs on jobs.id = own.job_id
    where own.id = any(asked)
      and own.job_id is not null
  ) as held;
end
$$;

-- Those of a lane at given places, but for those that were seen. Stable on purpose: it sees what the claim sees.
create function pontual.begun_heads(of_lane bigint, places tid[], seen tid[])
returns table (
  place tid,
  lane bigint,
  priority smallint,
  execution_id uuid,
  attempt integer,
  epoch integer,
  job_id uuid
)
language plpgsql stable rows 10
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
begin
  return query
  select ready.ctid, ready.lane, ready.priority, ready.execution_id, ready.attempt, ready.epoch, ready.job_id
  from pontual.ready
  where ready.ctid = any(places)
    and ready.ctid <> all(seen)
    and ready.lane = of_lane;
end
$$;

-- All that is known of an execution, but for its attempts.
create or replace view pontual.execution_records as
select
  executions.id,
  tenants.name as tenant,
  executions.job_id,
  lanes.job_type,
  lanes.queue,
  executions.priority,
  executions.origin,
  executions.payload,
  executions.scheduled_at,
  executions.max_attempts,
  executions.idempotency_key,
  executions.options,
  occurrences.misfire,
  executions.created_at,
  case
    when results.execution_id is not null then results.status
    when leases.execution_id is not null then 'RUNNING'
    when delayed.divergence is not null then 'DIVERGED'
    when delayed.awaits > 0 or delayed.is_parked then 'WAITING'
    else 'QUEUED'
  end as status,
  coalesce(results.attempt, leases.attempt, delayed.attempt, ready.attempt, 0) as attempt,
  coalesce(results.epoch, leases.epoch, delayed.epoch, ready.epoch, 0) as epoch,
  case when delayed.awaits > 0 then null else nullif(delayed.due_at, 'infinity') end as due_at,
  coalesce(results.started_at, leases.claimed_at) as started_at,
  results.finished_at,
  coalesce(results.node_id, leases.node_id) as node_id,
  results.output,
  results.error,
  coalesce(results.progress, leases.progress) as progress,
  coalesce(results.progress_note, leases.progress_note) as progress_note,
  delayed.divergence
from pontual.executions
join pontual.lanes on lanes.id = executions.lane
join pontual.tenants on tenants.id = lanes.tenant_id
left join pontual.ready
  on ready.lane = executions.lane
  and ready.priority = executions.priority
  and ready.execution_id = executions.id
left join pontual.delayed on delayed.execution_id = executions.id
left join pontual.leases on leases.execution_id = executions.id
left join pontual.results on results.execution_id = executions.id
left join pontual.occurrences
  on occurrences.job_id = executions.job_id
  and occurrences.scheduled_at = executions.scheduled_at
  and occurrences.execution_id = executions.id;

-- These come and go: the room of such rows stays, as that of others that empty themselves.
insert into pontual.signals (id, execution_id, name, sent_at)
overriding system value
select -n, ('00000000-0000-0000-0000-' || to_char(n, 'FM000000000000'))::uuid, '', 'epoch'
from generate_series(1, 8000) as n;
delete from pontual.signals;

insert into pontual.links (successor_id, place, predecessor_id, condition, is_declared)
select id, 0, id, 'end', false
from generate_series(1, 8000) as n
cross join lateral (
  select ('00000000-0000-0000-0000-' || to_char(n, 'FM000000000000'))::uuid as id
) as filler;
delete from pontual.links
where successor_id <= '00000000-0000-0000-0000-000000008000';

insert into pontual.cancellations (execution_id, requested_at)
select ('00000000-0000-0000-0000-' || to_char(n, 'FM000000000000'))::uuid, 'epoch'
from generate_series(1, 4000) as n;
delete from pontual.cancellations;

insert into pontual.replays (execution_id, epoch, replayed_at)
select ('00000000-0000-0000-0000-' || to_char(n, 'FM000000000000'))::uuid, 0, 'epoch'
from generate_series(1, 4000) as n;
delete from pontual.replays;

insert into pontual.checkpoints (execution_id, state, saved_at)
select ('00000000-0000-0000-0000-' || to_char(n, 'FM000000000000'))::uuid, '', 'epoch'
from generate_series(1, 4000) as n;
delete from pontual.checkpoints;
