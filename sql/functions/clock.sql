-- The time that rules: a test's own, else the database's; in whole milliseconds, so that a reader's reckoning agrees.
create or replace function pontual.clock(test_ms double precision)
returns timestamptz
language sql stable parallel safe
as $$ select coalesce(pontual.from_ms(test_ms), date_trunc('milliseconds', statement_timestamp())) $$;
