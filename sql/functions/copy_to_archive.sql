-- Moves rows of executions from where they are to the archive. Each has its partition there.
create or replace function pontual.copy_to_archive(moved_title text, moved_key text, ids uuid[])
returns void
language plpgsql volatile
as $$
declare
  columns text;
begin
  perform pontual.match_columns(
    to_regclass(format('pontual.%I', moved_title)),
    to_regclass(format('pontual.%I', moved_title || '_archive'))
  );
  columns := pontual.columns_of(to_regclass(format('pontual.%I', moved_title)));
  execute format(
    'insert into pontual.%1$I (%3$s) select %3$s from pontual.%2$I where %4$I = any($1)',
    moved_title || '_archive',
    moved_title,
    columns,
    moved_key
  ) using ids;
  execute format('delete from pontual.%I where %I = any($1)', moved_title, moved_key) using ids;
end
$$;
