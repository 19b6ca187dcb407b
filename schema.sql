-- The schema after all migrations, for reading and review. Made by "npm run db:dump"; a test
-- compares it with what the migrations give. Not used by the service itself.

create table account_day_types (
  merchant_id integer not null,
  account text collate "C" not null,
  day date not null,
  seen text not null,
  sums jsonb not null,
  constraint account_day_types_pkey PRIMARY KEY (merchant_id, account, day)
);

create table account_days (
  merchant_id integer not null,
  account text collate "C" not null,
  day date not null,
  change numeric not null,
  constraint account_days_pkey PRIMARY KEY (merchant_id, account, day)
) with (fillfactor=50);

create table accounts (
  merchant_id integer not null,
  account text collate "C" not null,
  type text not null,
  country text,
  currency text not null,
  provider text,
  balance numeric default 0 not null,
  constraint accounts_pkey PRIMARY KEY (merchant_id, account),
  constraint money_is_never_overdrawn CHECK (((type <> ALL (ARRAY['wallet'::text, 'reserve'::text])) OR (balance >= (0)::numeric)))
) with (fillfactor=50);

create table api_requests (
  merchant_id integer not null,
  at timestamp with time zone not null,
  request_id text collate "C" not null,
  token_id text not null,
  method text not null,
  path text not null,
  status smallint not null,
  outcome text,
  failure_code text,
  duration_ms real not null,
  ids text[] not null,
  countries text[] not null,
  request_body text,
  request_bytes integer not null,
  answer_body text,
  answer_bytes integer not null,
  constraint api_requests_pkey PRIMARY KEY (merchant_id, at, request_id)
);

create table api_tokens (
  merchant_id integer not null,
  token_id text not null,
  hash bytea not null,
  label text not null,
  scopes text[] not null,
  created_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  last_four text default ''::text not null,
  created_by text default ''::text not null,
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  constraint api_tokens_pkey PRIMARY KEY (merchant_id, token_id),
  constraint api_tokens_hash_key UNIQUE (hash)
);

create table archived_sums (
  merchant_id integer not null,
  account text collate "C" not null,
  year integer not null,
  transfers bigint not null,
  change numeric not null,
  turnover numeric not null,
  by_hand bigint not null,
  changed_by_hand numeric not null,
  turned_by_hand numeric not null,
  constraint archived_sums_pkey PRIMARY KEY (merchant_id, account, year)
);

create table archived_years (
  merchant_id integer not null,
  year integer not null,
  manifest_hash bytea not null,
  begun_at timestamp with time zone not null,
  removed_before timestamp with time zone not null,
  transfers bigint default 0 not null,
  events bigint default 0 not null,
  callbacks bigint default 0 not null,
  attempts bigint default 0 not null,
  exchanges bigint default 0 not null,
  ended_at timestamp with time zone,
  constraint archived_years_pkey PRIMARY KEY (merchant_id, year),
  constraint archived_years_year_check CHECK (((year >= 2000) AND (year <= 9998)))
);

create table audit_entries (
  merchant_id integer not null,
  number bigint not null,
  at timestamp with time zone not null,
  actor text not null,
  action text not null,
  object text not null,
  address text not null,
  before jsonb,
  after jsonb,
  hash bytea not null,
  constraint audit_entries_pkey PRIMARY KEY (merchant_id, number)
);

create table audit_heads (
  merchant_id integer not null,
  number bigint not null,
  hash bytea not null,
  constraint audit_heads_pkey PRIMARY KEY (merchant_id)
);

create table branding (
  merchant_id integer not null,
  display_name text,
  accent text,
  accent_dark text,
  support text,
  language text,
  logo bytea,
  logo_type text,
  logo_hash text,
  logo_width integer,
  logo_height integer,
  constraint branding_pkey PRIMARY KEY (merchant_id),
  constraint branding_accent_check CHECK ((accent ~ '^#[0-9a-f]{6}$'::text)),
  constraint branding_accent_dark_check CHECK ((accent_dark ~ '^#[0-9a-f]{6}$'::text)),
  constraint branding_check CHECK ((((logo IS NULL) = (logo_hash IS NULL)) AND ((logo IS NULL) = (logo_type IS NULL)))),
  constraint branding_language_check CHECK ((language = ANY (ARRAY['en'::text, 'fr'::text]))),
  constraint branding_logo_check CHECK ((octet_length(logo) <= 4096)),
  constraint branding_logo_type_check CHECK ((logo_type = ANY (ARRAY['image/svg+xml'::text, 'image/png'::text])))
);

create table bulk_payout_rows (
  merchant_id integer not null,
  bulk_id uuid not null,
  number integer not null,
  payout_id text not null,
  fields jsonb not null,
  country text,
  state text default 'WAITING'::text not null,
  failure_code text,
  failure_message text,
  sent_at timestamp with time zone,
  constraint bulk_payout_rows_pkey PRIMARY KEY (merchant_id, bulk_id, number),
  constraint bulk_payout_rows_state_check CHECK ((state = ANY (ARRAY['WAITING'::text, 'ACCEPTED'::text, 'REJECTED'::text, 'DUPLICATE'::text])))
);

