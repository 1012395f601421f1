create or replace function pontual.note_archived(until_id uuid)
returns void
language sql volatile
as $$
  insert into pontual.settings (name, value)
  values ('archivedBefore', to_jsonb(until_id))
  on conflict (name) do update
  set value = to_jsonb(greatest((settings.value #>> '{}')::uuid, until_id))
$$;
