-- Older nodes go on: they let people in with the password alone, as before, and mail nothing.
-- Codes by mail: the second factor of people who have no other one. A code belongs to the session
-- between the two steps, so that it is of no use in another browser.
create table mailed_codes (
  session_hash bytea primary key references user_sessions (hash) on delete cascade,
  code_hash bytea not null,
  tries integer not null default 0,
  expires_at timestamptz not null
);

-- People who get a mail when the status of a provider changes.
create table status_subscriptions (
  user_id integer not null references users,
  merchant_id integer not null references merchants,
  -- Null: every country that the person may see.
  country text,
  -- Of people who have not chosen one: the language in which they subscribed.
  language text not null check (language in ('en', 'fr')),
  -- The changes of provider_health_history up to this number are dealt with.
  done_number bigint not null,
  mailed_at timestamptz,
  -- Not before: a node is at it, or the mail server was away.
  due_at timestamptz not null,
  tries integer not null default 0,
  primary key (user_id, merchant_id)
);