create table bulk_payouts (
  merchant_id integer not null,
  id uuid not null,
  name text not null,
  file_hash bytea not null,
  state text default 'DRAFT'::text not null,
  version integer default 1 not null,
  created_at timestamp with time zone not null,
  created_by integer not null,
  submitted_at timestamp with time zone,
  decided_at timestamp with time zone,
  decided_by integer,
  reason text,
  row_count integer not null,
  totals jsonb not null,
  countries text[] not null,
  sent_at timestamp with time zone,
  ended_at timestamp with time zone,
  holder integer default 0 not null,
  due_at timestamp with time zone,
  constraint bulk_payouts_pkey PRIMARY KEY (merchant_id, id),
  constraint bulk_payouts_check CHECK (((state = ANY (ARRAY['APPROVED'::text, 'SENDING'::text])) = (due_at IS NOT NULL))),
  constraint bulk_payouts_check1 CHECK ((decided_by <> created_by)),
  constraint bulk_payouts_state_check CHECK ((state = ANY (ARRAY['DRAFT'::text, 'NEEDS_APPROVAL'::text, 'APPROVED'::text, 'SENDING'::text, 'DONE'::text, 'PARTLY_FAILED'::text])))
);

create table callback_attempts (
  merchant_id integer not null,
  payment_key uuid not null,
  state text not null,
  attempt integer not null,
  at timestamp with time zone not null,
  duration_ms integer not null,
  url text not null,
  signed_at timestamp with time zone,
  key_id text,
  signature text,
  http_status integer,
  answer text,
  reason text,
  next_at timestamp with time zone,
  constraint callback_attempts_pkey PRIMARY KEY (merchant_id, payment_key, state, attempt)
);

create table callback_replays (
  merchant_id integer not null,
  id uuid not null,
  started_at timestamp with time zone not null,
  filter jsonb not null,
  per_second integer not null,
  matched bigint not null,
  sent bigint default 0 not null,
  at_status integer default 0 not null,
  after_key uuid,
  due_at timestamp with time zone,
  ended_at timestamp with time zone,
  stopped boolean default false not null,
  constraint callback_replays_pkey PRIMARY KEY (merchant_id, id),
  constraint callback_replays_check CHECK (((due_at IS NULL) = (ended_at IS NOT NULL))),
  constraint callback_replays_per_second_check CHECK (((per_second >= 1) AND (per_second <= 1000)))
);

create table callback_urls (
  merchant_id integer not null,
  kind text not null,
  url text not null,
  saves integer default 1 not null,
  paused_at timestamp with time zone,
  last_success_at timestamp with time zone,
  constraint callback_urls_pkey PRIMARY KEY (merchant_id, kind)
);

create table callbacks (
  merchant_id integer not null,
  payment_key uuid not null,
  state text not null,
  kind text not null,
  payment_id uuid not null,
  created_at timestamp with time zone not null,
  status text not null,
  holder integer not null,
  due_at timestamp with time zone,
  round_started_at timestamp with time zone not null,
  tries integer not null,
  attempts integer not null,
  resend boolean not null,
  feed_transaction xid8,
  first_at timestamp with time zone,
  first_duration_ms integer,
  first_url text,
  first_signed_at timestamp with time zone,
  first_key_id text,
  first_signature text,
  first_http_status integer,
  first_answer text,
  under_way_until timestamp with time zone,
  constraint callbacks_pkey PRIMARY KEY (merchant_id, payment_key, state),
  constraint callbacks_check CHECK (((status = 'PENDING'::text) = (due_at IS NOT NULL))),
  constraint callbacks_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'DELIVERED'::text, 'GIVEN_UP'::text, 'PAUSED'::text, 'NO_ADDRESS'::text])))
) with (fillfactor=95);

create table cases (
  merchant_id integer not null,
  payment_key uuid not null,
  cause text not null,
  kind text not null,
  payment_id uuid not null,
  opened_at timestamp with time zone not null,
  reported text,
  closed_at timestamp with time zone,
  resolution text,
  resolved_by text,
  note text,
  number integer default 1 not null,
  last_reported text,
  constraint cases_pkey PRIMARY KEY (merchant_id, payment_key, cause, number),
  constraint cases_cause_check CHECK ((cause = ANY (ARRAY['UNKNOWN_OUTCOME'::text, 'CONTRADICTION'::text]))),
  constraint cases_check CHECK (((cause = 'CONTRADICTION'::text) = (reported IS NOT NULL))),
  constraint cases_check1 CHECK (((closed_at IS NULL) = (resolution IS NULL))),
  constraint cases_reported_check CHECK ((reported = ANY (ARRAY['COMPLETED'::text, 'FAILED'::text])))
);

create table checkouts (
  merchant_id integer not null,
  id uuid not null,
  id_as_sent text not null,
  key uuid not null,
  code_hash bytea not null,
  created_at timestamp with time zone not null,
  terms jsonb not null,
  expires_after interval not null,
  expires_at timestamp with time zone not null,
  expiry_asked_at timestamp with time zone,
  state text default 'WAITING_PAYMENT'::text not null,
  attempts integer default 0 not null,
  latest_attempt uuid,
  due_at timestamp with time zone,
  ended_at timestamp with time zone,
  on_hold boolean default false not null,
  paid_attempt uuid,
  constraint checkouts_pkey PRIMARY KEY (id, merchant_id),
  constraint checkouts_code_hash_key UNIQUE (code_hash),
  constraint checkouts_check CHECK (((state = 'WAITING_PAYMENT'::text) = (due_at IS NOT NULL))),
  constraint checkouts_check1 CHECK (((state = ANY (ARRAY['WAITING_PAYMENT'::text, 'PROCESSING'::text])) = (ended_at IS NULL))),
  constraint checkouts_state_check CHECK ((state = ANY (ARRAY['WAITING_PAYMENT'::text, 'PROCESSING'::text, 'COMPLETED'::text, 'FAILED'::text, 'EXPIRED'::text, 'CANCELLED'::text])))
) with (fillfactor=70);

