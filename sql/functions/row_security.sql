-- Whether row security is on, and what the current role may do with it.
create or replace function pontual.row_security(out is_on boolean, out is_engine boolean, out may_act_for_tenants boolean)
language sql stable
as $$
  select
    (select relrowsecurity from pg_class where oid = 'pontual.jobs'::regclass),
    coalesce((select pg_has_role(oid, 'usage') from pg_roles where rolname = 'pontual_engine'), false),
    pontual.may_become(current_user, 'pontual_api')
      and not (select rolsuper or rolbypassrls from pg_roles where rolname = 'pontual_api')
$$;
