-- Switches row security on for all tables. Returns the SQL that an administrator has to run first; null if it is on.
create or replace function pontual.secure_all_rows()
returns text
language plpgsql volatile
as $$
declare
  secured regclass;
  done_as_owner regprocedure;
  state record;
begin
  perform pontual.make_roles();
  select * into state from pontual.row_security();
  if not state.is_engine or not state.may_act_for_tenants then
    return concat_ws(
      ' ',
      case when not exists (select from pg_roles where rolname = 'pontual_engine') then 'create role pontual_engine nologin;' end,
      case
        when not exists (select from pg_roles where rolname = 'pontual_api') then 'create role pontual_api nologin;'
        when (select rolsuper or rolbypassrls from pg_roles where rolname = 'pontual_api') then 'alter role pontual_api nosuperuser nobypassrls;'
      end,
      format('grant pontual_engine to %I;', current_user),
      format(
        case
          when current_setting('server_version_num')::integer >= 160000 then 'grant pontual_api to %I with inherit false;'
          else 'grant pontual_api to %I;'
        end,
        current_user
      )
    );
  end if;
  grant usage on schema pontual to pontual_api;
  for secured in
    select pg_class.oid::regclass
    from pg_class
    where relnamespace = 'pontual'::regnamespace
      and relkind in ('r', 'p')
      and relname not like 'schema\_%'
    order by relispartition, relname
  loop
    perform pontual.secure_table(secured);
  end loop;
  grant select on pontual.execution_records to pontual_api;
  -- What is done as the owner of the tables is for nobody else.
  for done_as_owner in
    select pg_proc.oid::regprocedure
    from pg_proc
    where pronamespace = 'pontual'::regnamespace
      and prosecdef
    order by proname
  loop
    execute format('revoke execute on function %s from public', done_as_owner);
    execute format('grant execute on function %s to pontual_engine, pontual_api', done_as_owner);
  end loop;
  return null;
end
$$;
