-- A thing is said once: the row of a payment holds when it was accepted, sent and ended, so events
-- are kept only for what no column says. Older nodes would write them all, so they are stopped first.
create table kept_events as
select e.* from payment_events e where e.state in ('ENQUEUED', 'IN_RECONCILIATION')
union all
-- A payout of a split payment is accepted later than it is made.
select e.* from payment_events e
join payments p on p.merchant_id = e.merchant_id and p.key = e.payment_key
where e.state = 'ACCEPTED' and p.split_id is not null and p.kind = 'payout';
truncate payment_events;
insert into payment_events select * from kept_events;
drop table kept_events;

create view payment_timeline as
select merchant_id, key as payment_key, 'ACCEPTED' as state, created_at as at from payments
where split_id is null or kind = 'deposit'
union all
select merchant_id, key, 'PROCESSING', submitted_at from payments where submitted_at is not null
union all
select merchant_id, key, state, ended_at from payments where ended_at is not null
union all
select merchant_id, payment_key, state, at from payment_events;
