-- A job whose onFaulted is 'continue' fires while it is FAULTED: the scheduler finds it by this index. No existing index or column changes, so nodes of the version
-- before continue to work; they do not fire a FAULTED job.

create index jobs_due_faulted on pontual.jobs (next_fire_at)
  where next_fire_at is not null and status = 'FAULTED' and definition ->> 'onFault' = 'continue';
