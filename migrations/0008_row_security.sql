-- Row security: who asks for a tenant (role pontual_api, with the setting pontual.tenant) sees and writes that tenant's rows and no others, also
-- where a statement names no tenant. Who runs the engine (role pontual_engine) sees all.
--
-- Safe while old nodes run: whoever could read pontual.jobs is made a member of pontual_engine. All tables are locked for a moment. Where roles may not be
-- created nothing changes, and pontual.secure_rows() says what an administrator has to do.

-- The tenant that is asked for; null, and so no rows, where none is. Roles belong to all databases of a server: that somebody may take on pontual_api
-- says nothing about this one. Who works with this one may read its migrations, as neither of the two roles may.
create function pontual.own_tenant()
returns text
language sql stable parallel safe
as $$
  select nullif(current_setting('pontual.tenant', true), '')
  where has_table_privilege(session_user, 'pontual.schema_migrations', 'select')
$$;

-- Asked many times in a statement, once for each table: who enters a tenant looks its number up and notes it before the name. A note about another tenant is
-- none, and neither is that of a tenant which was not there yet.
create function pontual.own_tenant_id()
returns integer
language plpgsql stable parallel safe
as $$
declare
  tenant text := pontual.own_tenant();
  note text := current_setting('pontual.tenant_id', true);
begin
  if substr(note, strpos(note, ' ') + 1) = tenant then
    return left(note, strpos(note, ' ') - 1)::integer;
  end if;
  return (select tenants.id from pontual.tenants where tenants.name = tenant);
end
$$;

-- Whose a thing is; null where there is none, and not where it is another's. They are asked for each row: to set the search path each time would take longer
-- than the rest, so that their operators name their schema.
create function pontual.owner_of_execution(execution uuid)
returns integer
language plpgsql stable parallel safe security definer
as $$
begin
  return (
    select (executions.lane operator(pg_catalog.>>) 20)::pg_catalog.int4
    from pontual.executions
    where executions.id operator(pg_catalog.=) execution
  );
end
$$;

create function pontual.owner_of_job(job uuid)
returns text
language plpgsql stable parallel safe security definer
as $$
begin
  return (select jobs.tenant from pontual.jobs where jobs.id operator(pg_catalog.=) job);
end
$$;

-- Whether there is such a thing, of whatever tenant.
create function pontual.is_there(kind text, thing text)
returns boolean
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return case kind
    when 'job' then exists (select from pontual.jobs where jobs.id = thing::uuid)
    when 'execution' then exists (select from pontual.executions where executions.id = thing::uuid)
    when 'apiKey' then exists (select from pontual.api_keys where api_keys.id = thing)
  end;
exception
  when invalid_text_representation then
    return false;
end
$$;

-- What an end and a removal take with them is found by ids of things that may be gone by then, and nobody could say any more whose they were. Both are done as
-- the owner; who asks for one tenant is refused where one of them is there and another's.
create function pontual.require_own(things uuid[])
returns void
language plpgsql volatile
as $$
begin
  if (current_setting('role') = 'pontual_api' or session_user = 'pontual_api') and exists (
    select
    from unnest(things) as each (id)
    where (pontual.owner_of_execution(each.id) <> coalesce(pontual.own_tenant_id(), 0)) is true
  ) then
    raise exception 'What is of another tenant is refused.'
    using errcode = 'insufficient_privilege';
  end if;
end
$$;

alter function pontual.follow_up(uuid[], text[], timestamptz) rename to follow_up_of_any;
create function pontual.follow_up(ended uuid[], statuses text[], ended_at timestamptz)
returns uuid[]
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform pontual.require_own(ended);
  return pontual.follow_up_of_any(ended, statuses, ended_at);
end
$$;

-- Removes what hangs on executions that are removed, of which some are runs.
create or replace function pontual.remove_runs(removed uuid[], runs uuid[])
returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
begin
  perform pontual.require_own(removed || runs);
  delete from pontual.checkpoints
  where execution_id = any(removed);
  delete from pontual.execution_numbers
  where execution_id = any(removed);
  if cardinality(runs) > 0 then
    delete from pontual.history_entries
    where execution_id = any(runs);
    delete from pontual.signals
    where execution_id = any(runs);
    delete from pontual.cancellations
    where execution_id = any(runs);
    delete from pontual.replays
    where execution_id = any(runs);
  end if;
end
$$;

-- All that is known of an execution, but for its attempts. The view reads through a function, which reads as whoever asks: a view by itself reads as its
-- owner, on PostgreSQL 14 always.
create type pontual.execution_record as (
  id uuid,
  tenant text collate "C",
  job_id uuid,
  job_type text collate "C",
  queue text collate "C",
  priority smallint,
  origin text,
  payload text,
  scheduled_at timestamptz,
  max_attempts integer,
  idempotency_key text,
  options text,
  misfire jsonb,
  created_at timestamptz,
  status text,
  attempt integer,
  epoch integer,
  due_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  node_id uuid,
  output text,
  error text,
  progress double precision,
  progress_note text,
  divergence text,
  cached_from uuid
);

create function pontual.read_executions()
returns setof pontual.execution_record
language sql stable
as $$
select
  executions.id,
  tenants.name,
  executions.job_id,
  lanes.job_type,
  lanes.queue,
  executions.priority,
  executions.origin,
  executions.payload,
  executions.scheduled_at,
  executions.max_attempts,
  executions.idempotency_key,
  executions.options,
  occurrences.misfire,
  executions.created_at,
  case
    when results.execution_id is not null then results.status
    when leases.execution_id is not null then 'RUNNING'
    when delayed.divergence is not null then 'DIVERGED'
    when delayed.awaits > 0 or delayed.is_parked then 'WAITING'
    else 'QUEUED'
  end,
  coalesce(results.attempt, leases.attempt, delayed.attempt, ready.attempt, 0),
  coalesce(results.epoch, leases.epoch, delayed.epoch, ready.epoch, 0),
  case when delayed.awaits > 0 then null else nullif(delayed.due_at, 'infinity') end,
  coalesce(results.started_at, leases.claimed_at),
  results.finished_at,
  coalesce(results.node_id, leases.node_id),
  results.output,
  results.error,
  coalesce(results.progress, leases.progress),
  coalesce(results.progress_note, leases.progress_note),
  delayed.divergence,
  results.cached_from
