-- A node stores how many connections its process opens at most, so that a start-up check can compare the sum over all nodes with the server's limit.
--
-- Safe while old nodes run: the column has no default, so no row is rewritten, and an old node leaves it null.

alter table pontual.nodes
add column connections integer;
