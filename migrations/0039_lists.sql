-- The indexes of lists begin like primary keys, and the planner can take one for the other: it then reads
-- all payments of a merchant to find one by its identifier. So they serve only statements that state the
-- condition, which is true of every key. See docs/decisions/0041.
drop index payments_listed;
create index payments_listed on payments (merchant_id, kind, key)
  where key > '00000000-0000-0000-0000-000000000000';
drop index split_payments_listed;
create index split_payments_listed on split_payments (merchant_id, key)
  where key > '00000000-0000-0000-0000-000000000000';
drop index checkouts_listed;
create index checkouts_listed on checkouts (merchant_id, key)
  where key > '00000000-0000-0000-0000-000000000000';
drop index payment_links_listed;
create index payment_links_listed on payment_links (merchant_id, key)
  where key > '00000000-0000-0000-0000-000000000000';
