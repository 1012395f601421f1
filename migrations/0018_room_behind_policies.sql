-- More room in the tables that row security reads through their execution. A plan for a tenant looks the execution up in every month, which costs the
-- planner more than 75 pages: the tables were read sequentially where they were empty when they were last vacuumed.
--
-- Safe while old nodes run: rows are inserted and deleted in one transaction, and nothing else changes.

insert into pontual.checkpoints (execution_id, state, saved_at)
select ('00000000-0000-0000-0000-' || to_char(n, 'FM000000000000'))::uuid, repeat('-', 1800), 'epoch'
from generate_series(1, 800) as n;
delete from pontual.checkpoints where execution_id <= '00000000-0000-0000-0000-000000000800';

insert into pontual.cancellations (execution_id, reason, requested_at)
select ('00000000-0000-0000-0000-' || to_char(n, 'FM000000000000'))::uuid, repeat('-', 1800), 'epoch'
from generate_series(1, 800) as n;
delete from pontual.cancellations where execution_id <= '00000000-0000-0000-0000-000000000800';

insert into pontual.signals (id, execution_id, name, payload, sent_at)
overriding system value
select -n, ('00000000-0000-0000-0000-' || to_char(n, 'FM000000000000'))::uuid, '', repeat('-', 1800), 'epoch'
from generate_series(1, 800) as n;
delete from pontual.signals where id < 0;

insert into pontual.replays (execution_id, epoch, replayed_at)
select ('00000000-0000-0000-0000-' || to_char(n, 'FM000000000000'))::uuid, 0, 'epoch'
from generate_series(1, 30000) as n;
delete from pontual.replays where execution_id <= '00000000-0000-0000-0000-000000030000';

insert into pontual.links (successor_id, place, predecessor_id, condition, is_declared)
select id, 0, id, 'end', false
from generate_series(1, 21000) as n
cross join lateral (
  select ('00000000-0000-0000-0000-' || to_char(n, 'FM000000000000'))::uuid as id
) as room;
delete from pontual.links where successor_id <= '00000000-0000-0000-0000-000000021000';
