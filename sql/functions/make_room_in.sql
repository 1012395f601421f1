-- Gives a partition of what is recorded of executions 100 pages, by rows that are deleted at once; their ids begin with that of the month.
create or replace function pontual.make_room_in(parent text, part text, first_id uuid)
returns void
language plpgsql volatile
as $$
declare
  key text := case parent when 'executions' then 'id' else 'execution_id' end;
  last_id uuid := (left(first_id::text, 24) || '000000000400')::uuid;
begin
  if parent = 'audit_entries' then
    return;
  end if;
  execute format('alter table pontual.%I set (vacuum_truncate = off)', part);
  execute format(
    'insert into pontual.%I (%I, %s) select (left($1::text, 24) || to_char(n, ''FM000000000000''))::uuid, %s from generate_series(1, 400) as n',
    part,
    key,
    case parent
      when 'executions' then 'lane, priority, payload, origin, max_attempts, created_at'
      when 'results' then 'output, status, attempt, epoch, is_reported, finished_at'
      when 'attempts' then 'error, attempt, epoch, status, node_id, started_at, ended_at'
      when 'execution_logs' then 'message, sequence, attempt, at, level'
      when 'history_entries' then 'output, sequence, epoch, calls, attempt, started_at, kind, status, name'
    end,
    case parent
      when 'executions' then '0, 1, repeat(''-'', 1800), ''enqueue'', 0, ''epoch'''
      when 'results' then 'repeat(''-'', 1800), ''SUCCESS'', 0, 0, true, ''epoch'''
      when 'attempts' then 'repeat(''-'', 1800), 0, 0, ''FAILED'', $1, ''epoch'', ''epoch'''
      when 'execution_logs' then 'repeat(''-'', 1800), 0, 0, ''epoch'', 0'
      when 'history_entries' then 'repeat(''-'', 1800), 0, 0, 0, 0, ''epoch'', ''activity'', ''COMPLETED'', '''''
    end
  )
  using first_id;
  execute format('delete from pontual.%I where %I between (left($1::text, 24) || ''000000000001'')::uuid and $2', part, key)
  using first_id, last_id;
end
$$;
