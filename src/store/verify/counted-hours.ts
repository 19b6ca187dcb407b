import { BYTEWISE, keyMs, keyOf } from '../payments/hours.ts'
import { COMBINATION, FACETS_OF, hashOf, TERMS, WHOLE_TERMS } from '../payments/terms.ts'

/** Whether the hour of something `p` with a key is counted, by the counted hours `c` of its merchant. */
const IS_COUNTED = `p.key < ${keyOf('c.until')} and not exists (
  select from unnest(c.open_hours) o
  where p.key >= ${keyOf('o')} and p.key < ${keyOf(`o + interval '1 hour'`)})`

export const TERMS_CHECK = {
  name: 'every payment is found by what people know of it',
  question: `
    select merchant_id as merchant, key::text as subject,
           'found by ' || coalesce(stored.terms, 0) || ' terms, has ' || coalesce(own.terms, 0)
             as finding
    from (
      select p.merchant_id, p.key, count(distinct ${hashOf('p.term')}) as terms,
             bit_xor(distinct ${hashOf('p.term')}) as sum
      from (
        select p.merchant_id, p.key, t.term from payments p cross join lateral (${TERMS}) t (term)
        union all ${WHOLE_TERMS}
      ) p join counted_hours c using (merchant_id)
      where ${IS_COUNTED}
      group by 1, 2
    ) own
    full join (
      select merchant_id, key, count(*) as terms, bit_xor(term) as sum
      from payment_terms group by 1, 2
    ) stored using (merchant_id, key)
    where own.terms is distinct from stored.terms or own.sum is distinct from stored.sum
    union all
    select merchant_id, combination, 'is not listed' from (
      select p.merchant_id, concat_ws('|', ${FACETS_OF}) as combination
      from payments p join counted_hours c using (merchant_id) where ${IS_COUNTED}
      group by 1, 2
      except select merchant_id, ${COMBINATION} from payment_combinations
    ) missing`,
} as const

export const HOURS_CHECK = {
  name: 'the hours that are counted equal a recount',
  question: `
    with recount as (
      select merchant_id, hour, kind, country, provider, currency, state, failure_code,
             count(*) as payments, sum(amount) as amount
      from (
        select p.merchant_id, date_trunc('hour', to_timestamp(${keyMs('p.key')} / 1000.0), 'UTC') as hour,
               ${BYTEWISE}, amount
        from payments p
      ) each join counted_hours c using (merchant_id)
      where hour < c.until and hour <> all(c.open_hours)
      group by 1, 2, 3, 4, 5, 6, 7, 8
    )
    select merchant_id as merchant, to_char(hour at time zone 'UTC', 'YYYY-MM-DD"T"HH24') as subject,
           concat_ws(' ', kind, provider, currency, state, failure_code) || ': counted '
             || coalesce(h.payments || ' of ' || h.amount, 'none') || ', there are '
             || coalesce(r.payments || ' of ' || r.amount, 'none') as finding
    from recount r
    full join payment_hours h
      using (merchant_id, hour, kind, country, provider, currency, state, failure_code)
    where r.payments is distinct from h.payments or r.amount is distinct from h.amount`,
} as const
