create or replace function pontual.columns_of(listed regclass)
returns text
language sql stable
as $$
  select string_agg(quote_ident(attname), ', ' order by attnum)
  from pg_attribute
  where attrelid = listed
    and attnum > 0
    and not attisdropped
$$;
