-- A field as it is hashed: with its length, so that no two entries read the same. The rule is that of auditText in src/access/audit.ts.
create or replace function pontual.audit_field(value text)
returns text
language sql immutable parallel safe
as $$ select case when value is null then '-' else char_length(value)::text || ':' || value end $$;
