-- Pages on which customers pay: sessions of the Payment Page, and checkouts with their attempts. The
-- links to both are derived from a key and the service's secret; only their hashes are stored.

-- Each attempt to pay a checkout is an ordinary deposit.
alter table payments add column checkout_id uuid;
create index payments_of_checkout on payments (merchant_id, checkout_id)
  where checkout_id is not null;

create table checkouts (
  merchant_id integer not null,
  id uuid not null,
  id_as_sent text not null,
  key uuid not null,
  code_hash bytea not null unique,
  created_at timestamptz not null,
  -- What the merchant asked for, whole: no rule of the database looks at it.
  wish jsonb not null,
  expires_after interval not null,
  expires_at timestamptz not null,
  -- When the merchant asked to expire it; takes effect when the attempt under way does not succeed.
  expiry_asked_at timestamptz,
  state text not null default 'WAITING_PAYMENT' check (state in
    ('WAITING_PAYMENT', 'PROCESSING', 'COMPLETED', 'FAILED', 'EXPIRED', 'CANCELLED')),
  attempts integer not null default 0,
  latest_attempt uuid,
  -- When it expires by itself: only while it waits, never under an attempt.
  due_at timestamptz,
  ended_at timestamptz,
  primary key (merchant_id, id),
  check ((state = 'WAITING_PAYMENT') = (due_at is not null)),
  check ((state in ('WAITING_PAYMENT', 'PROCESSING')) = (ended_at is null))
) with (fillfactor = 70);
create index checkouts_due on checkouts (due_at) where due_at is not null;

-- A session is the right to start one deposit; the deposit exists once the customer has pressed Pay.
create table page_sessions (
  merchant_id integer not null,
  key uuid not null,
  token_hash bytea not null unique,
  deposit_id uuid not null,
  deposit_id_as_sent text not null,
  generation text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  wish jsonb not null,
  primary key (merchant_id, key)
);
create index page_sessions_by_age on page_sessions (expires_at);
