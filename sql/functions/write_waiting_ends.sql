-- One that has a number was written: a setting can be changed by anybody.
create or replace function pontual.write_waiting_ends()
returns void
language plpgsql volatile
as $$
declare
  waiting text := coalesce(current_setting('pontual.audit_waiting', true), '');
begin
  if waiting = '' then
    return;
  end if;
  perform set_config('pontual.audit_waiting', '', true);
  perform pontual.write_ends(array(
    select each.id
    from unnest(string_to_array(waiting, ',')::uuid[]) as each (id)
    where not exists (select from pontual.execution_numbers where execution_id = each.id)
  ));
end
$$;
revoke execute on function pontual.write_waiting_ends() from public;