create table counted_hours (
  merchant_id integer not null,
  until timestamp with time zone not null,
  open_hours timestamp with time zone[] default '{}'::timestamp with time zone[] not null,
  constraint counted_hours_pkey PRIMARY KEY (merchant_id)
);

create table export_pieces (
  merchant_id integer not null,
  export_id uuid not null,
  piece integer not null,
  bytes bytea not null,
  constraint export_pieces_pkey PRIMARY KEY (merchant_id, export_id, piece)
);

create table exports (
  merchant_id integer not null,
  id uuid not null,
  user_id integer not null,
  created_at timestamp with time zone not null,
  subject jsonb not null,
  format text not null,
  shows_pii boolean not null,
  state text not null,
  holder integer not null,
  due_at timestamp with time zone,
  attempts integer default 0 not null,
  rows bigint default 0 not null,
  file_size bigint,
  ended_at timestamp with time zone,
  failure text,
  has_file boolean default false not null,
  constraint exports_pkey PRIMARY KEY (merchant_id, id),
  constraint exports_check CHECK (((state = 'PROCESSING'::text) = (due_at IS NOT NULL))),
  constraint exports_check1 CHECK (((state = 'COMPLETED'::text) = (file_size IS NOT NULL))),
  constraint exports_check2 CHECK (((state = 'FAILED'::text) = (failure IS NOT NULL))),
  constraint exports_format_check CHECK ((format = ANY (ARRAY['csv'::text, 'csv.gz'::text, 'pdf'::text]))),
  constraint exports_state_check CHECK ((state = ANY (ARRAY['PROCESSING'::text, 'COMPLETED'::text, 'FAILED'::text])))
);

create table legacy_usage (
  merchant_id integer not null,
  call text not null,
  field text not null,
  count bigint not null,
  last_used timestamp with time zone not null,
  constraint legacy_usage_pkey PRIMARY KEY (merchant_id, call, field)
);

create table listeners (
  merchant_id integer not null,
  asked_at timestamp with time zone not null,
  constraint listeners_pkey PRIMARY KEY (merchant_id)
);

create table mailed_codes (
  session_hash bytea not null,
  code_hash bytea not null,
  tries integer default 0 not null,
  expires_at timestamp with time zone not null,
  constraint mailed_codes_pkey PRIMARY KEY (session_hash)
);

create table mails (
  number bigint generated always as identity not null,
  at timestamp with time zone not null,
  recipient text not null,
  subject text not null,
  text text not null,
  constraint mails_pkey PRIMARY KEY (number)
);

create table memberships (
  merchant_id integer not null,
  user_id integer not null,
  role text not null,
  countries text[] default '{}'::text[] not null,
  created_at timestamp with time zone not null,
  joined_at timestamp with time zone,
  disabled_at timestamp with time zone,
  seen_at timestamp with time zone,
  constraint memberships_pkey PRIMARY KEY (merchant_id, user_id)
);

create table merchant_keys (
  merchant_id integer not null,
  key_id text not null,
  public_key text not null,
  created_at timestamp with time zone not null,
  used_count bigint default 0 not null,
  last_used_at timestamp with time zone,
  constraint merchant_keys_pkey PRIMARY KEY (merchant_id, key_id)
);

create table merchant_providers (
  merchant_id integer not null,
  provider text not null,
  operations text[] not null,
  constraint merchant_providers_pkey PRIMARY KEY (merchant_id, provider)
);

create table merchant_sign_ins (
  merchant_id integer not null,
  issuer text not null,
  client_id text not null,
  sealed_client_secret text not null,
  domains text[] not null,
  changed_at timestamp with time zone not null,
  constraint merchant_sign_ins_pkey PRIMARY KEY (merchant_id)
);

create table merchants (
  merchant_id integer generated by default as identity not null,
  slug text not null,
  name text not null,
  suspended_at timestamp with time zone,
  signed_callbacks boolean default true not null,
  ecdsa_encoding text default 'DER'::text not null,
  created_at timestamp with time zone not null,
  signed_requests_only boolean default false not null,
  receiver_fails boolean default false not null,
  max_signature_age integer,
  cover_authority boolean default false not null,
  own_key_id boolean default false not null,
  return_schemes text[] default '{}'::text[] not null,
  any_uuid boolean default false not null,
  constraint merchants_pkey PRIMARY KEY (merchant_id),
  constraint merchants_slug_key UNIQUE (slug),
  constraint merchants_ecdsa_encoding_check CHECK ((ecdsa_encoding = ANY (ARRAY['DER'::text, 'RAW'::text]))),
  constraint merchants_max_signature_age_check CHECK (((max_signature_age >= 1) AND (max_signature_age <= 86400)))
);

create table nodes (
  node_id integer generated always as identity not null,
  machine text not null,
  pid integer not null,
  beat bigint not null,
  version text not null,
  started_at timestamp with time zone not null,
  pulse bigint default 0 not null,
  constraint nodes_pkey PRIMARY KEY (node_id)
);

create table operator_accounts (
  name text not null,
  connector text not null,
  base_url text not null,
  providers jsonb not null,
  priority integer not null,
  enabled boolean default true not null,
  settings jsonb not null,
  sealed_secrets text not null,
  callback_secret text not null,
  callback_sources text[] default '{}'::text[] not null,
  limits jsonb default '{}'::jsonb not null,
  created_at timestamp with time zone not null,
  constraint operator_accounts_pkey PRIMARY KEY (name)
);

