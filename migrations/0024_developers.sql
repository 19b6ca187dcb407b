-- What people know a token by, who made it, until when it works, and when it was last of use.
alter table api_tokens
  add column last_four text not null default '',
  -- An e-mail or the command line; empty where the sandbox made it for itself.
  add column created_by text not null default '',
  add column expires_at timestamptz,
  -- Written behind the requests, every few seconds.
  add column last_used_at timestamptz;

alter table merchant_keys
  add column used_count bigint not null default 0,
  add column last_used_at timestamptz;

-- When the receiver at this address last took a callback; written behind the attempts.
alter table callback_urls add column last_success_at timestamptz;

-- What merchants asked of the API and what was answered, without what is secret or personal.
-- Written behind the answers and kept for two weeks.
create table api_requests (
  merchant_id integer not null,
  at timestamptz not null,
  request_id text collate "C" not null,
  token_id text not null,
  method text not null,
  path text not null,
  status smallint not null,
  -- What the answer says became of it: ACCEPTED, REJECTED, DUPLICATE_IGNORED, …
  outcome text,
  failure_code text,
  duration_ms real not null,
  -- Which payments and other records it names, and the countries of these.
  ids text[] not null,
  countries text[] not null,
  -- Null where there was none, and where it was too large or could not be read.
  request_body text,
  request_bytes integer not null,
  answer_body text,
  answer_bytes integer not null,
  primary key (merchant_id, at, request_id)
);
