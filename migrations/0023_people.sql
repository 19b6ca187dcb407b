-- People who sign in, by e-mail. A person belongs to merchants, or is staff of who runs the service.
create table users (
  user_id integer generated always as identity primary key,
  email text not null unique check (email = lower(email)),
  name text not null default '',
  is_staff boolean not null default false,
  password_hash text,
  -- The key of the authenticator, sealed; it counts once a code of it was given.
  sealed_code_key text,
  code_since timestamptz,
  -- The last step whose code was taken: none is taken twice.
  code_step bigint not null default 0,
  language text check (language in ('en', 'fr')),
  time_zone text not null default 'UTC',
  created_at timestamptz not null,
  disabled_at timestamptz
);

create table memberships (
  merchant_id integer not null references merchants,
  user_id integer not null references users,
  role text not null,
  -- None: all countries.
  countries text[] not null default '{}',
  created_at timestamptz not null,
  joined_at timestamptz,
  disabled_at timestamptz,
  seen_at timestamptz,
  primary key (merchant_id, user_id)
);

create index memberships_of_user on memberships (user_id);

-- Codes for when the authenticator is lost; each works once.
create table recovery_codes (
  user_id integer not null references users,
  hash bytea not null,
  used_at timestamptz,
  primary key (user_id, hash)
);

-- Links that work once: to set a password, or to sign in.
create table user_links (
  hash bytea primary key,
  user_id integer not null references users,
  purpose text not null check (purpose in ('PASSWORD', 'SIGN_IN')),
  expires_at timestamptz not null
);

create table user_sessions (
  hash bytea primary key,
  user_id integer not null references users,
  merchant_id integer,
  -- False while the second factor is still to come.
  is_complete boolean not null,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  -- When the person last proved who they are.
  confirmed_at timestamptz not null,
  address text not null,
  agent text not null
);

create index user_sessions_of_user on user_sessions (user_id);
create index user_sessions_by_age on user_sessions (created_at);

-- Failed sign-ins, by account and by address.
create table sign_in_failures (
  subject text primary key,
  failures integer not null,
  last_at timestamptz not null
);

create index sign_in_failures_by_age on sign_in_failures (last_at);

-- Sandbox: mail that nobody sends.
create table mails (
  number bigint generated always as identity primary key,
  at timestamptz not null,
  recipient text not null,
  subject text not null,
  text text not null
);

-- Who changed what. Each entry carries a hash over itself and the hash before it, so that none can
-- be changed or taken out unnoticed. Merchant 0: the staff.
create table audit_heads (
  merchant_id integer primary key,
  number bigint not null,
  hash bytea not null
);

create table audit_entries (
  merchant_id integer not null,
  number bigint not null,
  at timestamptz not null,
  actor text not null,
  action text not null,
  object text not null,
  address text not null,
  before jsonb,
  after jsonb,
  hash bytea not null,
  primary key (merchant_id, number)
);

-- Lists, newest first: a key is ordered by time.
create index payments_listed on payments (merchant_id, kind, key);
create index split_payments_listed on split_payments (merchant_id, key);
create index checkouts_listed on checkouts (merchant_id, key);