create table operator_breakers (
  account text not null,
  operation text not null,
  reason text not null,
  since timestamp with time zone not null,
  trials integer default 0 not null,
  trial_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  constraint operator_breakers_pkey PRIMARY KEY (account, operation)
);

create table operator_exchanges (
  merchant_id integer not null,
  payment_key uuid not null,
  number bigint generated always as identity not null,
  at timestamp with time zone not null,
  account text not null,
  what text not null,
  request text not null,
  http_status integer,
  answer text,
  reason text,
  outcome text,
  duration_ms integer not null,
  constraint operator_exchanges_pkey PRIMARY KEY (merchant_id, payment_key, number),
  constraint operator_exchanges_what_check CHECK ((what = ANY (ARRAY['submit'::text, 'query'::text, 'callback'::text])))
);

create table operator_float_notes (
  number bigint generated always as identity not null,
  account text not null,
  currency text not null,
  at timestamp with time zone not null,
  amount numeric not null,
  accepted_by text not null,
  note text not null,
  constraint operator_float_notes_pkey PRIMARY KEY (number)
);

create table operator_floats (
  account text not null,
  currency text not null,
  at timestamp with time zone not null,
  products jsonb not null,
  stated numeric not null,
  ledger numeric not null,
  accepted numeric not null,
  under_way numeric default 0 not null,
  differs_since timestamp with time zone,
  constraint operator_floats_pkey PRIMARY KEY (account, currency)
);

create table operator_readings (
  account text not null,
  due_at timestamp with time zone not null,
  constraint operator_readings_pkey PRIMARY KEY (account)
);

create table page_sessions (
  merchant_id integer not null,
  key uuid not null,
  token_hash bytea not null,
  deposit_id uuid not null,
  deposit_id_as_sent text not null,
  generation text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  terms jsonb not null,
  constraint page_sessions_pkey PRIMARY KEY (merchant_id, key),
  constraint page_sessions_token_hash_key UNIQUE (token_hash)
);

create table passkeys (
  credential_id text not null,
  user_id integer not null,
  name text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint passkeys_pkey PRIMARY KEY (credential_id)
);

create table payment_combinations (
  merchant_id integer not null,
  kind text not null,
  country text not null,
  provider text not null,
  currency text not null,
  state text not null,
  failure_code text not null,
  source text not null,
  constraint payment_combinations_pkey PRIMARY KEY (merchant_id, kind, country, provider, currency, state, failure_code, source)
);

create table payment_events (
  merchant_id integer not null,
  payment_key uuid not null,
  state text not null,
  at timestamp with time zone not null,
  constraint payment_events_pkey PRIMARY KEY (merchant_id, payment_key, state)
);

create table payment_hours (
  merchant_id integer not null,
  hour timestamp with time zone not null,
  kind text collate "C" not null,
  country text collate "C" not null,
  provider text collate "C" not null,
  currency text collate "C" not null,
  state text collate "C" not null,
  failure_code text collate "C" not null,
  payments bigint not null,
  amount numeric not null,
  constraint payment_hours_pkey PRIMARY KEY (merchant_id, hour, kind, country, provider, currency, state, failure_code) INCLUDE (payments, amount)
);

create table payment_links (
  merchant_id integer not null,
  id uuid not null,
  kind text not null,
  key uuid not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  created_by integer not null,
  amount text,
  currency text,
  country text,
  reason text,
  reference text,
  constraint payment_links_pkey PRIMARY KEY (id, merchant_id),
  constraint payment_links_kind_check CHECK ((kind = ANY (ARRAY['PAGE'::text, 'CHECKOUT'::text])))
);

create table payment_terms (
  merchant_id integer not null,
  term bigint not null,
  key uuid not null,
  constraint payment_terms_pkey PRIMARY KEY (merchant_id, term, key)
);

create table payments (
  merchant_id integer not null,
  kind text not null,
  id uuid not null,
  key uuid not null,
  generation text not null,
  created_at timestamp with time zone not null,
  amount numeric not null,
  currency text not null,
  country text not null,
  provider text not null,
  phone_number text not null,
  id_as_sent text,
  details jsonb,
  state text not null,
  holder integer not null,
  due_at timestamp with time zone,
  submitted_at timestamp with time zone,
  provider_reference text,
  provider_transaction_id text,
  failure_code text,
  failure_message text,
  pre_authorisation_code text,
  held_from text collate "C",
  refund_of uuid,
  split_id uuid,
  ended_at timestamp with time zone,
  authorization_url text,
  checkout_id uuid,
  unknown_since timestamp with time zone,
  operator_account text,
  operator_ids jsonb,
  constraint payments_pkey PRIMARY KEY (id, kind, merchant_id),
  constraint payments_amount_check CHECK ((amount > (0)::numeric)),
  constraint payments_check CHECK (((state = ANY (ARRAY['COMPLETED'::text, 'FAILED'::text])) = (due_at IS NULL))),
  constraint payments_check1 CHECK (((state = 'FAILED'::text) = (failure_code IS NOT NULL)))
) with (fillfactor=70);

create table provider_availability (
  merchant_id integer not null,
  provider text not null,
  operation text not null,
  status text not null,
  since timestamp with time zone,
  constraint provider_availability_pkey PRIMARY KEY (merchant_id, provider, operation),
  constraint provider_availability_status_check CHECK ((status = ANY (ARRAY['OPERATIONAL'::text, 'DELAYED'::text, 'CLOSED'::text])))
);

