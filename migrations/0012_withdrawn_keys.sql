-- Older nodes go on: they publish a withdrawn key until they are replaced.
-- A key that others may have is withdrawn: nothing that it signed counts any more.
alter table signing_keys add column withdrawn_at timestamptz;
