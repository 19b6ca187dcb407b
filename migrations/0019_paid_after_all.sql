-- Older nodes go on: they leave the column as it is and end checkouts by their time.
-- The attempt of a checkout that failed, was paid after all and was corrected: the checkout is paid.
alter table checkouts add column paid_attempt uuid;
update checkouts c set paid_attempt = p.id
from payments p
where c.on_hold and p.merchant_id = c.merchant_id and p.checkout_id = c.id and p.state = 'FAILED'
  and 'COMPLETED' = (
    select d.said from cases d
    where d.merchant_id = p.merchant_id and d.payment_key = p.key and d.cause = 'CONTRADICTION'
      and d.resolution = 'CORRECTED'
    order by d.number desc limit 1);
