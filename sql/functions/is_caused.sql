-- An end that another end has caused. It is written while that one still locks what it needs.
create or replace function pontual.is_caused(status text, is_reported boolean, error text)
returns boolean
language sql immutable parallel safe
as $$ select status = 'CANCELLED' and not is_reported and strpos(error, '"execution.not_needed"') > 0 $$;
