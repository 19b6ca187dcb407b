-- Older nodes go on: they do not read it.
-- When this database was restored from a backup, on the clock of payments. What is older may have
-- been sent to an operator in the time that was lost, and is looked up before it is sent.
alter table service_state add column restored_at timestamptz;
