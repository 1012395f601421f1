create or replace function pontual.require_engine()
returns void
language plpgsql stable
as $$
begin
  if current_setting('role') = 'pontual_api' or session_user = 'pontual_api' then
    raise exception 'Only who runs the engine may do this.'
    using errcode = 'insufficient_privilege';
  end if;
end
$$;
