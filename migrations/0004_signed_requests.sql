-- Merchants sign their requests: their public keys, whether only signed requests are taken, and
-- what became of the signatures, so that somebody who turns this on knows whom it would refuse.

alter table merchants add column signed_requests_only boolean not null default false;

create table merchant_keys (
  merchant_id integer not null references merchants,
  key_id text not null,
  public_key text not null,
  created_at timestamptz not null,
  primary key (merchant_id, key_id)
);

-- One row for each day (UTC) and verdict; days that have passed from view are deleted.
create table signature_checks (
  merchant_id integer not null references merchants,
  day date not null,
  verdict text not null,
  count bigint not null,
  last_at timestamptz not null,
  primary key (merchant_id, day, verdict)
);

-- One signing key is current at any time.
create unique index signing_keys_current on signing_keys ((retired_at is null))
  where retired_at is null;
