-- The minutes in which a node lived: what share of the time somebody worked is read from them. They belong to no tenant, and whoever asks for one only reads.
--
-- Safe while old nodes run: they note nothing, so that minutes in which only they lived do not count.

create table pontual.scheduler_minutes (
  minute timestamptz primary key
) with (vacuum_truncate = off);

-- Row security holds tables to tenants, and this one has none: it is the engine's to write.
create function pontual.refuse_tenants()
returns trigger
language plpgsql
as $$
begin
  if current_setting('role') = 'pontual_api' or session_user = 'pontual_api' then
    raise exception 'Only who runs the engine may write this.'
    using errcode = 'insufficient_privilege';
  end if;
  return null;
end
$$;

create trigger engine_only
before insert or update or delete or truncate on pontual.scheduler_minutes
for each statement execute function pontual.refuse_tenants();

select pontual.secure_rows();
