-- What is kept for five years is kept from who runs the engine too. The time is the database's own; another one counts only from who could drop the tables
-- anyway.
create or replace function pontual.retention_clock(test_ms double precision)
returns timestamptz
language sql stable
as $$
  select case
    when pg_has_role(session_user, (select relowner from pg_class where oid = 'pontual.audit_archive'::regclass), 'usage')
      then pontual.clock(test_ms)
    else pontual.clock(null)
  end
$$;
