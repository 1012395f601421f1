-- Makes the two roles, and members of them all who could read jobs before. What is not allowed is left out. Another database of the server may be at it
-- at the same moment: who comes second finds it done.
create or replace function pontual.make_roles()
returns void
language plpgsql volatile
as $$
declare
  made text;
  member name;
begin
  foreach made in array array['pontual_engine', 'pontual_api'] loop
    begin
      if not exists (select from pg_roles where rolname = made) then
        execute format('create role %I nologin', made);
      end if;
    exception
      when duplicate_object or unique_violation or insufficient_privilege then null;
    end;
  end loop;
  if (select count(*) < 2 from pg_roles where rolname in ('pontual_engine', 'pontual_api')) then
    return;
  end if;
  for member in
    select rolname
    from pg_roles
    where not rolsuper
      and rolname not in ('pontual_engine', 'pontual_api')
      and oid in (
        select relowner
        from pg_class
        where oid = 'pontual.jobs'::regclass
        union all
        select acl.grantee
        from pg_class
        cross join lateral aclexplode(relacl) as acl
        where pg_class.oid = 'pontual.jobs'::regclass
      )
    order by rolname
  loop
    begin
      if not pg_has_role(member, 'pontual_engine', 'usage') then
        execute format('grant pontual_engine to %I', member);
      end if;
      if not pontual.may_become(member, 'pontual_api') then
        -- What it may do is for who has taken it on. Before PostgreSQL 16 a membership cannot be told so.
        execute format(
          'grant pontual_api to %I %s',
          member,
          case when current_setting('server_version_num')::integer >= 160000 then 'with inherit false' end
        );
      end if;
    exception
      when duplicate_object or unique_violation or internal_error or insufficient_privilege then null;
    end;
  end loop;
end
$$;
