-- Attempts to deliver that have begun, so that one cut off by the end of its node leaves a record too.
-- A row tells of all that began together; it goes when all of them have ended.
create table sendings (
  node_id integer not null,
  batch integer not null,
  begun_at timestamptz not null,
  urls text[] not null,
  -- One entry for each attempt: its callback, how many attempts were recorded before, which address.
  merchant_ids integer[] not null,
  payment_keys uuid[] not null,
  states text[] not null,
  attempts integer[] not null,
  url_at integer[] not null,
  primary key (node_id, batch)
) with (toast_tuple_target = 8160);
