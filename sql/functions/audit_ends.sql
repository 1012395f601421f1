-- Ends write their entries by themselves, at the end of the statement. Those that were caused by others wait for the statement that ends these; or, where there is none, for
-- the end of the transaction: chains are locked once and last.
create or replace function pontual.audit_ends()
returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  waiting text := coalesce(current_setting('pontual.audit_waiting', true), '');
  ids uuid[];
  are_caused boolean;
begin
  select array_agg(execution_id), bool_and(pontual.is_caused(status, is_reported, error))
  into ids, are_caused
  from ended;
  if are_caused then
    perform set_config('pontual.audit_waiting', concat_ws(',', nullif(waiting, ''), array_to_string(ids, ',')), true);
  elsif ids is not null and waiting = '' then
    perform pontual.write_ends(ids);
  elsif ids is not null then
    perform set_config('pontual.audit_waiting', concat_ws(',', waiting, array_to_string(ids, ',')), true);
    perform pontual.write_waiting_ends();
  end if;
  return null;
end
$$;
