-- What payments are found by: number, the operator's transaction, the merchant's reference, values of
-- the metadata, the combination of what lists are narrowed down by, and the first digits of the amount,
-- each as a hash. Written when the hour of the payment is counted, behind everything else; payments of
-- hours that are not counted are looked through.
create table payment_terms (
  merchant_id integer not null,
  term bigint not null,
  key uuid not null,
  primary key (merchant_id, term, key)
);

-- The combinations that a merchant's payments have, so that those of a filter can be named.
create table payment_combinations (
  merchant_id integer not null,
  kind text not null,
  country text not null,
  provider text not null,
  currency text not null,
  state text not null,
  -- Empty where it did not fail.
  failure_code text not null,
  source text not null,
  primary key (merchant_id, kind, country, provider, currency, state, failure_code, source)
);
