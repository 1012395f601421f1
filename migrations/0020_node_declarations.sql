-- A node announces the jobs that its code declares, so that no other node disables them as removed from the code.
--
-- Safe while old nodes run: the column is nullable without a default, so no row is rewritten. The declarations of an old node are unknown, and new nodes wait
-- until it is gone before they disable a job.
alter table pontual.nodes add column declares jsonb;
