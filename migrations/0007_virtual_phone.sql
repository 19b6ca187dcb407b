-- Deposits that a customer approves: on a page of the operator, on the phone, or beforehand with a
-- one-time code. The page is part of a payment; the phone and its codes are the simulated operator's.

-- Where the customer approves the payment; known once the operator has the order.
alter table payments add column authorization_url text;

-- Somebody took a number into the hand: by mode it answers by itself or waits for a person.
alter table sandbox_phones
  add column mode text not null default 'auto' check (mode in ('auto', 'interactive')),
  alter column story drop not null;

-- The book of one phone. Only orders that name their payment are in it: those of numbers that
-- somebody took into the hand, and those for which the operator speaks by itself.
create index sandbox_orders_of_phone on sandbox_orders (merchant_id, phone_number, received_at)
  where payment_id is not null;

-- A question to the customer, on the phone or on a page. The first verdict stands.
create table sandbox_approvals (
  merchant_id integer not null,
  reference text collate "C" not null,
  phone_number text not null,
  asked_on text not null check (asked_on in ('PHONE', 'PAGE')),
  opened_at timestamptz not null,
  -- When it came onto the screen; null while nobody has dialled for it.
  shown_at timestamptz,
  expires_at timestamptz not null,
  wrong_pins integer not null default 0,
  verdict text check (verdict in ('APPROVED', 'DECLINED', 'EXPIRED')),
  decided_at timestamptz,
  primary key (merchant_id, reference),
  check ((verdict is null) = (decided_at is null))
);

-- A phone asks one question at a time.
create unique index sandbox_approvals_open on sandbox_approvals (merchant_id, phone_number)
  where verdict is null and asked_on = 'PHONE';

-- One-time codes that a phone has made and nobody has used; a code is removed when it is used.
create table sandbox_codes (
  merchant_id integer not null,
  phone_number text not null,
  code text not null,
  made_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (merchant_id, phone_number, code)
);
