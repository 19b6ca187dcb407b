-- What the company that runs the service has with operators.
create table operator_accounts (
  name text primary key,
  connector text not null,
  base_url text not null,
  providers jsonb not null,
  priority integer not null,
  enabled boolean not null default true,
  settings jsonb not null,
  sealed_secrets text not null,
  callback_secret text not null,
  callback_sources text[] not null default '{}',
  limits jsonb not null default '{}',
  created_at timestamptz not null
);

-- The account that a payment was sent through, and what its operator calls it there. Both are
-- stored before they are needed, and neither exists with the simulated operator.
alter table payments
  add column operator_account text,
  add column operator_ids jsonb;

-- A callback names the reference. Payments of the simulated operator are not in this index.
create index payments_at_operator on payments (operator_account, provider_reference)
  where operator_account is not null;

-- Whether an account has payments under way.
create index payments_open_at_operator on payments (operator_account)
  where operator_account is not null and due_at is not null;

-- Every request to an operator about a payment, and every callback heard, without secrets.
create table operator_exchanges (
  merchant_id integer not null,
  payment_key uuid not null,
  number bigint generated always as identity,
  at timestamptz not null,
  account text not null,
  what text not null check (what in ('submit', 'query', 'callback')),
  request text not null,
  http_status integer,
  answer text,
  reason text,
  outcome text,
  duration_ms integer not null,
  primary key (merchant_id, payment_key, number)
);
create index operator_exchanges_by_age on operator_exchanges using brin (at)
  with (autosummarize = on);

-- Accounts that are not used for now: all operations ('*') because the operator cannot be reached,
-- or one because the operator refuses it for a reason that is ours.
create table operator_breakers (
  account text not null references operator_accounts on delete cascade,
  operation text not null,
  reason text not null,
  since timestamptz not null,
  trials integer not null default 0,
  trial_at timestamptz not null,
  -- Kept for a while: one that opens again soon is tried less often.
  closed_at timestamptz,
  primary key (account, operation)
);

-- What holds for all merchants: as the accounts are, unless a person said otherwise.
create table provider_health (
  provider text not null,
  operation text not null,
  decided_by text not null check (decided_by in ('PERSON', 'SERVICE')),
  status text not null check (status in ('OPERATIONAL', 'DELAYED', 'CLOSED')),
  reason text not null,
  since timestamptz not null,
  primary key (provider, operation, decided_by)
);

create table provider_health_history (
  number bigint generated always as identity primary key,
  at timestamptz not null,
  provider text not null,
  operation text not null,
  decided_by text not null,
  status text not null,
  reason text not null
);
create index provider_health_history_of on provider_health_history (provider, operation, number);

-- When the money of an account is asked for again, by one of the nodes.
create table operator_readings (
  account text primary key references operator_accounts on delete cascade,
  due_at timestamptz not null
);

-- The money of an account as its operator states it, beside what the ledger said at that moment.
create table operator_floats (
  account text not null references operator_accounts on delete cascade,
  currency text not null,
  at timestamptz not null,
  -- What the operator states for each of its products.
  products jsonb not null,
  stated numeric not null,
  ledger numeric not null,
  -- By how much the two may differ: the ledger knows neither what was there before the first
  -- payment, nor top-ups, withdrawals and fees, until a person accepts them.
  accepted numeric not null,
  -- What payments under way, or just ended, may explain.
  under_way numeric not null default 0,
  differs_since timestamptz,
  primary key (account, currency)
);

create table operator_float_notes (
  number bigint generated always as identity primary key,
  account text not null,
  currency text not null,
  at timestamptz not null,
  amount numeric not null,
  accepted_by text not null,
  note text not null
);

-- Lists of payments by time, for people. It costs next to nothing to keep: rows lie in this order.
create index payments_by_time on payments using brin (created_at) with (autosummarize = on);
