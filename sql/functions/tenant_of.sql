create or replace function pontual.tenant_of(lane bigint)
returns integer
language sql immutable strict parallel safe
as $$ select (lane >> 20)::integer $$;
