-- Keeps signals for those that have not ended, in the order given for each. One that was sent before under its key is sent, and wakes nobody. Gives an answer for
-- each, and where its run stood where it was told.
create or replace function pontual.send_signals(
  runs uuid[],
  names text[],
  payloads text[],
  keys text[],
  sending_at timestamptz
)
returns table (turn bigint, answer text, place text)
language plpgsql volatile rows 10
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
