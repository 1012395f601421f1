-- The tenant that is asked for; null, and so no rows, where none is. Roles belong to all databases of a server: that somebody may take on pontual_api
-- says nothing about this one. Who works with this one may read its migrations, as neither of the two roles may.
create or replace function pontual.own_tenant()
returns text
language sql stable parallel safe
as $$
  select nullif(current_setting('pontual.tenant', true), '')
  where has_table_privilege(session_user, 'pontual.schema_migrations', 'select')
$$;
