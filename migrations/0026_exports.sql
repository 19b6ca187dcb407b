-- Older nodes go on: they neither write nor read these tables.
-- Files that people ask for on the dashboard. Any node writes one, once; the file lies in pieces, as
-- those of statements do.
create table exports (
  merchant_id integer not null references merchants,
  id uuid not null,
  user_id integer not null references users,
  created_at timestamptz not null,
  -- What is in it: which rows, of which period, shown how.
  subject jsonb not null,
  format text not null check (format in ('csv', 'csv.gz', 'pdf')),
  shows_pii boolean not null,
  state text not null check (state in ('PROCESSING', 'COMPLETED', 'FAILED')),
  holder integer not null,
  due_at timestamptz,
  attempts integer not null default 0,
  -- How many are written, so far or in the end.
  rows bigint not null default 0,
  file_size bigint,
  ended_at timestamptz,
  failure text,
  has_file boolean not null default false,
  primary key (merchant_id, id),
  check ((state = 'PROCESSING') = (due_at is not null)),
  check ((state = 'COMPLETED') = (file_size is not null)),
  check ((state = 'FAILED') = (failure is not null))
);

create index exports_work on exports (holder, due_at) where due_at is not null;
create index exports_files on exports (ended_at) where has_file;
create index exports_by_age on exports (merchant_id, created_at);

create table export_pieces (
  merchant_id integer not null,
  export_id uuid not null,
  piece integer not null,
  bytes bytea not null,
  primary key (merchant_id, export_id, piece)
);

-- What moved a wallet on a day, by type. Written when somebody looks; `seen` names the state of the
-- row of `account_days` that it was made from, so that a day that went on is summed again.
create table account_day_types (
  merchant_id integer not null,
  account text collate "C" not null,
  day date not null,
  seen text not null,
  sums jsonb not null,
  primary key (merchant_id, account, day)
);
