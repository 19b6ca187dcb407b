-- Older nodes go on: they know neither passkeys nor providers, and ask for the password as before.
-- Passkeys: a second factor, or instead of a password.
create table passkeys (
  credential_id text primary key,
  user_id integer not null references users,
  name text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  created_at timestamptz not null,
  used_at timestamptz
);

create index passkeys_of_user on passkeys (user_id);

-- What a passkey signed counts once. Only what was signed well is written here, so that strangers
-- cannot fill it.
create table used_challenges (
  challenge text primary key,
  expires_at timestamptz not null
);

-- A merchant whose people sign in with a provider of their own (OpenID Connect). E-mails of these
-- domains are led there.
create table merchant_sign_ins (
  merchant_id integer primary key references merchants,
  issuer text not null,
  client_id text not null,
  sealed_client_secret text not null,
  domains text[] not null,
  changed_at timestamptz not null
);

create index merchant_sign_ins_by_domain on merchant_sign_ins using gin (domains);

-- The provider of one merchant says nothing about who somebody is at another one: such a session is
-- for this merchant alone.
alter table user_sessions add column only_merchant_id integer;

create index user_links_by_age on user_links (expires_at);
create index mails_by_age on mails (at);

-- The audit log by who and by what, newest first.
create index audit_entries_by_actor on audit_entries (merchant_id, actor, number);
create index audit_entries_by_action on audit_entries (merchant_id, action, number);
