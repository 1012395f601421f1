-- Whether there is such a thing, of whatever tenant.
create or replace function pontual.is_there(kind text, thing text)
returns boolean
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return case kind
    when 'job' then exists (select from pontual.jobs where jobs.id = thing::uuid)
    when 'execution' then pontual.owner_of_execution(thing::uuid) is not null
    when 'apiKey' then exists (select from pontual.api_keys where api_keys.id = thing)
  end;
exception
  when invalid_text_representation then
    return false;
end
$$;
