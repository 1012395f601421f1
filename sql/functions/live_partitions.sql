-- The partitions of a month of executions, or the one of a part of the audit log, that are not in the archive, and what each is a partition of.
create or replace function pontual.live_partitions(part_kind text, part_name text)
returns table (parent text, partition regclass)
language sql stable
as $$
  select parent.title, pg_class.oid::regclass
  from (
    select title, title || '_' || part_name
    from pontual.archived_tables()
    where part_kind = 'executions'
    union all
    select 'audit_entries', part_name
    where part_kind = 'audit'
  ) as parent (title, name)
  join pg_class on pg_class.oid = to_regclass(format('pontual.%I', parent.name))
  join pg_inherits
    on inhrelid = pg_class.oid
    and inhparent = to_regclass(format('pontual.%I', parent.title))
$$;
