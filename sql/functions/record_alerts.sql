-- Keeps where figures stand, opens alerts and closes them, each where the figure still stands as whoever decided saw it. Gives the alerts that were opened or
-- closed. In the order of the figures, so that two who do this at once wait for one another.
create or replace function pontual.record_alerts(changes jsonb)
returns setof uuid
language plpgsql volatile rows 10
as $$
declare
  change jsonb;
  own_key record;
  was jsonb;
  becomes jsonb;
  alert jsonb;
begin
  for change in
    select each
    from jsonb_array_elements(changes) as each
    order by each ->> 'tenant' collate "C", each ->> 'scope', each ->> 'kind'
  loop
    select change ->> 'tenant' as tenant, change ->> 'scope' as scope, change ->> 'kind' as kind into own_key;
    was := nullif(change -> 'before', 'null');
    becomes := nullif(change -> 'after', 'null');
    if was is null and becomes is not null then
      insert into pontual.alert_states (tenant, scope, kind, alert_id, high_since, low_since)
      values (
        own_key.tenant,
        own_key.scope,
        own_key.kind,
        (becomes ->> 'alertId')::uuid,
        pontual.from_ms((becomes ->> 'highSince')::float8),
        pontual.from_ms((becomes ->> 'lowSince')::float8)
      )
      on conflict do nothing;
    elsif becomes is null then
      delete from pontual.alert_states
      where alert_states.tenant = own_key.tenant
        and alert_states.scope = own_key.scope
        and alert_states.kind = own_key.kind
        and alert_states.alert_id is not distinct from (was ->> 'alertId')::uuid
        and alert_states.high_since is not distinct from pontual.from_ms((was ->> 'highSince')::float8)
        and alert_states.low_since is not distinct from pontual.from_ms((was ->> 'lowSince')::float8);
    else
      update pontual.alert_states
      set
        alert_id = (becomes ->> 'alertId')::uuid,
        high_since = pontual.from_ms((becomes ->> 'highSince')::float8),
        low_since = pontual.from_ms((becomes ->> 'lowSince')::float8)
      where alert_states.tenant = own_key.tenant
        and alert_states.scope = own_key.scope
        and alert_states.kind = own_key.kind
        and alert_states.alert_id is not distinct from (was ->> 'alertId')::uuid
        and alert_states.high_since is not distinct from pontual.from_ms((was ->> 'highSince')::float8)
        and alert_states.low_since is not distinct from pontual.from_ms((was ->> 'lowSince')::float8);
    end if;
    continue when not found;
    alert := nullif(change -> 'opens', 'null');
    if alert is not null then
      insert into pontual.alerts (id, tenant, scope, kind, value, threshold, since, opened_at)
      values (
        (alert ->> 'id')::uuid,
        own_key.tenant,
        own_key.scope,
        own_key.kind,
        (alert ->> 'value')::float8,
        (alert ->> 'threshold')::float8,
        pontual.from_ms((alert ->> 'since')::float8),
        pontual.from_ms((alert ->> 'openedAt')::float8)
      )
      on conflict do nothing;
      if found then
        return next (alert ->> 'id')::uuid;
      end if;
    end if;
    alert := nullif(change -> 'closes', 'null');
    if alert is not null then
      update pontual.alerts
      set
        closed_at = pontual.from_ms((alert ->> 'at')::float8),
        outcome = alert ->> 'outcome'
      where id = (alert ->> 'id')::uuid
        and closed_at is null;
      if found then
        return next (alert ->> 'id')::uuid;
      end if;
    end if;
  end loop;
end
$$;
