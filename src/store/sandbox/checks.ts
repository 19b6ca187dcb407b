import type { Check } from '../verify/check.ts'

/** What must always be true of the book of the simulated operator. */
export const SANDBOX_CHECKS: readonly Check[] = [
  {
    name: 'the simulated operator has the amount and number of our payment',
    question: `
      select p.merchant_id as merchant, p.id::text as subject,
             'the operator has ' || o.amount || ' ' || o.currency || ', the payment is '
               || p.amount || ' ' || p.currency as finding
      from payments p
      join sandbox_orders o on o.merchant_id = p.merchant_id and o.reference = p.provider_reference
      where (o.amount, o.currency, o.phone_number) is distinct from
            (p.amount, p.currency, p.phone_number)`,
  },
  {
    name: 'the simulated operator was asked at most once for each payment',
    question: `
      select o.merchant_id as merchant, o.reference as subject,
             'asked ' || o.asked || ' times' as finding
      from sandbox_orders o
      -- Older than its payment: the database had lost the payment when it was requested again.
      left join payments p on p.merchant_id = o.merchant_id
        and p.provider_reference = o.reference and p.created_at > o.received_at
      where o.asked > 1 and p.key is null`,
  },
]