create table provider_health (
  provider text not null,
  operation text not null,
  decided_by text not null,
  status text not null,
  reason text not null,
  since timestamp with time zone not null,
  constraint provider_health_pkey PRIMARY KEY (provider, operation, decided_by),
  constraint provider_health_decided_by_check CHECK ((decided_by = ANY (ARRAY['PERSON'::text, 'SERVICE'::text]))),
  constraint provider_health_status_check CHECK ((status = ANY (ARRAY['OPERATIONAL'::text, 'DELAYED'::text, 'CLOSED'::text])))
);

create table provider_health_history (
  number bigint generated always as identity not null,
  at timestamp with time zone not null,
  provider text not null,
  operation text not null,
  decided_by text not null,
  status text not null,
  reason text not null,
  merchant_id integer,
  constraint provider_health_history_pkey PRIMARY KEY (number)
);

create table recovery_codes (
  user_id integer not null,
  hash bytea not null,
  used_at timestamp with time zone,
  constraint recovery_codes_pkey PRIMARY KEY (user_id, hash)
);

create table sandbox_approvals (
  merchant_id integer not null,
  reference text collate "C" not null,
  phone_number text not null,
  asked_on text not null,
  opened_at timestamp with time zone not null,
  shown_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  wrong_pins integer default 0 not null,
  verdict text,
  decided_at timestamp with time zone,
  constraint sandbox_approvals_pkey PRIMARY KEY (merchant_id, reference),
  constraint sandbox_approvals_asked_on_check CHECK ((asked_on = ANY (ARRAY['PHONE'::text, 'PAGE'::text]))),
  constraint sandbox_approvals_check CHECK (((verdict IS NULL) = (decided_at IS NULL))),
  constraint sandbox_approvals_verdict_check CHECK ((verdict = ANY (ARRAY['APPROVED'::text, 'DECLINED'::text, 'EXPIRED'::text])))
);

create table sandbox_codes (
  merchant_id integer not null,
  phone_number text not null,
  code text not null,
  made_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint sandbox_codes_pkey PRIMARY KEY (merchant_id, phone_number, code)
);

create table sandbox_orders (
  merchant_id integer not null,
  reference text collate "C" not null,
  operation text not null,
  phone_number text not null,
  provider text not null,
  amount numeric not null,
  currency text not null,
  received_at timestamp with time zone not null,
  story jsonb,
  asked integer not null,
  payment_id uuid,
  notify_at timestamp with time zone,
  constraint sandbox_orders_pkey PRIMARY KEY (reference, merchant_id)
);

create table sandbox_phones (
  merchant_id integer not null,
  phone_number text not null,
  story jsonb,
  mode text default 'auto'::text not null,
  constraint sandbox_phones_pkey PRIMARY KEY (merchant_id, phone_number),
  constraint sandbox_phones_mode_check CHECK ((mode = ANY (ARRAY['auto'::text, 'interactive'::text])))
);

create table saved_views (
  merchant_id integer not null,
  user_id integer not null,
  place text not null,
  name text not null,
  query text not null,
  is_shared boolean not null,
  is_default boolean not null,
  constraint saved_views_pkey PRIMARY KEY (merchant_id, user_id, place, name)
);

create table schema_migrations (
  number integer not null,
  file text not null,
  hash text not null,
  constraint schema_migrations_pkey PRIMARY KEY (number)
);

create table sendings (
  node_id integer not null,
  batch integer not null,
  begun_at timestamp with time zone not null,
  urls text[] not null,
  merchant_ids integer[] not null,
  payment_keys uuid[] not null,
  states text[] not null,
  attempts integer[] not null,
  url_at integer[] not null,
  kinds text[],
  payment_ids uuid[],
  constraint sendings_pkey PRIMARY KEY (node_id, batch)
) with (toast_tuple_target=8160);

create table service_state (
  only_row boolean default true not null,
  environment text not null,
  clock_offset_ms bigint default 0 not null,
  config_version bigint default 0 not null,
  sealed_sandbox_token text,
  database_id uuid default gen_random_uuid() not null,
  restored_at timestamp with time zone,
  lineage text,
  last_node integer default 0 not null,
  constraint service_state_pkey PRIMARY KEY (only_row),
  constraint service_state_environment_check CHECK ((environment = ANY (ARRAY['sandbox'::text, 'production'::text]))),
  constraint service_state_only_row_check CHECK (only_row)
);

create table sign_in_failures (
  subject text not null,
  failures integer not null,
  last_at timestamp with time zone not null,
  constraint sign_in_failures_pkey PRIMARY KEY (subject)
);

create table signature_checks (
  merchant_id integer not null,
  day date not null,
  verdict text not null,
  count bigint not null,
  last_at timestamp with time zone not null,
  constraint signature_checks_pkey PRIMARY KEY (merchant_id, day, verdict)
);

create table signing_keys (
  key_number integer not null,
  public_key text not null,
  sealed_private_key text not null,
  created_at timestamp with time zone not null,
  retired_at timestamp with time zone,
  withdrawn_at timestamp with time zone,
  constraint signing_keys_pkey PRIMARY KEY (key_number)
);

