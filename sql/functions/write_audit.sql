-- Appends entries to the chains of their tenants, in the order given; nothing while the log is off. As the owner, so that nobody else has to be allowed to write
-- to the tables; who speaks for one tenant can write to its chain only.
create or replace function pontual.write_audit(
  tenants text[],
  instants timestamptz[],
  operations text[],
  users text[],
  jobs uuid[],
  executions uuid[],
  olds text[],
  news text[]
)
returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
declare
  draft record;
  chain text;
  last_sequence bigint;
  last_hash bytea;
  sequences bigint[] := array_fill(0::bigint, array[cardinality(tenants)]);
  former_hashes bytea[] := array_fill(''::bytea, array[cardinality(tenants)]);
  hashes bytea[] := former_hashes;
begin
  if cardinality(tenants) = 0 or not exists (select from pontual.settings where name = 'audit') then
    return;
  end if;
  if (current_setting('role') = 'pontual_api' or session_user = 'pontual_api')
    and (current_setting('pontual.tenant', true) = all(tenants)) is not true
  then
    raise exception 'An audit entry of another tenant is refused.'
    using errcode = 'insufficient_privilege';
  end if;
  for draft in
    select
      each.place,
      each.tenant,
      pontual.audit_field(pontual.to_ms(each.at)::bigint::text)
        || E'\n' || pontual.audit_field(each.operation)
        || E'\n' || pontual.audit_field(each.user_id)
        || E'\n' || pontual.audit_field(each.job_id::text)
        || E'\n' || pontual.audit_field(each.execution_id::text)
        || E'\n' || pontual.audit_field(each.old_values)
        || E'\n' || pontual.audit_field(each.new_values) as fields
    from unnest(tenants, instants, operations, users, jobs, executions, olds, news) with ordinality
      as each (tenant, at, operation, user_id, job_id, execution_id, old_values, new_values, place)
    order by each.tenant collate "C", each.place
  loop
    if chain is distinct from draft.tenant then
      if chain is not null then
        update pontual.audit_heads
        set sequence = last_sequence, hash = last_hash
        where tenant = chain;
      end if;
      chain := draft.tenant;
      loop
        select sequence, hash
        into last_sequence, last_hash
        from pontual.audit_heads
        where tenant = chain
        for update;
        exit when found;
        insert into pontual.audit_heads (tenant, sequence, hash)
        values (chain, 0, decode(repeat('00', 32), 'hex'))
        on conflict do nothing;
      end loop;
    end if;
    last_sequence := last_sequence + 1;
    sequences[draft.place] := last_sequence;
    former_hashes[draft.place] := last_hash;
    last_hash := sha256(convert_to(
      encode(last_hash, 'hex')
        || E'\n' || pontual.audit_field(chain)
        || E'\n' || pontual.audit_field(last_sequence::text)
        || E'\n' || draft.fields,
      'UTF8'
    ));
    hashes[draft.place] := last_hash;
  end loop;
  update pontual.audit_heads
  set sequence = last_sequence, hash = last_hash
  where tenant = chain;

  insert into pontual.audit_entries (
    tenant,
    sequence,
    at,
    job_id,
    execution_id,
    operation,
    user_id,
    old_values,
    new_values,
    previous_hash,
    hash
  )
  select each.*
  from unnest(tenants, sequences, instants, jobs, executions, operations, users, olds, news, former_hashes, hashes) as each;
end
$$;
