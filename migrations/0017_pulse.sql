-- Older nodes go on: they watch the heartbeat alone, as before, and need not know the pulse.
--
-- A node whose thread is busy for seconds sends no heartbeat and is not dead. A second thread then
-- increments its pulse; others take a node for dead only when both stand still. The heartbeat stays
-- the proof that a node has followed what it read.
alter table nodes add column pulse bigint not null default 0;
