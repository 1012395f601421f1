-- A text out of an object that is kept as text. What PostgreSQL cannot unescape, NUL and half a surrogate pair, becomes the sign for what cannot be shown.
create or replace function pontual.text_within(object text, name text)
returns text
language sql immutable parallel safe
as $$
  select
    case
      when object ~ '\\u(0000|d[89a-f])' then regexp_replace(object, '\\u(0000|d[89a-f][0-9a-f]{2})', '\ufffd', 'g')
      else object
    end::json ->> name
$$;
