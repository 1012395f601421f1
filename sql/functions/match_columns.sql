-- Gives the archive the columns that its table has got since.
create or replace function pontual.match_columns(source regclass, archive regclass)
returns void
language plpgsql volatile
as $$
declare
  missing record;
begin
  for missing in
    select attname, format_type(atttypid, atttypmod) as kind
    from pg_attribute
    where attrelid = source
      and attnum > 0
      and not attisdropped
      and attname not in (select attname from pg_attribute where attrelid = archive and attnum > 0 and not attisdropped)
    order by attnum
  loop
    execute format('alter table %s add column %I %s', archive, missing.attname, missing.kind);
  end loop;
end
$$;
