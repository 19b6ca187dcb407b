-- A callback that goes out at once has no row before it is delivered: the note of its attempt says
-- that it is owed, and its row comes with the record of the attempt. Older nodes would not know what
-- such a note owes, so they are stopped first.
alter table sendings
  add column kinds text[],
  add column payment_ids uuid[];

-- The attempt that delivered it, where that was the first.
alter table callbacks
  add column first_at timestamptz,
  add column first_duration_ms integer,
  add column first_url text,
  add column first_signed_at timestamptz,
  add column first_key_id text,
  add column first_signature text,
  add column first_http_status integer,
  add column first_answer text;
-- Most rows are written once.
alter table callbacks set (fillfactor = 95);

-- Every attempt, wherever it is kept.
create view kept_attempts as
select merchant_id, payment_key, state, attempt, at, duration_ms, url, signed_at, key_id, signature,
       http_status, answer, reason, next_at
from callback_attempts
union all
select merchant_id, payment_key, state, 1, first_at, first_duration_ms, first_url, first_signed_at,
       first_key_id, first_signature, first_http_status, first_answer, null, null
from callbacks where first_at is not null;

-- Callbacks that are owed and have no row yet.
create view callbacks_in_hand as
select s.node_id, s.begun_at, u.merchant_id, u.payment_key, u.state, u.kind, u.payment_id
from sendings s
cross join lateral unnest(s.merchant_ids, s.payment_keys, s.states, s.kinds, s.payment_ids)
  as u (merchant_id, payment_key, state, kind, payment_id)
where u.kind is not null and not exists (
  select from callbacks c
  where c.merchant_id = u.merchant_id and c.payment_key = u.payment_key and c.state = u.state);