from pontual.executions
join pontual.lanes on lanes.id = executions.lane
join pontual.tenants on tenants.id = lanes.tenant_id
left join pontual.ready
  on ready.lane = executions.lane
  and ready.priority = executions.priority
  and ready.execution_id = executions.id
left join pontual.delayed on delayed.execution_id = executions.id
left join pontual.leases on leases.execution_id = executions.id
left join pontual.results on results.execution_id = executions.id
left join pontual.occurrences
  on occurrences.job_id = executions.job_id
  and occurrences.scheduled_at = executions.scheduled_at
  and occurrences.execution_id = executions.id
$$;

create or replace view pontual.execution_records as
select *
from pontual.read_executions();

-- Whether a role may take on another. Before PostgreSQL 16 every member may.
create function pontual.may_become(member name, other name)
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

-- Whether row security is on, and what the current role may do with it.
create function pontual.row_security(out is_on boolean, out is_engine boolean, out may_act_for_tenants boolean)
language sql stable
as $$
  select
    (select relrowsecurity from pg_class where oid = 'pontual.jobs'::regclass),
    coalesce((select pg_has_role(oid, 'usage') from pg_roles where rolname = 'pontual_engine'), false),
    pontual.may_become(current_user, 'pontual_api')
      and not (select rolsuper or rolbypassrls from pg_roles where rolname = 'pontual_api')
$$;

-- Makes the two roles, and members of them all who could read jobs before. What is not allowed is left out. Another database of the server may be at it
-- at the same moment: who comes second finds it done.
create function pontual.make_roles()
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

-- Holds a table to its tenants. One of its columns says whose a row is. Where that is an execution or a job, one that is made by the same
-- statement is not there yet: what is nobody else's may be written.
create function pontual.secure_table(secured regclass)
returns void
language plpgsql volatile
as $$
declare
  columns text[] := array(
    select attname::text
    from pg_attribute
    where attrelid = secured
      and attnum > 0
      and not attisdropped
  );
  title text := (select relname from pg_class where oid = secured);
  is_partition boolean := (select relispartition from pg_class where oid = secured);
  is_readable_only boolean := title in (
    'nodes',
    'settings',
    'audit_entries',
    'audit_heads',
    'execution_numbers'
  );
  visible text;
  writable text;
begin
  case
    when title = 'tenants' then
      visible := 'name = (select pontual.own_tenant())';
    when title = 'lanes' then
      visible := 'tenant_id = (select pontual.own_tenant_id())';
    when 'tenant' = any(columns) then
      visible := 'tenant = (select pontual.own_tenant())';
    when title = 'executions' then
      -- As it is indexed (see 0007).
      visible := '(lane >> 20) = (select pontual.own_tenant_id())::bigint';
    when 'lane' = any(columns) then
      -- As a range, so that it can be read from an index.
      visible := 'lane >= (select pontual.own_tenant_id()::bigint << 20) and lane < (select (pontual.own_tenant_id() + 1)::bigint << 20)';
    when 'job_id' = any(columns) then
      visible := 'pontual.owner_of_job(job_id) = (select pontual.own_tenant())';
      writable := 'coalesce(pontual.owner_of_job(job_id), (select pontual.own_tenant())) = (select pontual.own_tenant())';
    when columns && array['execution_id', 'successor_id'] then
      -- One by one, and as the policy of executions has it: in any other form it might be planned to read all executions for a handful.
      visible := format(
        '(select true from pontual.executions where executions.id = %1$s) is true',
        case when 'execution_id' = any(columns) then 'execution_id' else 'successor_id' end
      );
      writable := format(
        'coalesce(pontual.owner_of_execution(%1$s), (select pontual.own_tenant_id())) = (select pontual.own_tenant_id())',
        case when 'execution_id' = any(columns) then 'execution_id' else 'successor_id' end
      );
    else
      visible := '(select pontual.own_tenant()) is not null';
  end case;

  if (select not (relrowsecurity and relforcerowsecurity) from pg_class where oid = secured) then
    execute format('alter table %s enable row level security, force row level security', secured);
  end if;
  if not exists (select from pg_policy where polrelid = secured and polname = 'engine') then
    execute format('create policy engine on %s to pontual_engine using (true)', secured);
  end if;
  -- Partitions are read through what they are partitions of.
  if is_partition or exists (select from pg_policy where polrelid = secured and polname = 'tenant') then
    return;
  end if;
  execute format(
    'create policy tenant on %s for %s to pontual_api using (%s) %s',
    secured,
    case when is_readable_only then 'select' else 'all' end,
    visible,
    case when not is_readable_only then format('with check (%s)', coalesce(writable, visible)) end
  );
  execute format(
    'grant %s on %s to pontual_api',
    case when is_readable_only then 'select' else 'select, insert, update, delete' end,
    secured
  );
end
$$;

-- Switches row security on, for all tables there are. Gives what an administrator has to do first; null where it is on. To be called again by a migration
-- that makes tables, and once the roles are there.
create function pontual.secure_rows()
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
      and relname <> 'schema_migrations'
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

select pontual.secure_rows();