create table split_payments (
  merchant_id integer not null,
  id uuid not null,
  key uuid not null,
  id_as_sent text,
  generation text not null,
  created_at timestamp with time zone not null,
  parts jsonb not null,
  open_parts integer not null,
  failed_parts integer default 0 not null,
  state text default 'OPEN'::text not null,
  constraint split_payments_pkey PRIMARY KEY (id, merchant_id),
  constraint split_payments_open_parts_check CHECK ((open_parts >= 0)),
  constraint split_payments_state_check CHECK ((state = ANY (ARRAY['OPEN'::text, 'COMPLETED'::text, 'PAYOUT_FAILED'::text, 'FAILED'::text])))
);

create table statement_pieces (
  merchant_id integer not null,
  statement_id uuid not null,
  piece integer not null,
  bytes bytea not null,
  constraint statement_pieces_pkey PRIMARY KEY (merchant_id, statement_id, piece)
);

create table statements (
  merchant_id integer not null,
  id uuid not null,
  key uuid not null,
  created_at timestamp with time zone not null,
  wallet text collate "C" not null,
  start_at timestamp with time zone not null,
  end_at timestamp with time zone not null,
  compressed boolean not null,
  callback_url text not null,
  state text not null,
  holder integer not null,
  due_at timestamp with time zone,
  attempts integer default 0 not null,
  opening_balance numeric,
  closing_balance numeric,
  file_size bigint,
  download_url text,
  ended_at timestamp with time zone,
  failure_code text,
  failure_message text,
  has_file boolean default false not null,
  shows_pii boolean default false not null,
  constraint statements_pkey PRIMARY KEY (merchant_id, id),
  constraint statements_check CHECK (((state = 'PROCESSING'::text) = (due_at IS NOT NULL))),
  constraint statements_check1 CHECK (((state = 'COMPLETED'::text) = (download_url IS NOT NULL))),
  constraint statements_check2 CHECK (((state = 'FAILED'::text) = (failure_code IS NOT NULL))),
  constraint statements_state_check CHECK ((state = ANY (ARRAY['PROCESSING'::text, 'COMPLETED'::text, 'FAILED'::text])))
);

create table status_subscriptions (
  user_id integer not null,
  merchant_id integer not null,
  country text,
  language text not null,
  done_number bigint not null,
  mailed_at timestamp with time zone,
  due_at timestamp with time zone not null,
  tries integer default 0 not null,
  constraint status_subscriptions_pkey PRIMARY KEY (user_id, merchant_id),
  constraint status_subscriptions_language_check CHECK ((language = ANY (ARRAY['en'::text, 'fr'::text])))
);

create table transfers (
  merchant_id integer not null,
  key uuid not null,
  cause text not null,
  debit text collate "C" not null,
  credit text collate "C" not null,
  amount numeric not null,
  at timestamp with time zone not null,
  payment_id uuid,
  constraint transfers_pkey PRIMARY KEY (merchant_id, key, cause),
  constraint transfers_amount_check CHECK ((amount > (0)::numeric)),
  constraint transfers_check CHECK ((debit <> credit))
);

create table used_challenges (
  challenge text not null,
  expires_at timestamp with time zone not null,
  constraint used_challenges_pkey PRIMARY KEY (challenge)
);

create table used_signatures (
  merchant_id integer not null,
  fingerprint bytea not null,
  forget_at timestamp with time zone not null,
  constraint used_signatures_pkey PRIMARY KEY (merchant_id, fingerprint)
);

create table user_links (
  hash bytea not null,
  user_id integer not null,
  purpose text not null,
  expires_at timestamp with time zone not null,
  constraint user_links_pkey PRIMARY KEY (hash),
  constraint user_links_purpose_check CHECK ((purpose = ANY (ARRAY['PASSWORD'::text, 'SIGN_IN'::text])))
);

create table user_sessions (
  hash bytea not null,
  user_id integer not null,
  merchant_id integer,
  is_complete boolean not null,
  created_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  confirmed_at timestamp with time zone not null,
  address text not null,
  agent text not null,
  only_merchant_id integer,
  constraint user_sessions_pkey PRIMARY KEY (hash)
);

create table users (
  user_id integer generated always as identity not null,
  email text not null,
  name text default ''::text not null,
  is_staff boolean default false not null,
  password_hash text,
  sealed_code_key text,
  code_since timestamp with time zone,
  code_step bigint default 0 not null,
  language text,
  time_zone text default 'UTC'::text not null,
  created_at timestamp with time zone not null,
  disabled_at timestamp with time zone,
  constraint users_pkey PRIMARY KEY (user_id),
  constraint users_email_key UNIQUE (email),
  constraint users_email_check CHECK ((email = lower(email))),
  constraint users_language_check CHECK ((language = ANY (ARRAY['en'::text, 'fr'::text])))
);

alter table api_tokens add constraint api_tokens_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id);

alter table branding add constraint branding_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id);

alter table bulk_payout_rows add constraint bulk_payout_rows_merchant_id_bulk_id_fkey FOREIGN KEY (merchant_id, bulk_id) REFERENCES bulk_payouts(merchant_id, id) ON DELETE CASCADE;

alter table bulk_payouts add constraint bulk_payouts_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(user_id);

alter table bulk_payouts add constraint bulk_payouts_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES users(user_id);

alter table bulk_payouts add constraint bulk_payouts_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id);

alter table callback_urls add constraint callback_urls_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id);

alter table exports add constraint exports_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id);

alter table exports add constraint exports_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id);

alter table legacy_usage add constraint legacy_usage_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id);

alter table listeners add constraint listeners_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id);

