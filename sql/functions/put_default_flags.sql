-- Switches flags for all tenants of which nothing else is said; null for what holds by itself.
create or replace function pontual.put_default_flags(flags text[], are_on boolean[])
returns void
language plpgsql volatile
as $$
begin
  if 'JOBS_SCHEDULING' = any(flags) then
    perform pg_advisory_xact_lock(1886352499, 0);
  end if;
  delete from pontual.settings
  using unnest(flags, are_on) as wanted (flag, is_on)
  where settings.name = 'flag.' || wanted.flag
    and wanted.is_on is null;
  insert into pontual.settings (name, value)
  select 'flag.' || wanted.flag, to_jsonb(wanted.is_on)
  from unnest(flags, are_on) as wanted (flag, is_on)
  where wanted.is_on is not null
  order by 1
  on conflict (name) do update
  set value = excluded.value;
end
$$;
