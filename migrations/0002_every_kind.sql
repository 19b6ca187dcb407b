-- Payouts, refunds and remittances hold money from a wallet; split payments tie a deposit to its
-- payouts; statements are written from the ledger; doubt about an outcome is a case of its own.

-- `held_from` is the wallet whose money is held for the payment: null for a deposit, and for a
-- payment that found too little money. `refund_of` is the deposit a refund gives back.
alter table payments
  add column held_from text collate "C",
  add column refund_of uuid,
  add column split_id uuid;

-- Two refunds of one deposit cannot be under way at once. The predicates name only columns that
-- never change or are indexed already, so that a change of state stays a change in place.
create unique index payments_open_refund on payments (merchant_id, refund_of)
  where refund_of is not null and due_at is not null;
create index payments_refunds on payments (merchant_id, refund_of) where refund_of is not null;
create index payments_of_split on payments (merchant_id, split_id) where split_id is not null;

-- What waits for no moment but for an event: a provider that works again, a deposit that completes.
create index payments_waiting on payments (merchant_id, provider, kind) where due_at = 'infinity';

-- The deposit of a split payment has the same identifier. Its payouts lie among the payments from
-- the first moment, which reserves their identifiers; until the deposit completes they are WAITING
-- and nobody sees them.
create table split_payments (
  merchant_id integer not null,
  id uuid not null,
  key uuid not null,
  id_as_sent text,
  generation text not null,
  created_at timestamptz not null,
  parts jsonb not null,
  -- Payouts that are not final yet, and those that failed; with the last one the end is decided.
  open_parts integer not null check (open_parts >= 0),
  failed_parts integer not null default 0,
  state text not null default 'OPEN'
    check (state in ('OPEN', 'COMPLETED', 'PAYOUT_FAILED', 'FAILED')),
  primary key (merchant_id, id)
);

-- A payment whose outcome cannot be learnt, or an operator that takes back its word. The first is
-- closed by the answer that comes at last, the second by a person, with a transfer of its own.
create table cases (
  merchant_id integer not null,
  payment_key uuid not null,
  cause text not null check (cause in ('UNKNOWN_OUTCOME', 'CONTRADICTION')),
  kind text not null,
  payment_id uuid not null,
  opened_at timestamptz not null,
  -- What the operator said against the final state.
  said text check (said in ('COMPLETED', 'FAILED')),
  closed_at timestamptz,
  resolution text,
  resolved_by text,
  note text,
  primary key (merchant_id, payment_key, cause),
  check ((cause = 'CONTRADICTION') = (said is not null)),
  check ((closed_at is null) = (resolution is null))
);
create index cases_open on cases (opened_at) where closed_at is null;

-- What each account gained or lost on each day (UTC): a balance of any day is the sum of the days
-- before it, however old it is.
create table account_days (
  merchant_id integer not null,
  account text collate "C" not null,
  day date not null,
  change numeric not null,
  primary key (merchant_id, account, day)
) with (fillfactor = 50);

insert into account_days (merchant_id, account, day, change)
select merchant_id, account, (at at time zone 'UTC')::date, sum(change)
from (
  select merchant_id, debit as account, -amount as change, at from transfers
  union all
  select merchant_id, credit, amount, at from transfers) each
group by 1, 2, 3;

create index transfers_by_time on transfers (merchant_id, at);

-- The payment that a transfer belongs to, as its merchant names it: a statement finds it by the
-- primary key. Null for an adjustment. Eight columns still share the one byte that marks nulls.
alter table transfers add column payment_id uuid;
set local enable_hashjoin = on;
set local enable_seqscan = on;
update transfers t set payment_id = p.id from payments p
where p.merchant_id = t.merchant_id and p.key = t.key;

insert into accounts (merchant_id, account, type, country, currency, provider)
select merchant_id, 'reserve' || substr(account, 7), 'reserve', country, currency, provider
from accounts where type = 'wallet'
on conflict do nothing;

update merchant_providers set operations = operations || '{REMITTANCE}'
where 'PAYOUT' = any (operations) and not 'REMITTANCE' = any (operations)
  and exists (select from service_state where environment = 'sandbox');

