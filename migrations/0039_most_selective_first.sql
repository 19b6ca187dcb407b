-- PostgreSQL may look a row up by the first columns of an index alone, where it has no statistics or old
-- ones: it then reads all payments of a merchant to find one. So an index begins with the column that tells
-- its rows apart, and those of lists, which cannot, serve only statements that state their condition, which
-- is true of every key. See docs/decisions/0041.
alter table payments drop constraint payments_pkey, add primary key (id, kind, merchant_id);
alter table split_payments drop constraint split_payments_pkey, add primary key (id, merchant_id);
alter table checkouts drop constraint checkouts_pkey, add primary key (id, merchant_id);
alter table payment_links drop constraint payment_links_pkey, add primary key (id, merchant_id);
alter table sandbox_orders drop constraint sandbox_orders_pkey, add primary key (reference, merchant_id);

drop index payments_of_split;
create index payments_of_split on payments (split_id, merchant_id) where split_id is not null;
drop index payments_of_checkout;
create index payments_of_checkout on payments (checkout_id, merchant_id) where checkout_id is not null;
drop index payments_refunds;
create index payments_refunds on payments (refund_of, merchant_id) where refund_of is not null;
drop index payments_open_refund;
create unique index payments_open_refund on payments (refund_of, merchant_id)
  where refund_of is not null and due_at is not null;

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
