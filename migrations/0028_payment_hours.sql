-- Figures for people: what became of the payments of an hour, by the time in their keys, in UTC.
-- Final states never change, so an hour is counted once, when none of its payments is open any more.
-- Nothing of this is written with a payment: it costs the way of payments nothing.
-- Words are compared as bytes: they are grouped by, and their order means nothing.
create table payment_hours (
  merchant_id integer not null,
  hour timestamptz not null,
  kind text collate "C" not null,
  country text collate "C" not null,
  provider text collate "C" not null,
  currency text collate "C" not null,
  state text collate "C" not null,
  -- Empty where it did not fail.
  failure_code text collate "C" not null,
  payments bigint not null,
  amount numeric not null,
  -- With the figures: reading weeks of them touches nothing but the index.
  primary key (merchant_id, hour, kind, country, provider, currency, state, failure_code)
    include (payments, amount)
);

-- How far each merchant's hours are counted: all before `until` but the open ones.
create table counted_hours (
  merchant_id integer primary key,
  until timestamptz not null,
  open_hours timestamptz[] not null default '{}'
);

-- Since when a provider is as a merchant of the sandbox has switched it, and how it was before.
alter table provider_availability add column since timestamptz;
alter table provider_health_history add column merchant_id integer;
create index provider_health_history_of_merchant on provider_health_history (merchant_id, number)
  where merchant_id is not null;
