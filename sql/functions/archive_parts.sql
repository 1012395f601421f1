-- The months of executions, by their number, and the parts of the audit log, by their name: where each is, and of which time.
create or replace function pontual.archive_parts()
returns table (kind text, part text, is_archived boolean, from_at timestamptz, to_at timestamptz)
language sql stable
as $$
  select
    found.kind,
    case found.kind when 'executions' then substr(found.relname, 12) else found.relname end,
    found.is_archived,
    case
      when found.bounds[1] = 'MINVALUE' then '-infinity'::timestamptz
      when found.kind = 'executions' then pontual.instant_of_uuid(found.bounds[1]::uuid)
      else found.bounds[1]::timestamptz
    end,
    case
      when found.kind = 'executions' then pontual.instant_of_uuid(found.bounds[2]::uuid)
      else found.bounds[2]::timestamptz
    end
  from (
    select
      parent.kind,
      parent.is_archived,
      pg_class.relname::text as relname,
      regexp_match(pg_get_expr(relpartbound, pg_class.oid), 'FROM \(''?([^'')]+)''?\) TO \(''?([^'')]+)''?\)') as bounds
    from (
      values
        ('executions', false, 'pontual.executions'::regclass),
        ('executions', true, 'pontual.executions_archive'),
        ('audit', false, 'pontual.audit_entries'),
        ('audit', true, 'pontual.audit_archive')
    ) as parent (kind, is_archived, id)
    join pg_inherits on inhparent = parent.id
    join pg_class on pg_class.oid = inhrelid
  ) as found
  where found.bounds is not null
$$;
