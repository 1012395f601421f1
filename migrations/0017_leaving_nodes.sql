-- A node that has to exit while handlers still run announces it: its lease ends soon, and the executions that it holds are recovered without spending
-- their attempts.
--
-- Safe while old nodes run: the column has a constant default, so no row is rewritten, and old nodes neither read nor write it. If an old node recovers such
-- an execution, the attempt counts as lost, as before.
alter table pontual.leases add column is_unspent boolean not null default false;
