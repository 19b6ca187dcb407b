import { ATTEMPTS_MAX } from '../../domain/hosted/checkout.ts'
import { DISPUTES, HOLDS_CHECKOUT, PAID_AFTER_ALL } from '../payments/cases.ts'
import type { Check } from './check.ts'

/** What must always be true of checkouts. */
export const CHECKOUT_CHECKS: readonly Check[] = [
  {
    name: 'each checkout is where its attempts are, of which at most one completed',
    question: `
      with tried as (
        select c.merchant_id, c.id, c.state, c.attempts, count(p.id) as there,
               count(p.id) filter (where p.due_at is not null) as open,
               count(p.id) filter (where p.state = 'COMPLETED') as completed,
               bool_or(p.id = c.latest_attempt) as has_latest,
               coalesce(bool_or(p.due_at is not null and p.id <> c.latest_attempt), false)
                 as is_earlier_open,
               -- The checkout stays COMPLETED where a later correction took that back.
               coalesce(bool_or(p.state = 'FAILED' and exists (
                 select from cases d where d.merchant_id = p.merchant_id and d.payment_key = p.key
                   and d.reported = 'COMPLETED' and d.resolution = 'CORRECTED')), false) as is_corrected
        from checkouts c
        left join payments p
          on p.merchant_id = c.merchant_id and p.checkout_id = c.id and p.kind = 'deposit'
        group by c.merchant_id, c.id
      )
      select merchant_id as merchant, id::text as subject,
             state || ' after ' || attempts || ' attempts, ' || there || ' there, ' || open
               || ' open, ' || completed || ' completed' as finding
      from tried
      where attempts <> there or attempts > ${ATTEMPTS_MAX} or completed > 1 or is_earlier_open
         or (attempts > 0 and has_latest is not true)
         or open <> case when state = 'PROCESSING' then 1 else 0 end
         or (completed <> case when state = 'COMPLETED' then 1 else 0 end
             and not (state = 'COMPLETED' and is_corrected))
         or (state = 'FAILED' and attempts < ${ATTEMPTS_MAX})`,
  },
  {
    name: 'a checkout is on hold exactly while a failed attempt of it may have been paid',
    question: `
      with disputes as (${DISPUTES}), held as (
        select p.merchant_id, p.checkout_id, bool_or(${PAID_AFTER_ALL}) as is_paid
        from payments p join disputes d on d.merchant_id = p.merchant_id and d.key = p.key
        where p.checkout_id is not null and ${HOLDS_CHECKOUT}
        group by 1, 2
      )
      select c.merchant_id as merchant, c.id::text as subject,
             case when c.on_hold then 'on hold' else 'not on hold' end
               || case when c.paid_attempt is null then '' else ' with a paid attempt' end as finding
      from checkouts c
      left join held h on h.merchant_id = c.merchant_id and h.checkout_id = c.id
      where c.on_hold <> (h.checkout_id is not null)
         or (c.paid_attempt is not null) <> coalesce(h.is_paid, false)`,
  },
  {
    name: 'every attempt belongs to a checkout that exists',
    question: `
      select p.merchant_id as merchant, p.id::text as subject,
             'the checkout ' || p.checkout_id || ' is missing' as finding
      from payments p
      left join checkouts c on c.merchant_id = p.merchant_id and c.id = p.checkout_id
      where p.checkout_id is not null and c.id is null`,
  },
  {
    name: 'no checkout is reported before its end, or twice',
    question: `
      select c.merchant_id as merchant, c.id::text as subject,
             c.state || ', reported ' || count(*) || ' times' as finding
      from checkouts c
      join callbacks b on b.merchant_id = c.merchant_id and b.payment_key = c.key
      group by c.merchant_id, c.id
      having count(*) > 1 or c.ended_at is null`,
  },
]
