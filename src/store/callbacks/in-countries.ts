/**
 * Whether what a callback `c` is about takes place in one of the countries of a parameter; null means
 * everywhere. As `countriesOf` has it, for many at once.
 */
export const inCountries = (countries: string): string => `
  (${countries}::text[] is null or coalesce(case c.kind
    when 'statement' then (
      select split_part(s.wallet, ':', 2) = any(${countries}) from statements s
      where s.merchant_id = c.merchant_id and s.id = c.payment_id)
    when 'checkout' then (
      select coalesce(
        (select bool_and(p.country = any(${countries})) from payments p
         where p.merchant_id = k.merchant_id and p.checkout_id = k.id),
        ${MAY_BE} <> '[]' and ${MAY_BE} <@ to_jsonb(${countries}::text[]))
      from checkouts k where k.merchant_id = c.merchant_id and k.id = c.payment_id)
    else (
      select p.country = any(${countries}) from payments p
      where p.merchant_id = c.merchant_id and p.id = c.payment_id
        and p.kind = case c.kind when 'splitPayment' then 'deposit' else c.kind end)
    end, false))`

const MAY_BE = `coalesce(k.terms->'countries', jsonb_path_query_array(k.terms, '$.amounts[*].country'))`
