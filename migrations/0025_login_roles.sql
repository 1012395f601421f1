-- A login role that owns nothing can do all that a node does: partitions of the coming months are created by a function that runs as the owner of the tables,
-- and new tables are granted to the login roles of nodes. The setting that turns the audit log on can no longer be changed or removed.
--
-- Safe while old nodes run: an old node creates partitions itself, under the same lock and with the same names. Nothing that nodes do changes or removes the
-- setting of the audit log.

-- Creates the partition of a month. It is attached rather than created in place, which would lock out every reader and writer of the table.
create function pontual.add_partition(parent text, month timestamp)
returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '250ms'
as $$
declare
  part text := parent || to_char(month, '_YYYY_MM');
  since timestamptz := date_trunc('month', month) at time zone 'UTC';
  until timestamptz := (date_trunc('month', month) + interval '1 month') at time zone 'UTC';
  is_audit boolean := parent = 'audit_entries';
begin
  perform pontual.require_engine();
  if not is_audit and parent not in (select title from pontual.archived_tables()) then
    raise exception 'The table % has no partitions.', parent
    using errcode = 'invalid_parameter_value';
  end if;
  perform pg_advisory_xact_lock(hashtext('pontual.partitions'));
  execute format('create table pontual.%I (like pontual.%I including all)', part, parent);
  if is_audit then
    -- A trigger of the table does not fire for a statement that names a partition.
    execute format(
      'create trigger audit_entries_append_only before update or delete or truncate on pontual.%I
      for each statement execute function pontual.refuse_to_rewrite()',
      part
    );
  else
    perform pontual.make_room_in(parent, part, pontual.first_uuid_at(since));
  end if;
  execute format(
    'alter table pontual.%I attach partition pontual.%I for values from (%L) to (%L)',
    parent,
    part,
    case when is_audit then since::text else pontual.first_uuid_at(since)::text end,
    case when is_audit then until::text else pontual.first_uuid_at(until)::text end
  );
  if (select is_on from pontual.row_security()) then
    perform pontual.secure_table(to_regclass(format('pontual.%I', part)));
  end if;
end
$$;

-- Without this setting no entry is written to the audit log.
create trigger audit_stays_on
before update or delete on pontual.settings
for each row when (old.name = 'audit')
execute function pontual.refuse_to_rewrite();

create trigger settings_stay
before truncate on pontual.settings
for each statement execute function pontual.refuse_to_rewrite();

-- Grants every table to the login roles of nodes: to members of pontual_engine that may read, insert, update and delete jobs. Of the audit log and the list of
-- migrations they are granted reading only; what was granted before is left as it is. Partitions are used through their tables, except for the default ones.
create function pontual.share_tables()
returns void
language plpgsql volatile
as $$
declare
  shared record;
begin
  for shared in
    select pg_class.relname as title, node.grantee, needed.privileges
    from (
      select acl.grantee
      from pg_class as jobs
      cross join lateral aclexplode(jobs.relacl) as acl
      where jobs.oid = 'pontual.jobs'::regclass
        and acl.grantee not in (0, jobs.relowner)
        and acl.privilege_type in ('SELECT', 'INSERT', 'UPDATE', 'DELETE')
        and pg_has_role(acl.grantee, (select pg_roles.oid from pg_roles where rolname = 'pontual_engine'), 'usage')
      group by acl.grantee
      having count(distinct acl.privilege_type) = 4
    ) as node
    cross join pg_class
    cross join lateral (
      select case
        when pg_class.relkind = 'v' or relname = 'schema_migrations' or relname like 'audit\_%' then array['SELECT']
        else array['SELECT', 'INSERT', 'UPDATE', 'DELETE']
      end as privileges
    ) as needed
    where pg_class.relnamespace = 'pontual'::regnamespace
      and pg_class.relkind in ('r', 'p', 'v')
      and (not pg_class.relispartition or pg_class.relname like '%\_default')
      and not needed.privileges <@ array(
        select acl.privilege_type
        from aclexplode(pg_class.relacl) as acl
        where acl.grantee = node.grantee
      )
    order by 1, 2
  loop
    execute format(
      'grant %s on pontual.%I to %I',
      array_to_string(shared.privileges, ', '),
      shared.title,
      pg_get_userbyid(shared.grantee)
    );
  end loop;
end
$$;

alter function pontual.secure_rows() rename to secure_all_rows;

-- To be called by a migration that makes tables, and once the roles are there: switches row security on (0008), and grants the tables to login roles. Returns
-- what an administrator has to do first; null where row security is on.
create function pontual.secure_rows()
returns text
language plpgsql volatile
as $$
declare
  remedy text := pontual.secure_all_rows();
begin
  perform pontual.share_tables();
  return remedy;
end
$$;

select pontual.secure_rows();
