-- A receiver that answers 410 wants nothing more: its endpoint is paused, and what it was to be told
-- waits as PAUSED until the address is saved again or a resend is asked for. Many callbacks can be
-- sent again by one replay.

-- `saves` counts how often the address was saved, so that an answer to an attempt from before cannot
-- pause what was saved after it.
alter table callback_urls
  add column saves integer not null default 1,
  add column paused_at timestamptz;
create index callback_urls_paused on callback_urls (paused_at) where paused_at is not null;

alter table callbacks drop constraint callbacks_status_check;
alter table callbacks add constraint callbacks_status_check
  check (status in ('PENDING', 'DELIVERED', 'GIVEN_UP', 'PAUSED'));

-- Both hold only what went wrong: a callback that is delivered never touches them.
create index callbacks_unsent on callbacks (merchant_id, payment_key, state)
  where status in ('GIVEN_UP', 'PAUSED');
create index callbacks_paused on callbacks (merchant_id, kind) where status = 'PAUSED';

-- A replay is its own job. Each step takes the next callbacks in the order of their keys, which is
-- the order of time, and moves on in the same transaction; whoever finds it due goes on with it.
create table callback_replays (
  merchant_id integer not null,
  id uuid not null,
  started_at timestamptz not null,
  filter jsonb not null,
  per_second integer not null check (per_second between 1 and 1000),
  matched bigint not null,
  sent bigint not null default 0,
  -- How far it has come: which of the statuses asked for, and the last callback of it.
  at_status integer not null default 0,
  after_key uuid,
  due_at timestamptz,
  ended_at timestamptz,
  stopped boolean not null default false,
  primary key (merchant_id, id),
  check ((due_at is null) = (ended_at is not null))
);
create index callback_replays_work on callback_replays (due_at) where due_at is not null;
