-- Follows every change of the schema: switches row security on, and grants the tables to login roles. Returns the SQL that an administrator has to run first;
-- null if row security is on.
create or replace function pontual.secure_rows()
returns text
language plpgsql volatile
as $$
declare
  remedy text := pontual.secure_all_rows();
begin
  perform pontual.share_tables();
  return remedy;
end
$$;