-- A statement is its own job, held and claimed like a payment. `attempts` counts how often a node
-- began to write the file; it is given up after some.
create table statements (
  merchant_id integer not null,
  id uuid not null,
  key uuid not null,
  created_at timestamptz not null,
  wallet text collate "C" not null,
  start_at timestamptz not null,
  end_at timestamptz not null,
  compressed boolean not null,
  callback_url text not null,
  state text not null check (state in ('PROCESSING', 'COMPLETED', 'FAILED')),
  holder integer not null,
  due_at timestamptz,
  attempts integer not null default 0,
  opening_balance numeric,
  closing_balance numeric,
  file_size bigint,
  -- As it was handed out: a final record never changes, not even with the public address.
  download_url text,
  ended_at timestamptz,
  failure_code text,
  failure_message text,
  -- The pieces are there; they are removed when the statement is old.
  has_file boolean not null default false,
  primary key (merchant_id, id),
  check ((state = 'PROCESSING') = (due_at is not null)),
  check ((state = 'COMPLETED') = (download_url is not null)),
  check ((state = 'FAILED') = (failure_code is not null))
);
create index statements_work on statements (holder, due_at) where due_at is not null;
create index statements_files on statements (ended_at) where has_file;

-- The file, in pieces: any node can write it and any other hand it out.
create table statement_pieces (
  merchant_id integer not null,
  statement_id uuid not null,
  piece integer not null,
  bytes bytea not null,
  primary key (merchant_id, statement_id, piece)
);

-- The simulated operator's own messages: what it says once more, or takes back, after it has
-- answered. `payment_id` is whom to tell.
alter table sandbox_orders add column payment_id uuid, add column news_due_at timestamptz;
create index sandbox_news on sandbox_orders (news_due_at) where news_due_at is not null;

-- Decides for a group of payments, in their order, whether their wallets hold enough. Wallets and
-- reserves stay locked from here on, so that the same statement can move the money. A payment that
-- is short does not stand in the way of a smaller one behind it.
create function decide_holds(
  merchant_ids integer[], kinds text[], ids uuid[], wallets text[], reserves text[],
  amounts numeric[]
) returns text[]
language plpgsql as $$
declare
  verdicts text[] := array_fill(''::text, array[coalesce(cardinality(ids), 0)]);
  item record;
  current_merchant integer;
  current_wallet text;
  remaining numeric;
begin
  perform from accounts a
  join (select unnest(merchant_ids) as merchant_id, unnest(wallets) as account
        union select unnest(merchant_ids), unnest(reserves)) needed
    on a.merchant_id = needed.merchant_id and a.account = needed.account
  order by a.merchant_id, a.account
  for update of a;

  for item in
    -- A join and not "exists", which the planner may answer by reading the whole table once.
    select i.*, p.id is not null as is_repeat
    from unnest(merchant_ids, kinds, ids, wallets, amounts) with ordinality
      as i (merchant_id, kind, id, wallet, amount, at)
    left join payments p
      on p.merchant_id = i.merchant_id and p.kind = i.kind and p.id = i.id
    order by i.merchant_id, i.wallet, i.at
  loop
    if item.is_repeat then
      verdicts[item.at] := 'REPEAT';
      continue;
    end if;
    if current_merchant is distinct from item.merchant_id
      or current_wallet is distinct from item.wallet
    then
      current_merchant := item.merchant_id;
      current_wallet := item.wallet;
      select a.balance into remaining from accounts a
      where a.merchant_id = item.merchant_id and a.account = item.wallet;
    end if;
    if remaining >= item.amount then
      remaining := remaining - item.amount;
      verdicts[item.at] := 'HELD';
    else
      verdicts[item.at] := 'SHORT';
    end if;
  end loop;
  return verdicts;
end
$$;

-- Somebody else stored the same identifier between the decision and the insertion: nothing of the
-- group may stand, and it is tried again.
create function accept_guard(expected bigint, stored bigint) returns boolean
language plpgsql immutable as $$
begin
  if expected is distinct from stored then
    raise exception 'accept_guard: % to store, % stored', expected, stored
      using errcode = 'serialization_failure';
  end if;
  return true;
end
$$;
