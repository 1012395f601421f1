create or replace function pontual.owner_of_job(job uuid)
returns text
language plpgsql stable parallel safe security definer
as $$
begin
  return (select jobs.tenant from pontual.jobs where jobs.id operator(pg_catalog.=) job);
end
$$;
