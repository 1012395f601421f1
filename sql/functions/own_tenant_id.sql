-- Asked many times in a statement, once for each table: who enters a tenant looks its number up and notes it before the name. A note about another tenant is
-- none, and neither is that of a tenant which was not there yet.
create or replace function pontual.own_tenant_id()
returns integer
language plpgsql stable parallel safe
as $$
declare
  tenant text := pontual.own_tenant();
  note text := current_setting('pontual.tenant_id', true);
begin
  if substr(note, strpos(note, ' ') + 1) = tenant then
    return left(note, strpos(note, ' ') - 1)::integer;
  end if;
  return (select tenants.id from pontual.tenants where tenants.name = tenant);
end
$$;
