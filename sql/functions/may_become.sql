-- Whether a role may take on another. Before PostgreSQL 16 every member may.
create or replace function pontual.may_become(member name, other name)
returns boolean
language sql stable
as $$
  select coalesce(
    (
      select pg_has_role(member, oid, case when current_setting('server_version_num')::integer >= 160000 then 'set' else 'member' end)
      from pg_roles
      where rolname = other
    ),
    false
  )
$$;
