-- The same tables, and those of the archive.
create or replace function pontual.content_tables(titles text[])
returns table (title text, place regclass)
language sql stable
as $$
  select each.title, found.place
  from unnest(titles) as each (title)
  cross join lateral (
    values (to_regclass('pontual.' || each.title)), (to_regclass('pontual.' || each.title || '_archive'))
  ) as found (place)
  where found.place is not null
$$;
