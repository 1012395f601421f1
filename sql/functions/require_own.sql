-- What an end and a removal take with them is found by ids of things that may be gone by then, and nobody could say any more whose they were. Both are done as
-- the owner; who asks for one tenant is refused where one of them is there and another's.
create or replace function pontual.require_own(things uuid[])
returns void
language plpgsql volatile
as $$
begin
  if (current_setting('role') = 'pontual_api' or session_user = 'pontual_api') and exists (
    select
    from unnest(things) as each (id)
    where (pontual.owner_of_execution(each.id) <> coalesce(pontual.own_tenant_id(), 0)) is true
  ) then
    raise exception 'What is of another tenant is refused.'
    using errcode = 'insufficient_privilege';
  end if;
end
$$;
