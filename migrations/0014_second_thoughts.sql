-- Older nodes go on: what they write lacks these columns, which then say what they assume.
-- Operators that are silent, and operators that change their minds more than once.

-- Since when nobody knows the outcome, so that a node that takes over waits no longer than the rest.
alter table payments add column unknown_since timestamptz;

-- Each change of mind after a closed case is a case of its own, and while one is open the latest
-- word of the operator is kept.
alter table cases add column number integer not null default 1, add column last_said text;
alter table cases drop constraint cases_pkey;
alter table cases add primary key (merchant_id, payment_key, cause, number);
update cases set last_said = said where cause = 'CONTRADICTION';

-- The operator says after all that a failed attempt was paid: there is no further attempt until a
-- person has decided, and none if it was.
alter table checkouts add column on_hold boolean not null default false;
update checkouts c set on_hold = true
from payments p join cases d
  on d.merchant_id = p.merchant_id and d.payment_key = p.key and d.cause = 'CONTRADICTION'
    and d.resolution is distinct from 'DISMISSED'
where p.state = 'FAILED' and p.merchant_id = c.merchant_id and p.checkout_id = c.id;
