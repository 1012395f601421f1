-- Row security holds tables to tenants, and this one has none: it is the engine's to write.
create or replace function pontual.refuse_tenants()
returns trigger
language plpgsql
as $$
begin
  if current_setting('role') = 'pontual_api' or session_user = 'pontual_api' then
    raise exception 'Only who runs the engine may write this.'
    using errcode = 'insufficient_privilege';
  end if;
  return null;
end
$$;
