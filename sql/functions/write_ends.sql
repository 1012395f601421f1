-- Numbers executions that have just ended, writes the entry of each, tells of failures, and closes the alerts of jobs that have recovered.
create or replace function pontual.write_ends(ended uuid[])
returns void
language plpgsql volatile
as $$
begin
  perform pontual.write_told_ends(ended);
  perform pontual.close_recovered(ended);
end
$$;
revoke execute on function pontual.write_ends(uuid[]) from public;
