create or replace function pontual.instant_of_uuid(id uuid)
returns timestamptz
language sql stable strict parallel safe
as $$ select to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0) $$;
