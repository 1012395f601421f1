create or replace function pontual.from_ms(ms double precision)
returns timestamptz
language sql immutable strict parallel safe
as $$ select to_timestamp(ms / 1000) $$;
