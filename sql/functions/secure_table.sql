-- Holds a table to its tenants. One of its columns says whose a row is. Where that is an execution or a job, one that is made by the same
-- statement is not there yet: what is nobody else's may be written.
create or replace function pontual.secure_table(secured regclass)
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
    'execution_numbers',
    'notification_events',
    'notification_deliveries',
    'executions_archive',
    'results_archive',
    'attempts_archive',
    'execution_logs_archive',
    'history_entries_archive',
    'audit_archive',
    'audit_anchors',
    'alerts',
    'alert_states',
    'alert_watch'
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
    when title in ('executions', 'executions_archive') then
      -- As it is indexed (enable_audit).
      visible := '(lane >> 20) = (select pontual.own_tenant_id())::bigint';
    when 'lane' = any(columns) then
      -- As a range, so that it can be read from an index.
      visible := 'lane >= (select pontual.own_tenant_id()::bigint << 20) and lane < (select (pontual.own_tenant_id() + 1)::bigint << 20)';
    when 'job_id' = any(columns) then
      visible := 'pontual.owner_of_job(job_id) = (select pontual.own_tenant())';
      writable := 'coalesce(pontual.owner_of_job(job_id), (select pontual.own_tenant())) = (select pontual.own_tenant())';
    when title in ('results_archive', 'attempts_archive', 'execution_logs_archive', 'history_entries_archive') then
      visible := '(select true from pontual.executions_archive where executions_archive.id = execution_id) is true';
    when columns && array['execution_id', 'successor_id'] then
      -- One by one, and as the policy of executions has it: in any other form it might be planned to read all executions for a handful.
      visible := format(
        '(select true from pontual.executions where executions.id = %1$s) is true',
        case when 'execution_id' = any(columns) then 'execution_id' else 'successor_id' end
      );
      -- What is partitioned is in the archive where its execution is; the rest stays where it is.
      if (select relkind from pg_class where oid = secured) = 'r' then
        visible := visible || format(
          ' or pontual.is_own_archived(%s)',
          case when 'execution_id' = any(columns) then 'execution_id' else 'successor_id' end
        );
      end if;
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
