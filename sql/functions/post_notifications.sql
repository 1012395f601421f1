-- Keeps events; those that are known by their ids stay as they are. As the owner, so that who speaks for a tenant can add to what it is told of, and nothing else.
create or replace function pontual.post_notifications(
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
