create or replace function pontual.follow_up(ended uuid[], statuses text[], ended_at timestamptz)
returns uuid[]
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform pontual.require_own(ended);
  return pontual.follow_up_of_any(ended, statuses, ended_at);
end
$$;
