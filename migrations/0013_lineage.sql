-- Older nodes go on: they note nothing here, and look nothing up when a newer node finds a restore.
-- Which server, timeline and tables these data were last seen on (a restored copy is on others), and
-- the highest name that was given to a node.
alter table service_state add column lineage text, add column last_node integer not null default 0;

-- Recovery from a backup begins another timeline, as does a standby that takes over; a dump is read
-- into another database, or into tables made anew. Where the service may not ask the server, that
-- remains.
create function data_lineage() returns text
language plpgsql as $$
declare
  tables text := concat_ws('.',
    (select oid from pg_database where datname = current_database()),
    to_regclass('service_state')::oid);
begin
  return concat_ws('.', (select system_identifier from pg_control_system()),
    substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8), tables);
exception when insufficient_privilege or feature_not_supported or undefined_function then
  return tables;
end
$$;
