-- What is partitioned by the id of an execution, and the name of that column.
create or replace function pontual.archived_tables()
returns table (title text, key text)
language sql immutable
as $$
  values
    ('executions', 'id'),
    ('results', 'execution_id'),
    ('attempts', 'execution_id'),
    ('execution_logs', 'execution_id'),
    ('history_entries', 'execution_id')
$$;
