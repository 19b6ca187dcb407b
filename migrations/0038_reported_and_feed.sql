-- Columns by the words that the program uses for them.
alter table cases rename column said to reported;
alter table cases rename column last_said to last_reported;
alter table cases rename constraint cases_said_check to cases_reported_check;

alter table callbacks rename column heard_in to feed_transaction;
alter index callbacks_heard rename to callbacks_feed;
alter trigger callbacks_are_heard on callbacks rename to callbacks_enter_feed;
alter function mark_heard() rename to enter_feed;
create or replace function enter_feed() returns trigger language plpgsql as $$
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
$$;

-- What connectors keep of an operator's reports about a payment.
update payments set operator_ids = (
  select jsonb_object_agg(coalesce(n.renamed, kept.key), kept.value)
  from jsonb_each(operator_ids) kept
  left join (values
    ('said', 'responseCode'),
    ('saidTimeout', 'timeoutReported'),
    ('saidForged', 'forgeryReported'),
    ('heardNotifToken', 'callbackNotifToken'),
    ('heardAt', 'callbackAt')) n (name, renamed) on n.name = kept.key)
where operator_ids ?| array['said', 'saidTimeout', 'saidForged', 'heardNotifToken', 'heardAt'];
