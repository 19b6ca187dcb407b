-- Older nodes go on: they do not know these tables, and write nothing of a year that is over. Archive
-- a year only when all nodes have this version: older ones would leave its movements out of statements.
-- Years whose movements, events, callbacks and exchanges were written to files and removed.
create table archived_years (
  merchant_id integer not null,
  year integer not null check (year between 2000 and 9998),
  -- SHA-256 of the manifest, which has the SHA-256 of every file.
  manifest_hash bytea not null,
  begun_at timestamptz not null,
  -- Everything of the year before this moment is removed; companions count by the time of their key.
  removed_before timestamptz not null,
  transfers bigint not null default 0,
  events bigint not null default 0,
  callbacks bigint not null default 0,
  attempts bigint not null default 0,
  exchanges bigint not null default 0,
  -- Null while rows are being removed.
  ended_at timestamptz,
  primary key (merchant_id, year)
);

-- What the removed transfers of a year come to, so that balances can still be proved.
create table archived_sums (
  merchant_id integer not null,
  account text collate "C" not null,
  year integer not null,
  transfers bigint not null,
  change numeric not null,
  -- Without signs: what came and went of a payment that failed is in it too.
  turnover numeric not null,
  -- Of these, what no payment moved by itself: adjustments and corrections.
  by_hand bigint not null,
  changed_by_hand numeric not null,
  turned_by_hand numeric not null,
  primary key (merchant_id, account, year)
);
