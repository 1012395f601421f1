-- Where contents stand, by table, what tells the rows of one execution apart, and column.
create or replace function pontual.content_columns()
returns table (title text, part text, content text)
language sql immutable parallel safe
as $$
  values
    ('executions', null, 'payload'),
    ('results', null, 'output'),
    ('results', null, 'error'),
    ('results', null, 'progress_note'),
    ('attempts', 'epoch', 'error'),
    ('history_entries', 'sequence', 'input'),
    ('history_entries', 'sequence', 'output'),
    ('history_entries', 'sequence', 'error'),
    ('history_entries', 'sequence', 'details'),
    ('signals', 'id', 'payload'),
    ('checkpoints', null, 'state'),
    ('execution_logs', 'sequence', 'message'),
    ('execution_logs', 'sequence', 'fields')
$$;
