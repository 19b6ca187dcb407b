-- What people know of a payment: its number, the operator's transaction, the merchant's reference, and
-- values of its metadata, each as a hash. Written when the hour of the payment is counted, behind
-- everything else; payments of hours that are not counted are looked through.
create table payment_terms (
  merchant_id integer not null,
  term bigint not null,
  key uuid not null,
  primary key (merchant_id, term, key)
);