alter table mailed_codes add constraint mailed_codes_session_hash_fkey FOREIGN KEY (session_hash) REFERENCES user_sessions(hash) ON DELETE CASCADE;

alter table memberships add constraint memberships_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id);

alter table memberships add constraint memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id);

alter table merchant_keys add constraint merchant_keys_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id);

alter table merchant_providers add constraint merchant_providers_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id);

alter table merchant_sign_ins add constraint merchant_sign_ins_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id);

alter table operator_breakers add constraint operator_breakers_account_fkey FOREIGN KEY (account) REFERENCES operator_accounts(name) ON DELETE CASCADE;

alter table operator_floats add constraint operator_floats_account_fkey FOREIGN KEY (account) REFERENCES operator_accounts(name) ON DELETE CASCADE;

alter table operator_readings add constraint operator_readings_account_fkey FOREIGN KEY (account) REFERENCES operator_accounts(name) ON DELETE CASCADE;

alter table passkeys add constraint passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id);

alter table payment_links add constraint payment_links_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(user_id);

alter table payment_links add constraint payment_links_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id);

alter table provider_availability add constraint provider_availability_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id);

alter table recovery_codes add constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id);

alter table signature_checks add constraint signature_checks_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id);

alter table status_subscriptions add constraint status_subscriptions_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id);

alter table status_subscriptions add constraint status_subscriptions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id);

alter table user_links add constraint user_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id);

alter table user_sessions add constraint user_sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id);

CREATE INDEX audit_entries_by_action ON audit_entries USING btree (merchant_id, action, number);

CREATE INDEX audit_entries_by_actor ON audit_entries USING btree (merchant_id, actor, number);

CREATE INDEX audit_entries_by_object ON audit_entries USING btree (merchant_id, "left"(object, 60), action, number);

CREATE INDEX branding_logos ON branding USING btree (logo_hash) WHERE (logo_hash IS NOT NULL);

