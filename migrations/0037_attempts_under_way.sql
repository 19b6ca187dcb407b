-- Older nodes go on: what they free has no such moment, as before.
-- An attempt of a callback may last longer than its node keeps its name. Until then nobody else
-- sends the callback, or another one of its payment.
alter table callbacks add column under_way_until timestamptz;
