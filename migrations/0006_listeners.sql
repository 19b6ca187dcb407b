-- A merchant's developer can listen to its callbacks (malipo listen): while a merchant has a
-- listener, each callback is marked with the transaction that owed it. Read in the order of these,
-- and only up to the oldest one still under way, none can be missed, however writes overlap.
-- A cursor of another database means nothing in this one.
alter table service_state add column database_id uuid not null default gen_random_uuid();

create table listeners (
  merchant_id integer primary key references merchants,
  asked_at timestamptz not null
);

alter table callbacks add column heard_in xid8;
create index callbacks_heard on callbacks (merchant_id, heard_in, payment_key, state)
  where heard_in is not null;

-- Once for each statement, whoever owes the callbacks, so that no way to owe one can forget it.
create function mark_heard() returns trigger
language plpgsql as $$
begin
  update callbacks c set heard_in = pg_current_xact_id()
  from owed o
  join listeners l on l.merchant_id = o.merchant_id
  where c.merchant_id = o.merchant_id and c.payment_key = o.payment_key and c.state = o.state;
  return null;
end
$$;
create trigger callbacks_are_heard after insert on callbacks
  referencing new table as owed for each statement execute function mark_heard();