CREATE INDEX bulk_payouts_due ON bulk_payouts USING btree (holder, due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX bulk_payouts_of_file ON bulk_payouts USING btree (merchant_id, file_hash);

CREATE INDEX callback_replays_work ON callback_replays USING btree (due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX callback_urls_paused ON callback_urls USING btree (paused_at) WHERE (paused_at IS NOT NULL);

CREATE INDEX callbacks_feed ON callbacks USING btree (merchant_id, feed_transaction, payment_key, state) WHERE (feed_transaction IS NOT NULL);

CREATE INDEX callbacks_paused ON callbacks USING btree (merchant_id, kind) WHERE (status = 'PAUSED'::text);

CREATE INDEX callbacks_unsent ON callbacks USING btree (merchant_id, payment_key, state) WHERE (status = ANY (ARRAY['GIVEN_UP'::text, 'PAUSED'::text]));

CREATE INDEX callbacks_work ON callbacks USING btree (holder, due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX cases_open ON cases USING btree (opened_at) WHERE (closed_at IS NULL);

CREATE INDEX checkouts_due ON checkouts USING btree (due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX checkouts_listed ON checkouts USING btree (merchant_id, key) WHERE (key > '00000000-0000-0000-0000-000000000000'::uuid);

CREATE INDEX exports_by_age ON exports USING btree (merchant_id, created_at);

CREATE INDEX exports_files ON exports USING btree (ended_at) WHERE has_file;

CREATE INDEX exports_work ON exports USING btree (holder, due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX mails_by_age ON mails USING btree (at);

CREATE INDEX memberships_of_user ON memberships USING btree (user_id);

CREATE INDEX merchant_sign_ins_by_domain ON merchant_sign_ins USING gin (domains);

CREATE INDEX operator_exchanges_by_age ON operator_exchanges USING brin (at) WITH (autosummarize='on');

CREATE INDEX page_sessions_by_age ON page_sessions USING btree (expires_at);

CREATE INDEX passkeys_of_user ON passkeys USING btree (user_id);

CREATE INDEX payment_links_listed ON payment_links USING btree (merchant_id, key) WHERE (key > '00000000-0000-0000-0000-000000000000'::uuid);

CREATE INDEX payments_at_operator ON payments USING btree (operator_account, provider_reference) WHERE (operator_account IS NOT NULL);

CREATE INDEX payments_by_time ON payments USING brin (created_at) WITH (autosummarize='on');

CREATE INDEX payments_listed ON payments USING btree (merchant_id, kind, key) WHERE (key > '00000000-0000-0000-0000-000000000000'::uuid);

CREATE INDEX payments_of_checkout ON payments USING btree (checkout_id, merchant_id) WHERE (checkout_id IS NOT NULL);

CREATE INDEX payments_of_split ON payments USING btree (split_id, merchant_id) WHERE (split_id IS NOT NULL);

CREATE INDEX payments_open_at_operator ON payments USING btree (operator_account) WHERE ((operator_account IS NOT NULL) AND (due_at IS NOT NULL));

CREATE UNIQUE INDEX payments_open_refund ON payments USING btree (refund_of, merchant_id) WHERE ((refund_of IS NOT NULL) AND (due_at IS NOT NULL));

CREATE INDEX payments_refunds ON payments USING btree (refund_of, merchant_id) WHERE (refund_of IS NOT NULL);

CREATE INDEX payments_waiting ON payments USING btree (merchant_id, provider, kind) WHERE (due_at = 'infinity'::timestamp with time zone);

CREATE INDEX payments_work ON payments USING btree (holder, due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX provider_health_history_of ON provider_health_history USING btree (provider, operation, number);

CREATE INDEX provider_health_history_of_merchant ON provider_health_history USING btree (merchant_id, number) WHERE (merchant_id IS NOT NULL);

CREATE UNIQUE INDEX sandbox_approvals_open ON sandbox_approvals USING btree (merchant_id, phone_number) WHERE ((verdict IS NULL) AND (asked_on = 'PHONE'::text));

CREATE INDEX sandbox_orders_of_phone ON sandbox_orders USING btree (merchant_id, phone_number, received_at) WHERE (payment_id IS NOT NULL);

CREATE INDEX sandbox_orders_to_notify ON sandbox_orders USING btree (notify_at) WHERE (notify_at IS NOT NULL);

CREATE INDEX sign_in_failures_by_age ON sign_in_failures USING btree (last_at);

CREATE UNIQUE INDEX signing_keys_current ON signing_keys USING btree (((retired_at IS NULL))) WHERE (retired_at IS NULL);

CREATE INDEX split_payments_listed ON split_payments USING btree (merchant_id, key) WHERE (key > '00000000-0000-0000-0000-000000000000'::uuid);

CREATE INDEX statements_files ON statements USING btree (ended_at) WHERE has_file;

CREATE INDEX statements_work ON statements USING btree (holder, due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX transfers_by_time ON transfers USING btree (merchant_id, at);

CREATE INDEX used_signatures_forget_at ON used_signatures USING btree (forget_at);

CREATE INDEX user_links_by_age ON user_links USING btree (expires_at);

CREATE INDEX user_sessions_by_age ON user_sessions USING btree (created_at);

CREATE INDEX user_sessions_of_user ON user_sessions USING btree (user_id);

create view callbacks_in_hand as
 SELECT s.node_id,
    s.begun_at,
    u.merchant_id,
    u.payment_key,
    u.state,
    u.kind,
    u.payment_id
   FROM sendings s
     CROSS JOIN LATERAL UNNEST(s.merchant_ids, s.payment_keys, s.states, s.kinds, s.payment_ids) u(merchant_id, payment_key, state, kind, payment_id)
  WHERE u.kind IS NOT NULL AND NOT (EXISTS ( SELECT
           FROM callbacks c
          WHERE c.merchant_id = u.merchant_id AND c.payment_key = u.payment_key AND c.state = u.state));

create view kept_attempts as
 SELECT callback_attempts.merchant_id,
    callback_attempts.payment_key,
    callback_attempts.state,
    callback_attempts.attempt,
    callback_attempts.at,
    callback_attempts.duration_ms,
    callback_attempts.url,
    callback_attempts.signed_at,
    callback_attempts.key_id,
    callback_attempts.signature,
    callback_attempts.http_status,
    callback_attempts.answer,
    callback_attempts.reason,
    callback_attempts.next_at
   FROM callback_attempts
UNION ALL
 SELECT callbacks.merchant_id,
    callbacks.payment_key,
    callbacks.state,
    1 AS attempt,
    callbacks.first_at AS at,
    callbacks.first_duration_ms AS duration_ms,
    callbacks.first_url AS url,
    callbacks.first_signed_at AS signed_at,
    callbacks.first_key_id AS key_id,
    callbacks.first_signature AS signature,
    callbacks.first_http_status AS http_status,
    callbacks.first_answer AS answer,
    NULL::text AS reason,
    NULL::timestamp with time zone AS next_at
   FROM callbacks
  WHERE callbacks.first_at IS NOT NULL;

create view payment_timeline as
 SELECT merchant_id,
    key AS payment_key,
    'ACCEPTED'::text AS state,
    created_at AS at
   FROM payments
  WHERE split_id IS NULL OR kind = 'deposit'::text
UNION ALL
 SELECT merchant_id,
    key AS payment_key,
    'PROCESSING'::text AS state,
    submitted_at AS at
   FROM payments
  WHERE submitted_at IS NOT NULL
UNION ALL
 SELECT merchant_id,
    key AS payment_key,
    state,
    ended_at AS at
   FROM payments
  WHERE ended_at IS NOT NULL
UNION ALL
 SELECT merchant_id,
    payment_key,
    state,
    at
   FROM payment_events;

CREATE OR REPLACE FUNCTION accept_guard(expected bigint, stored bigint)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
begin
  if expected is distinct from stored then
    raise exception 'accept_guard: % to store, % stored', expected, stored
      using errcode = 'serialization_failure';
  end if;
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION data_lineage()
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  tables text := concat_ws('.',
    (select oid from pg_database where datname = current_database()),
    to_regclass('service_state')::oid);
begin
  return concat_ws('.', (select system_identifier from pg_control_system()),
    substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8), tables);
exception when insufficient_privilege or feature_not_supported or undefined_function then
  return tables;
end
$function$;

CREATE OR REPLACE FUNCTION decide_holds(merchant_ids integer[], kinds text[], ids uuid[], wallets text[], reserves text[], amounts numeric[])
 RETURNS text[]
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION enter_feed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from listeners) then
    return null;
  end if;
  update callbacks c set feed_transaction = pg_current_xact_id()
  from owed o
  join listeners l on l.merchant_id = o.merchant_id
  where c.merchant_id = o.merchant_id and c.payment_key = o.payment_key and c.state = o.state;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION ledger_guard(expected bigint, changed bigint)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
begin
  if expected is distinct from changed then
    raise exception 'ledger_guard: % accounts to change, % exist', expected, changed;
  end if;
  return true;
end
$function$;
