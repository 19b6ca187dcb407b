-- What the earlier generation tells that nothing kept so far: when a payment ended; and who still
-- uses which of its calls and fields.

alter table payments add column ended_at timestamptz;

set local enable_seqscan = on;
set local enable_hashjoin = on;
update payments p set ended_at = e.at from payment_events e
where e.merchant_id = p.merchant_id and e.payment_key = p.key and e.state = p.state
  and p.due_at is null;

-- `field` is empty for the call itself.
create table legacy_usage (
  merchant_id integer not null references merchants,
  call text not null,
  field text not null,
  count bigint not null,
  last_used timestamptz not null,
  primary key (merchant_id, call, field)
);
