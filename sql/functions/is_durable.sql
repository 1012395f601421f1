-- Whether what is done is recorded step by step. The text is JSON without blanks, and a quote inside of a value has a backslash before it.
create or replace function pontual.is_durable(options text)
returns boolean
language sql immutable parallel safe
as $$ select coalesce(strpos(options, '"durable":true') > 0, false) $$;
