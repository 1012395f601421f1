-- Refuses what is not in the archive, or is younger than five years.
create or replace function pontual.require_expired(part_kind text, part_name text, test_ms double precision)
returns void
language plpgsql stable
as $$
declare
  oldest timestamptz := pontual.retention_clock(test_ms) - interval '5 years';
  is_young boolean := (
    select to_at > oldest
    from pontual.archive_parts()
    where kind = part_kind
      and part = part_name
      and is_archived
  );
begin
  perform pontual.require_engine();
  -- An execution may have ended long after it was made.
  if is_young is false and part_kind = 'executions' then
    execute format('select exists (select from pontual.%I where finished_at > $1)', 'results_' || part_name)
    into is_young
    using oldest;
  end if;
  if is_young is distinct from false then
    raise exception 'What is kept for five years is refused to be dropped before: % %.', part_kind, part_name
    using errcode = 'insufficient_privilege';
  end if;
end
$$;
