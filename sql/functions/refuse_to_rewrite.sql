-- Nobody changes what was written, whatever he may do with other tables.
create or replace function pontual.refuse_to_rewrite()
returns trigger
language plpgsql
as $$
begin
  raise exception 'The audit log is append-only: % of % is refused.', tg_op, tg_table_name
  using errcode = 'insufficient_privilege';
end
$$;
