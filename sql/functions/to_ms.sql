-- The engine's tables. Nothing existed before, so nothing is unsafe while old nodes run.
--
-- Status is where an execution stands, not a column: its body is written once, and it moves from ready or delayed
-- through leases to results. Each move deletes from one table and inserts into the next in one statement.
--
-- JSON that is only kept for its readers is text: jsonb refuses what JSON allows (\u0000, half a surrogate pair), and
-- an error message must never be what fails a batch. Names are in the order of their code points ("C"), as elsewhere.
create or replace function pontual.to_ms(instant timestamptz)
returns double precision
language sql stable strict parallel safe
as $$ select round(date_part('epoch', instant) * 1000) $$;
