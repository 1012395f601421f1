-- Whether it is one of the tenant that is asked for.
create or replace function pontual.is_own_archived(execution uuid)
returns boolean
language plpgsql stable strict parallel safe
as $$
begin
  return pontual.may_be_archived(execution)
    and exists (select from pontual.executions_archive where id = execution);
end
$$;
