-- The smallest id of an instant, and back: where a month of ids begins.
create or replace function pontual.first_uuid_at(instant timestamptz)
returns uuid
language sql stable strict parallel safe
as $$ select rpad(lpad(to_hex(pontual.to_ms(instant)::bigint), 12, '0'), 32, '0')::uuid $$;
