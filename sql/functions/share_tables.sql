-- Grants every table to the login roles of nodes: to members of pontual_engine that may read, insert, update and delete jobs. They may only read the audit log
-- and the lists of migrations and functions; earlier grants stay. Partitions are used through their tables, except for the default ones.
create or replace function pontual.share_tables()
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
        when pg_class.relkind = 'v' or relname like 'schema\_%' or relname like 'audit\_%' then array['SELECT']
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
