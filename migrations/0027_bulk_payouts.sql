-- Older nodes go on: they know nothing of these tables, and leave bulk payouts to the newer ones.
-- Many payouts from one file: made by one person, approved by another, sent by the nodes in steps.
create table bulk_payouts (
  merchant_id integer not null references merchants,
  -- Ordered by time.
  id uuid not null,
  name text not null,
  -- Of the file, to notice that it comes a second time.
  file_hash bytea not null,
  state text not null default 'DRAFT' check (state in
    ('DRAFT', 'NEEDS_APPROVAL', 'APPROVED', 'SENDING', 'DONE', 'PARTLY_FAILED')),
  -- Goes up with every change, so that nobody approves what they have not seen.
  version integer not null default 1,
  created_at timestamptz not null,
  created_by integer not null references users,
  submitted_at timestamptz,
  decided_at timestamptz,
  decided_by integer references users,
  -- Why it was last rejected.
  reason text,
  -- Of its rows, kept with every change of them: how many, how much by currency, and where.
  row_count integer not null,
  totals jsonb not null,
  countries text[] not null,
  -- When all payouts had been handed over.
  sent_at timestamptz,
  ended_at timestamptz,
  holder integer not null default 0,
  due_at timestamptz,
  primary key (merchant_id, id),
  check ((state in ('APPROVED', 'SENDING')) = (due_at is not null)),
  check (decided_by <> created_by)
);
create index bulk_payouts_due on bulk_payouts (holder, due_at) where due_at is not null;
create index bulk_payouts_of_file on bulk_payouts (merchant_id, file_hash);

create table bulk_payout_rows (
  merchant_id integer not null,
  bulk_id uuid not null,
  -- The line in the file; the heading is line 1.
  number integer not null,
  -- Fixed from the upload on: whoever sends it, and however often, there is one payout.
  payout_id text not null,
  fields jsonb not null,
  country text,
  state text not null default 'WAITING' check (state in
    ('WAITING', 'ACCEPTED', 'REJECTED', 'DUPLICATE')),
  failure_code text,
  failure_message text,
  sent_at timestamptz,
  primary key (merchant_id, bulk_id, number),
  foreign key (merchant_id, bulk_id) references bulk_payouts on delete cascade
);

-- Payment pages and checkouts that were made by hand. The link itself is made again from the key.
create table payment_links (
  merchant_id integer not null references merchants,
  -- Of the checkout, or of the deposit that the page leads to.
  id uuid not null,
  kind text not null check (kind in ('PAGE', 'CHECKOUT')),
  key uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  created_by integer not null references users,
  -- What the list shows of it.
  amount text,
  currency text,
  country text,
  reason text,
  reference text,
  primary key (merchant_id, id)
);
create index payment_links_listed on payment_links (merchant_id, key);
