-- A partition of the archive, with nothing in it.
create or replace function pontual.add_archive_partition(archive text, made text, bounds text)
returns void
language plpgsql volatile
as $$
begin
  execute format('create table pontual.%I (like pontual.%I including all)', made, archive);
  if archive = 'audit_archive' then
    execute format(
      'create trigger audit_entries_append_only before update or delete or truncate on pontual.%I
      for each statement execute function pontual.refuse_to_rewrite()',
      made
    );
  end if;
  execute format('alter table pontual.%I attach partition pontual.%I %s', archive, made, bounds);
  if (select is_on from pontual.row_security()) then
    perform pontual.secure_table(to_regclass(format('pontual.%I', made)));
  end if;
end
$$;
