-- Older nodes go on: they know none of these settings, and accept until they are replaced what a
-- newer node would refuse.
-- A merchant may limit the age of its signatures, so that each is accepted once, have them name the
-- host, have the service sign under a key id of the merchant's own, and let customers return to apps.
alter table merchants
  add column max_signature_age integer check (max_signature_age between 1 and 86400),
  add column cover_authority boolean not null default false,
  add column own_key_id boolean not null default false,
  add column return_schemes text[] not null default '{}';

-- Signatures of merchants with a greatest age, until they are too old to be used again. Without a
-- reference to merchants, which would lock the merchant's row with each insert.
create table used_signatures (
  merchant_id integer not null,
  fingerprint bytea not null,
  forget_at timestamptz not null,
  primary key (merchant_id, fingerprint)
);
create index used_signatures_forget_at on used_signatures (forget_at);
